"""Rule references: parsing, order, parents, printing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import BadReference
from kb.ids import RuleRef, citation, document_title, is_number, parse_number, parse_ruling_id


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("core-1.4:465.2.c.4", "core-1.4:465.2.c.4"),
        ("465.2.c.4", "core-1.4:465.2.c.4"),
        ("465.2.c.4.", "core-1.4:465.2.c.4"),
        (" 465.2.C ", "core-1.4:465.2.c"),
        ("tournament-2026-07:408.2", "tournament-2026-07:408.2"),
        ("CORE-1.4:431", "core-1.4:431"),
        ("000", "core-1.4:000"),
    ],
)
def test_a_reference_parses_and_prints(text: str, shown: str) -> None:
    assert str(RuleRef.parse(text)) == shown


@pytest.mark.parametrize(
    "text", ["", "46", "4655", "465.c", "465.2.3", "465.2.cc", "465..2", "x:465", "465.2 c", "²³4"]
)
def test_what_is_no_reference_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(BadReference) as caught:
        RuleRef.parse(text, where="kb rule")
    assert "Write it like" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_ten_comes_after_nine_and_a_rule_before_its_children() -> None:
    numbers = ["465.2.c.10", "465.2", "465.10", "465.2.c.9", "465.2.c", "464.2.e", "465.9"]
    ordered = [ref.number for ref in sorted(RuleRef("core-1.4", number) for number in numbers)]
    assert ordered == ["464.2.e", "465.2", "465.2.c", "465.2.c.9", "465.2.c.10", "465.9", "465.10"]


def test_parents_lead_up_to_the_section() -> None:
    ref = RuleRef.parse("465.2.c.4")
    assert [above.number for above in ref.ancestors] == ["465.2.c", "465.2", "465"]
    assert ref.depth == 3
    assert ref.section.number == "465"
    assert ref.section.parent is None


def test_within_is_by_level_and_not_by_letters() -> None:
    assert RuleRef.parse("431.2.c").is_within(RuleRef.parse("431.2"))
    assert not RuleRef.parse("431.20").is_within(RuleRef.parse("431.2"))
    assert not RuleRef.parse("431.2").is_within(RuleRef.parse("tournament-2026-07:431"))


def test_a_citation_says_edition_number_and_wording() -> None:
    ref = RuleRef.parse("465.2.c.4")
    assert citation(ref, "restated") == "Core Rules 1.4, 465.2.c.4 (restated)"
    assert citation(ref, "official") == "Core Rules 1.4, 465.2.c.4 (official wording)"
    assert document_title("tournament-2026-07") == "Tournament Rules 2026-07"


def test_a_ruling_id_is_words_joined_by_hyphens() -> None:
    assert parse_ruling_id("burn-out-who-scores") == "burn-out-who-scores"
    for bad in ("Burn-Out", "burn out", "-burn", ""):
        with pytest.raises(BadReference):
            parse_ruling_id(bad)


levels = st.integers(0, 4).flatmap(
    lambda n: st.tuples(*[st.integers(1, 40).map(str) if i % 2 == 0 else st.sampled_from("abcdefgh") for i in range(n)])
)


@given(st.integers(0, 999), levels)
def test_every_number_prints_and_parses_back(top: int, below: tuple[str, ...]) -> None:
    number = ".".join([f"{top:03}", *below])
    assert is_number(number)
    assert parse_number(number + ".") == number
    assert RuleRef.parse(str(RuleRef("core-1.4", number))) == RuleRef("core-1.4", number)
