"""Each kind of finding is found, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kb.build import Data, load_data
from kb.glossary import Glossary
from kb.ids import RuleRef
from kb.lint import CODES, Finding, lint
from kb.model import Agreement, Claim, ClaimReview, Origin, Relations, Review, Rule, RuleBook, Ruling, Term
from kb.sources.rules_text import parse_rules

REF = RuleRef("core-1.4", "100.1")


@pytest.fixture(scope="module")
def base() -> Data:
    """Small rules, no rulings, the project's own cards."""
    real = load_data()
    return replace(
        real,
        books={
            "core-1.4": book("100. Ships\n100.1. Ships float.\n"),
            "tournament-2026-07": book("100. Boats\n", "tournament-2026-07"),
        },
        rulings={},
        glossary=Glossary(),
        scenarios={},
    )


def book(text: str, document: str = "core-1.4") -> RuleBook:
    return parse_rules(text, document, "ships.txt").book


def ruling(name: str = "ships-float", line: int = 3, **changes: object) -> Ruling:
    made = Ruling(
        id=name,
        title="Ships float",
        origin=Origin("faq-cards", line),
        questions=("Do ships float?",),
        verdict="yes",
        answer="They do.",
        claims=(Claim("c1", "Ships always float.", (REF,)),),
        review=Review("core-1.4", "yes", "They do.", {"c1": ClaimReview(Agreement.YES, (REF,))}),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def codes(data: Data) -> list[str]:
    return [finding.code for finding in lint(data) if finding.code != "U007"]


def with_rulings(base: Data, *rulings: Ruling) -> Data:
    return replace(base, rulings={one.id: one for one in rulings})


def test_sound_data_has_no_finding(base: Data) -> None:
    assert codes(with_rulings(base, ruling())) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("100. Ships\n100.1. Row. See rule 999 (Land).\n", "R002"),
        ("100. Ships\n100.2.a. Row.\n", "R004"),
        ("100. Ships\n100.1. TR 999.1 applies.\n", "R005"),
    ],
)
def test_findings_on_rules(base: Data, text: str, code: str) -> None:
    assert codes(replace(base, books=base.books | {"core-1.4": book(text)})) == [code]


def test_our_notes_may_name_numbers_that_do_not_exist(base: Data) -> None:
    text = "100. Ships\n100.1. Row. See rule 999.\n    Note (ours): Rule 999 is meant to be 100.\n"
    assert codes(replace(base, books=base.books | {"core-1.4": book(text)})) == []


def test_a_rule_not_restated_is_a_warning(base: Data) -> None:
    rules = dict(base.books["core-1.4"].rules) | {"101": Rule(RuleRef("core-1.4", "101"), (), restated=False)}
    assert codes(replace(base, books=base.books | {"core-1.4": RuleBook("core-1.4", rules)})) == ["R003"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"cards": ("Zhonyas Hourglas",)}, "U001"),
        ({"claims": (Claim("c1", "Ships float."),)}, "U002"),
        ({"rules": (RuleRef("core-1.4", "431.99"),)}, "U003"),
        ({"rules": (RuleRef("core-0.1", "431"),)}, "U003"),
        ({"review": None}, "U004"),
        ({"review": Review("core-1.3", "yes", "They do.", {"c1": ClaimReview(Agreement.YES)})}, "U004"),
        ({"relations": Relations(refines=("nothing",))}, "U008"),
        ({"scenarios": ("rulings/nothing",)}, "U009"),
        ({"review": Review("core-1.4", "yes", "They do.", {"c1": ClaimReview(Agreement.NO)})}, "U010"),
        ({"claims": (Claim("c1", "Ships float.", (REF,)), Claim("c2", "Ships row.", (REF,)))}, "U011"),
        ({"title": "Birds", "answer": "Hear.", "claims": (Claim("c1", "Birds sing loudly.", (REF,)),)}, "U012"),
    ],
)
def test_findings_on_a_ruling(base: Data, changes: dict[str, object], code: str) -> None:
    assert codes(with_rulings(base, ruling(**changes))) == [code]


def test_a_documentary_claim_needs_no_rule(base: Data) -> None:
    assert codes(with_rulings(base, ruling(claims=(Claim("c1", "It came in May.", documentary="a date"),)))) == []


def test_two_verdicts_on_one_question_need_a_relation(base: Data) -> None:
    one = ruling("one", relations=Relations(same_question=("two",)))
    two = ruling("two", 5, verdict="no")
    assert codes(with_rulings(base, one, two)) == ["U005"]
    related = replace(one, relations=Relations(same_question=("two",), contradicts=("two",)))
    assert codes(with_rulings(base, related, two)) == []


def test_an_origin_is_covered_once(base: Data) -> None:
    assert codes(with_rulings(base, ruling("one"), ruling("two"))) == ["U006"]
    missing = [f.where for f in lint(with_rulings(base, ruling())) if f.code == "U007"]
    assert len(missing) == 99
    assert "faq-cards:3" not in missing


def test_the_glossary_leads_to_what_exists(base: Data) -> None:
    term = Term("Ship", "term", "floats", rules=(RuleRef("core-1.4", "999"),))
    glossary = Glossary((term,), {"the Ark": ("Arc",)})
    assert codes(replace(base, glossary=glossary)) == ["C001", "G001"]


@pytest.fixture
def scenario(base: Data, tmp_path: Path) -> Data:
    path = tmp_path / "one.yaml"
    path.write_text("id: one\nruling: nothing\nthen: [core-1.4:999.1]\n", encoding="utf-8")
    return replace(base, scenarios={"one": path})


def test_scenarios_lead_to_what_exists(scenario: Data) -> None:
    assert codes(scenario) == ["S002", "S001"]


def test_every_finding_has_a_message_and_a_fix_in_one_line() -> None:
    finding = Finding("R002", "core-1.4:100.1", "points to 999, which does not exist", "Nearest: 100")
    assert str(finding) == "error R002 core-1.4:100.1: points to 999, which does not exist. Nearest: 100."
    assert all(meaning and severity in ("error", "warning", "info") for severity, meaning in CODES.values())
