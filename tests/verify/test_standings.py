"""From outcomes of scenarios to verdicts on claims and the standing of a ruling."""

from __future__ import annotations

import pytest

from kb.load import load_rulings
from kb.model import Claim, Origin, Review, Ruling
from kb.verify.report import ORDER, changes, qualified, register, totals
from kb.verify.standings import ClaimVerdict, Standing, claim_verdict, standing_of
from kb.verify.storing import plain, restored
from kb.verify.suite import Outcome, by_ruling


def ruling(*claims: Claim, review: str = "", said: str = "yes", since: str = "") -> Ruling:
    """A made-up ruling; ``review`` is the verdict word of our review, "" none."""
    found = Review("core-1.4", review, "What holds now.", changed_since=since) if review else None
    return Ruling(
        "made-up", "A made-up ruling", Origin("faq-rules", 1), ("Is it so?",), said, "It is.", claims, review=found
    )


def claims(*names: str, documentary: str = "") -> tuple[Claim, ...]:
    return tuple(Claim(n, f"Claim {n}.", documentary="A date." if n == documentary else "") for n in names)


def outcome(verdict: str = "confirmed", name: str = "rulings/one", **about: str) -> Outcome:
    """An outcome that says ``verdict`` of the claims named in ``about`` (``c1="confirmed"``)."""
    readings = {"464.2.d": "attacker"} if name.endswith("other") else {}
    return Outcome(name, "made-up", "", verdict, dict(about), (), 1.0, (), (), (), readings)


# claims


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([], "none"),
        ([outcome(c2="confirmed")], "none"),
        ([outcome(c1="confirmed")], "confirmed"),
        ([outcome(c1="confirmed"), outcome(c1="confirmed")], "confirmed"),
        ([outcome("contradicted", c1="contradicted")], "contradicted"),
        ([outcome(c1="confirmed"), outcome("contradicted", c1="contradicted")], "contradicted"),
        ([outcome("unsupported", c1="unsupported")], "unsupported"),
        ([outcome(c1="confirmed"), outcome("unsupported", c1="unsupported")], "unsupported"),
        ([outcome(c1="confirmed"), outcome("contradicted", "rulings/other", c1="contradicted")], "disputed"),
        ([outcome(c1="confirmed"), outcome("confirmed", "rulings/other", c1="confirmed")], "confirmed"),
    ],
)
def test_the_verdict_on_a_claim_comes_from_all_scenarios_that_speak_of_it(
    outcomes: list[Outcome], verdict: str
) -> None:
    assert claim_verdict(Claim("c1", "Claim c1."), outcomes).verdict == verdict


def test_a_documentary_claim_needs_no_scenario_and_names_those_that_speak_of_it() -> None:
    claim = Claim("c1", "Claim c1.", documentary="A date.")
    assert claim_verdict(claim, []) == ClaimVerdict("c1", "documentary")
    assert claim_verdict(claim, [outcome(c1="confirmed")]) == ClaimVerdict("c1", "documentary", ("rulings/one",))


# standings


def test_a_ruling_all_of_whose_claims_are_confirmed_is_confirmed() -> None:
    found = standing_of(
        ruling(*claims("c1", "c2")), [outcome(c1="confirmed"), outcome(name="rulings/two", c2="confirmed")]
    )
    assert (found.standing, found.why, found.scenarios) == ("confirmed", "", ("rulings/one", "rulings/two"))


def test_a_documentary_claim_beside_a_confirmed_one_leaves_the_ruling_confirmed() -> None:
    found = standing_of(ruling(*claims("c1", "c2", documentary="c2")), [outcome(c1="confirmed")])
    assert found.standing == "confirmed"


def test_a_ruling_of_documentary_claims_alone_is_documentary() -> None:
    assert standing_of(ruling(*claims("c1", documentary="c1")), []).standing == "documentary"


@pytest.mark.parametrize(
    ("outcomes", "why"),
    [
        ([], "no verdict yet on c1, c2"),
        ([outcome(c1="confirmed")], "no verdict yet on c2"),
        ([outcome(c1="confirmed"), outcome("unsupported", c2="unsupported")], "no verdict yet on c2"),
        ([outcome(c1="confirmed", c2="confirmed"), outcome("failed")], "a scenario fails"),
    ],
)
def test_a_ruling_with_a_claim_without_verdict_or_a_failed_scenario_is_unverified(
    outcomes: list[Outcome], why: str
) -> None:
    found = standing_of(ruling(*claims("c1", "c2")), outcomes)
    assert (found.standing, found.why) == ("unverified", why)


def test_problems_of_failed_scenarios_are_handed_on() -> None:
    failed = Outcome("rulings/one", "made-up", "", "failed", {}, ("step 1: no",), 1.0, (), ())
    assert standing_of(ruling(*claims("c1")), [failed]).problems == ("rulings/one: step 1: no",)


def test_two_readings_with_two_results_make_a_ruling_disputed() -> None:
    outcomes = [outcome(c1="confirmed"), outcome("contradicted", "rulings/other", c1="contradicted")]
    assert standing_of(ruling(*claims("c1"), review="no"), outcomes).standing == "disputed"


@pytest.mark.parametrize(
    ("said", "review", "since", "standing"),
    [
        ("yes", "no", "", "contradicted"),
        ("yes", "yes", "", "partly"),
        ("Yes", " yes", "", "partly"),
        ("yes", "", "", "partly"),
        ("yes", "no", "core-1.3", "superseded"),
        ("yes", "yes", "core-1.3", "partly"),
    ],
)
def test_a_contradicted_claim_topples_the_answer_only_where_our_verdict_differs(
    said: str, review: str, since: str, standing: str
) -> None:
    outcomes = [outcome(c1="confirmed"), outcome("contradicted", c2="contradicted")]
    found = standing_of(ruling(*claims("c1", "c2"), said=said, review=review, since=since), outcomes)
    assert found.standing == standing
    assert "the engine contradicts c2" in found.why
    if since and standing == "superseded":
        assert since in found.why


def test_every_standing_has_a_place_in_the_report() -> None:
    words = {"confirmed", "partly", "contradicted", "superseded", "disputed", "documentary", "unverified"}
    assert set(ORDER) == words


# reports


def test_totals_count_rulings_claims_and_scenarios() -> None:
    found = totals(
        [Standing("a", "confirmed", (ClaimVerdict("c1", "confirmed"),), ()), Standing("b", "unverified", (), ())],
        [outcome(), outcome("failed")],
    )
    assert found["rulings"] == 2
    assert found["standings"] == {"confirmed": 1, "unverified": 1}
    assert found["claims"] == {"confirmed": 1}
    assert found["scenario_verdicts"] == {"confirmed": 1, "failed": 1}


def test_a_change_since_the_register_is_told_and_no_register_means_no_change(tmp_path: pytest.TempPathFactory) -> None:
    now = [Standing("a", "confirmed", (), ()), Standing("b", "partly", (), ()), Standing("c", "partly", (), ())]
    found = [(c.ruling, c.before, c.now) for c in changes(now, {"a": "confirmed", "b": "confirmed"})]
    assert found == [("b", "confirmed", "partly"), ("c", "not listed", "partly")]
    assert changes(now, {}) == []
    assert register(tmp_path / "none.md") == {}  # type: ignore[operator]


def test_the_register_is_read_from_its_table(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "coverage.md"  # type: ignore[operator]
    path.write_text(
        "# Coverage\n| ruling | standing |\n| `a-b` | confirmed | x |\n| `c` | partly | y |\n", encoding="utf-8"
    )
    assert register(path) == {"a-b": "confirmed", "c": "partly"}


def test_a_rule_number_is_told_with_its_document() -> None:
    assert qualified("431.2.c") == "core-1.4:431.2.c"
    assert qualified("tournament-2026-07:408.2") == "tournament-2026-07:408.2"


def test_an_outcome_survives_being_stored() -> None:
    first = Outcome(
        "a",
        "b",
        "",
        "confirmed",
        {"c1": "confirmed"},
        ("p",),
        1.5,
        ("431",),
        ("core-1.4:431",),
        ("431.2",),
        {"x": "y"},
        "t",
    )
    assert restored(plain(first)) == first


def test_outcomes_are_grouped_by_their_ruling_and_those_without_are_left_out() -> None:
    alone = Outcome("core-1.4/431/x", "", "core-1.4:431", "confirmed", {}, (), 1.0, (), ())
    assert by_ruling([outcome(), alone, outcome(name="rulings/two")]) == {
        "made-up": [outcome(), outcome(name="rulings/two")]
    }


def test_every_claim_that_a_scenario_names_is_one_of_its_ruling() -> None:
    from kb.scenarios.model import load_scenario
    from kb.verify.suite import scenario_paths, scenario_root

    rulings = load_rulings()
    wrong = []
    for path in scenario_paths(["rulings/"]):
        scenario = load_scenario(path, scenario_root())
        if scenario.ruling not in rulings:
            wrong.append(f"{scenario.id}: no ruling {scenario.ruling!r}")
            continue
        known = {c.id for c in rulings[scenario.ruling].claims}
        wrong += [f"{scenario.id}: no claim {c}" for t in scenario.then for c in t.claims if c not in known]
    assert wrong == []
