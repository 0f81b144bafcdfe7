"""What a phrase speaks of, found in the phrase and not in its words."""

from __future__ import annotations

from kb.cards.parsing import parse_amount, parse_condition, parse_what
from kb.cards.phrases import facts_in, names_in, subtracts


def test_a_name_is_found_wherever_a_phrase_refers_to_it() -> None:
    assert names_in(parse_what("a unit with might <= might of $killed + 1")) == {"$killed"}
    assert names_in(parse_what("a card from $looked")) == {"$looked"}
    assert names_in(parse_what("an equipment attached to $unit")) == {"$unit"}


def test_a_name_that_begins_another_one_is_not_found() -> None:
    assert "$unit" not in names_in(parse_what("controller of $units"))


def test_facts_are_found_in_compound_and_negated_conditions() -> None:
    assert facts_in(parse_condition("in combat and your turn")) == {"in combat", "your turn"}
    assert facts_in(parse_condition("not in combat")) == {"in combat"}
    assert facts_in(None) == frozenset()


def test_only_an_amount_that_takes_away_or_is_below_zero_subtracts() -> None:
    assert subtracts(parse_amount("might of me - 3"))
    assert subtracts(parse_amount("-2"))
    assert not subtracts(parse_amount("number of units without keyword Quick-Draw"))
