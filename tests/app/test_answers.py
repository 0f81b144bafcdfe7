"""An answer and the standing beside it: that of the ruling that answers, never of one that is only near."""

from __future__ import annotations

from typing import Any

import pytest

from kb.app.views.answer import answer_page

RULING: dict[str, Any] = {
    "id": "a-ruling",
    "title": "A ruling with a title",
    "standing": "partly",
    "scenarios": ["rulings/a-ruling"],
    "claims": [{"id": "c1", "says": "A detail that does not hold.", "verdict": "contradicted", "rules": []}],
    "review": {"claims": {"c1": {"why": "It is otherwise."}}},
}
REPLY: dict[str, Any] = {
    "status": "answer",
    "verdict": "yes",
    "answer": "The cards in a Trash are Public Information.",
    "rulings": [
        {"id": "a-ruling", "differs": True, "said": {"verdict": "no", "answer": "People say so."}, "origin": []}
    ],
    "readings": [],
    "notes": [],
}


def test_a_ruling_that_answers_lends_its_standing_and_its_replay() -> None:
    said = str(answer_page("may I look?", REPLY | {"source": "ruling"}, [], [RULING]))
    assert "The answer holds, details do not" in said and "A detail that does not hold." in said
    assert "What people said" in said and "Replay" in said and "The rulings behind it" in said


def test_a_ruling_that_is_only_near_lends_nothing() -> None:
    said = str(answer_page("may I look?", REPLY | {"source": "rule"}, [], [RULING]))
    assert "From the documents" in said and "A ruling on something near" in said and "A ruling with a title" in said
    for other in ("details do not", "A detail that does not hold.", "What people said", "Replay", "behind it"):
        assert other not in said


def test_a_change_of_edition_is_told_once_and_as_a_sentence() -> None:
    changed = "core-1.3:481.5 -> core-1.4:486.5.a: every battlefield was out; now only after a win (c9, c10)"
    notes = [f"It was right under an earlier edition: {changed}"]
    told = REPLY | {"source": "ruling", "notes": notes}
    told["rulings"] = [REPLY["rulings"][0] | {"changed": changed}]
    alone = told | {"rulings": [told["rulings"][0] | {"differs": False}]}
    for reply in (told, alone):
        said = str(answer_page("may I?", reply, [], [RULING]))
        assert said.count("very battlefield was out") == 1 and "(c9" not in said and "-&gt;" not in said


@pytest.mark.parametrize(
    ("question", "source"),
    [("I ran out of cards, do I get the point?", "ruling"), ("can I look at my trash?", "rule")],
)
def test_a_reply_tells_what_answers(full_store: None, question: str, source: str) -> None:
    from kb.app import asking

    assert asking.ask(question)["source"] == source


def test_the_cards_of_a_question_are_a_press_away(full_store: None) -> None:
    from kb.app import asking
    from kb.app.views.answer import cards_named

    names = asking.ask("does Yasuo come back with Ride the Wind?")["cards"]
    assert names[0] == "Ride the Wind" and {"Yasuo, Windrider", "Yasuo, Remorseful"} <= set(names)
    assert "?card=Ride+the+Wind" in str(cards_named(names)) and cards_named([]) is None


def test_what_the_cards_of_a_question_say_stands_under_its_answer(full_store: None) -> None:
    from kb.app import asking
    from kb.app.views.answer import cards_named

    reply = asking.ask("can i defy a spell that costs 4 energy and 1 power?")
    assert [one["name"] for one in reply["card_texts"]] == ["Defy"]
    shown = str(cards_named(reply["cards"], reply["card_texts"]))
    assert shown.count("?card=Defy") == 1
    assert "The cards, as our engine reads them" in shown and "4" in reply["card_texts"][0]["says"]
    assert "Card: " not in shown


def test_the_sentence_that_several_rules_go_on_from_is_shown_once(full_store: None) -> None:
    from kb.app import records, shop

    con = shop.reading()
    steps = records.rules(con, ["core-1.4:323.1", "core-1.4:323.2", "core-1.4:323.3"])
    said = str(answer_page("steps?", REPLY | {"source": "rule", "rulings": []}, steps, []))
    assert said.count('class="before"') == 1
