"""What can be named (762-763): cards that exist and are no tokens, and the tags that the rule lists."""

from __future__ import annotations

import re

from kb.engine.library import library
from kb.engine.naming import existing_tags, nameable, why_not_name
from kb.load import load_rules


def test_the_tags_of_the_cards_are_those_that_the_rule_lists() -> None:
    text = load_rules("core-1.4")["763.1"].parts[0].text.partition("letters:")[2].rstrip(".")
    groups = re.split(r"\.? ?\b(?:[A-Z][a-z]? (?:and|to) )?[A-Z][a-z]?: ", text)
    listed = {tag for group in groups if group for tag in group.split(", ")}
    assert set(existing_tags(library())) == listed


def test_every_card_but_tokens_can_be_named_and_a_type_narrows_them() -> None:
    names = nameable(library())
    assert {"Cleave", "Stalwart Poro", "Void Gate"} <= set(names)
    assert "Recruit" not in names
    spells = nameable(library(), ("spell",))
    assert "Cleave" in spells and "Stalwart Poro" not in spells


def test_what_cannot_be_named_is_refused_by_the_rule_that_says_why() -> None:
    refused = {words: why_not_name(library(), words).rule for words in ("Cleavage", "Recruit", "Cleave")}
    assert refused == {"Cleavage": "762.1", "Recruit": "762.2", "Cleave": "762"}
