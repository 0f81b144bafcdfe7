"""Markup that is safe by construction: every text is escaped unless it was made here.

Questions, documents, YAML and card names are texts; only :class:`Html` values pass unescaped, and only
:func:`tag` and :func:`join` make them.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

VOID = frozenset({"br", "hr", "img", "input", "rect", "circle", "path", "line", "polygon", "link"})


class Html(str):
    """Markup that may be shown as it is."""

    __slots__ = ()


def text(value: object) -> Html:
    """Any value as escaped text; markup stays as it is."""
    return value if isinstance(value, Html) else Html(escape(str(value), quote=True))


def join(parts: Iterable[object], between: str = "") -> Html:
    """Parts one after another; ``None`` and empty ones are left out."""
    return Html(between.join(text(part) for part in parts if part is not None and part != ""))


def tag(name: str, /, *children: object, **attributes: object) -> Html:
    """An element. ``cls`` is its class, ``_`` in names of attributes is ``-``; None and False are left out."""
    said = "".join(
        _attribute(key, value) for key, value in attributes.items() if value is not None and value is not False
    )
    if name in VOID:
        return Html(f"<{name}{said}/>")
    return Html(f"<{name}{said}>{join(children)}</{name}>")


def _attribute(key: str, value: object) -> str:
    key = {"cls": "class", "for_": "for"}.get(key, key).replace("_", "-")
    return f" {key}" if value is True else f' {key}="{escape(str(value), quote=True)}"'
