"""Every page and every kind of reply, as Streamlit runs them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import shown

At = Callable[..., AppTest]
ADDRESSES = [
    {},
    {"q": "I ran out of cards, do I get the point?"},
    {"q": "what is the capital of France"},
    {"q": "431.2.c"},
    {"q": "Zhonya's Hourglass"},
    {"q": "zz"},
    {"rule": "431"},
    {"rule": "core-1.4:431.2.c"},
    {"rule": "tournament-2026-07:408"},
    {"ruling": "burn-out-who-scores"},
    {"card": "Defy"},
    {"scenario": "rulings/burn-out-who-scores"},
    {"page": "rules"},
    {"page": "try"},
    {"page": "desk"},
    {"page": "desk", "standing": "contradicted"},
    {"page": "desk", "part": "scenario", "id": "rulings/burn-out-who-scores"},
    {"page": "desk", "part": "coverage"},
    {"page": "desk", "part": "editions"},
    {"page": "desk", "part": "lint"},
    {"page": "desk", "part": "feedback"},
    {"page": "try", "scenario": "rulings/burn-out-who-scores"},
    {"page": "try", "at": "damaged"},
    {"page": "import"},
]


@pytest.mark.parametrize("address", ADDRESSES, ids=str)
def test_a_page_stands_and_tells_its_edition(at: At, address: dict[str, str]) -> None:
    page = at(**address)
    assert not page.exception and not page.error
    assert "Core Rules 1.4, rules of 2026-07-16" in shown(page)
    assert "not endorsed by the publisher" in shown(page)


def test_a_rule_has_its_parents_children_and_rulings(at: At) -> None:
    said = shown(at(rule="431.2"))
    assert "?rule=core-1.4%3A431&quot;" in said.replace('"', "&quot;") and "431.2.c" in said
    assert "ruling=burn-out-who-scores" in said


def test_an_answer_contradicting_what_people_said_shows_both(at: At) -> None:
    said = shown(at(ruling="burn-out-who-scores"))
    assert "An opponent" in said and "What people said" in said
    assert "scenario=rulings%2Fburn-out-who-scores" in said


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ({"rule": "999"}, "Core Rules 1.4 has no rule 999."),
        ({"rule": "466.1.a.9"}, "?rule=core-1.4%3A466.1.a.2"),
        ({"rule": "tournament-2026-07:408.9"}, "Tournament Rules 2026-07 has no rule 408.9."),
        ({"q": "999.9"}, "Core Rules 1.4 has no rule 999.9."),
        ({"rule": "no-such"}, "is not a rule number"),
        ({"rule": "x" * 5000}, "is not a rule number"),
        ({"ruling": "no-such-ruling"}, "There is no ruling named"),
        ({"ruling": "burn-out-who-score"}, ">Who gains the point when a player burns out</a>"),
        ({"card": "Qqqqq Zzzzz"}, "There is no card named"),
        ({"scenario": "no/such"}, "There is no position"),
        ({"scenario": "../../etc/passwd"}, "There is no position"),
        ({"page": "nowhere"}, "There is no page"),
    ],
    ids=str,
)
def test_a_bad_address_gets_a_sentence(at: At, address: dict[str, str], sentence: str) -> None:
    page = at(**address)
    assert not page.exception
    assert sentence in shown(page)


@pytest.mark.parametrize("key", ["q", "rule", "ruling", "card", "scenario", "page"])
def test_nothing_of_an_address_is_markup(at: At, key: str) -> None:
    page = at(**{key: "<script>alert(1)</script><img src=x onerror=alert(2)>"})
    assert not page.exception
    assert "<script>" not in shown(page) and "<img" not in shown(page)


@pytest.mark.parametrize(
    ("word", "number"), [("tank", "815"), ("Showdown", "341"), ("Stun?", "423"), ("burn out", "431")]
)
def test_a_heading_opens_its_section(at: At, word: str, number: str) -> None:
    said = shown(at(q=word))
    assert f'class="number">{number}</h1>' in said
    assert "The whole section" in said or "In this part" in said


@pytest.mark.parametrize("word", ["Battlefields", "overview"])
def test_a_heading_of_several_sections_opens_none_of_them(full_store: None, word: str) -> None:
    from kb.app import asking

    assert asking.direct(word) is None


def test_a_question_about_one_card_shows_the_card(at: At) -> None:
    page = at(q="what does baron nashor do")
    assert "Other friendly units have +2 Might." in shown(page)
    assert "No answer" not in shown(page)


def test_the_box_answers_and_sets_the_address(at: At) -> None:
    page = at()
    page.text_input(key="box").set_value("431.2.c").run()
    assert not page.exception
    assert page.query_params["q"] in ("431.2.c", ["431.2.c"])
    assert "opponent" in shown(page)


def test_a_very_long_question_is_answered_or_refused(at: At) -> None:
    page = at(q="may I draw a card " * 5000)
    assert not page.exception


def test_a_position_is_tried_and_undone(at: At) -> None:
    page = at(page="try", scenario="rulings/blind-fury-into-time-warp")
    assert "data-svg" in shown(page)
    next(button for button in page.button if button.label == "Move to Field 1").click().run()
    next(button for button in page.button if button.label == "Mech").click().run()
    assert not page.exception and "Combat: A attacks" in shown(page)
    next(button for button in page.button if button.label == "Undo").click().run()
    assert not page.exception and "A chooses the units that move to Field 1" in shown(page)


def test_a_board_is_made_from_the_form(at: At) -> None:
    page = at(page="try")
    page.selectbox(key="add_card").set_value("Recruit").run()
    page.number_input(key="add_count").set_value(3).run()
    press(page, "Add to the board")
    page.selectbox(key="add_card").set_value("Defy").run()
    press(page, "Add to the board")
    assert "Defy is a spell: put it in a hand." in shown(page)
    press(page, "✕ 3 x Recruit · A · Base")
    press(page, "Play from here")
    assert not page.exception and "data-svg" in shown(page)
    press(page, "Move to Field 1")
    assert list(page.multiselect[0].options) == ["1. Recruit", "2. Recruit 2"]


def test_gear_is_attached_and_the_next_card_is_a_plain_one_again(at: At) -> None:
    page = at(page="try")
    page.selectbox(key="add_card").set_value("Mech").run()
    page.number_input(key="add_damage").set_value(1).run()
    page.number_input(key="add_count").set_value(2).run()
    press(page, "Add to the board")
    assert page.number_input(key="add_damage").value == 0 and page.number_input(key="add_count").value == 1
    page.selectbox(key="add_card").set_value("Guardian Angel").run()
    page.selectbox(key="add_on").select_index(0).run()
    press(page, "Attach it")
    listed = [button.label for button in page.button if button.label.startswith("✕ ")]
    assert not page.exception
    assert "✕ Mech · A · Base · 1 damage · with Guardian Angel" in listed and "✕ Mech · A · Base · 1 damage" in listed


def press(page: AppTest, label: str) -> None:
    """Press the button with this label."""
    next(button for button in page.button if button.label == label).click().run()


def test_a_second_click_on_an_answered_question_does_nothing(at: At) -> None:
    page = at(page="try", scenario="rulings/blind-fury-into-time-warp")
    press(page, "Move to Field 1")
    current = page.session_state["trial"]
    before = list(current.run.log)
    script = AppTest.from_function(_click_twice)
    script.session_state["trial"] = current
    script.run()
    assert not script.exception and current.run.log == before


def _click_twice() -> None:
    from kb.app.pages.trying import choose

    choose(0, [0])


def test_a_scenario_is_run_in_the_editor(at: At) -> None:
    page = at(page="desk", part="scenario")
    next(button for button in page.button if button.label == "Run it").click().run()
    assert not page.exception and "data-replay" in shown(page)
    page.text_area[0].set_value("title: x\ngiven: {}\nthen:\n  - assert: {pionts: {A: 0}}\n").run()
    next(button for button in page.button if button.label == "Run it").click().run()
    assert not page.exception and 'class="wrong"' in shown(page)


def test_an_opinion_is_kept(at: At) -> None:
    from kb import feedback

    page = at(q="I ran out of cards, do I get the point?")
    page.button_group[0].set_value("wrong")
    page.text_input[1].set_value("<b>bold</b>")
    next(button for button in page.button if button.label == "Keep it").click().run()
    assert not page.exception and "Kept on this machine" in shown(page)
    assert feedback.given()[0].opinion == "wrong"
    assert "<b>bold</b>" not in shown(at(page="desk", part="feedback"))


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("core-rules-1.4.txt", b"", "empty"),
        ("core-rules-1.4.pdf", b"%PDF-1.4\n%%EOF\n", ""),
        ("notes.txt", b"no rules at all", "Say above which document it is"),
        ("core-rules-1.4.txt", b"\xff\xfe\x00\x01" * 10, ""),
        ("../../etc/core-rules-1.4.txt", b"431. Burn Out\n431. Burn Out\n", ""),
        ("core-rules-1.4.txt", b"x" * 50_000_000, "50 MB"),
    ],
)
def test_a_bad_document_gets_a_sentence(name: str, content: bytes, sentence: str) -> None:
    from kb.app.pages.importing import taken

    made = taken(name, content, "", keeping=False)
    assert made["error"] and sentence in made["error"] and "/tmp" not in made["error"]
