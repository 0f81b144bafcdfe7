"""Addresses: what they ask for, and links that lead back to the same."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.app.address import KINDS, Address, link, parse
from kb.app.markup import Html, join, tag, text


@pytest.mark.parametrize(
    ("params", "kind", "value"),
    [
        ({}, "", ""),
        ({"q": "  why? "}, "q", "why?"),
        ({"page": "try", "scenario": "rulings/x"}, "page", "try"),
        ({"rule": "431", "q": "x"}, "rule", "431"),
        ({"other": "1"}, "", ""),
    ],
)
def test_an_address_asks_for_one_thing(params: dict[str, str], kind: str, value: str) -> None:
    made = parse(params)
    assert (made.kind, made.value) == (kind, value)


def test_what_else_an_address_says_is_kept() -> None:
    assert parse({"page": "try", "scenario": "a/b"}).option("scenario") == "a/b"
    assert Address().option("part", "none") == "none"


@given(st.sampled_from(KINDS), st.text(min_size=1, max_size=200).filter(lambda said: said.strip() == said and said))
def test_links_lead_back(kind: str, value: str) -> None:
    found = parse(dict(parse_qsl(link(kind, value)[1:])))
    assert (found.kind, found.value) == (kind, value)


@given(st.text(max_size=200))
def test_texts_never_become_markup(said: str) -> None:
    made = tag("p", said, title=said)
    assert made.count("<") == 2 and made.count(">") == 2
    assert text(made) is made and isinstance(join((said, None, "")), Html)
