"""Permanent addresses: ``?q=``, ``?rule=``, ``?ruling=``, ``?card=``, ``?scenario=``, ``?page=``.

A link is a query string, so it is the same in the app and (behind ``#``) in the exported site.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

KINDS = ("page", "scenario", "ruling", "rule", "card", "q")
"""Kinds of address; where an address names several, the first here counts."""

LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Address:
    """What an address asks for; ``kind`` is one of ``KINDS`` or nothing for the first page."""

    kind: str = ""
    value: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str, default: str = "") -> str:
        """A further part of the address (``part``, ``document``, ``at``)."""
        return dict(self.options).get(name, default)


def parse(params: Mapping[str, str]) -> Address:
    """The address that query parameters give."""
    for kind in KINDS:
        value = str(params.get(kind, "")).strip()
        if value:
            rest = tuple((key, str(one)[:LONGEST]) for key, one in params.items() if key != kind)
            return Address(kind, value[:LONGEST] if kind != "q" else value, rest)
    return Address()


def link(kind: str, value: str, **options: str) -> str:
    """The address of a page as a query string."""
    return "?" + urlencode({kind: value, **options})


def rule_link(ref: str) -> str:
    """The address of a rule; ``431.2.c`` means the Core Rules in force."""
    return link("rule", ref)
