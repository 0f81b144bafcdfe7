"""Every page and every kind of reply, as Streamlit runs them."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

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
        ({"page": "try", "scenario": "nope"}, "There is no position"),
        ({"page": "try", "scenario": "rulings/does-not-exist"}, "There is no position"),
        ({"page": "try", "scenario": "a\0b"}, "There is no position"),
        ({"page": "desk", "part": "scenario", "id": "nope"}, "There is no position"),
        ({"page": "desk", "part": "scenario", "id": "a\0b"}, "There is no position"),
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


def test_the_desk_says_where_there_is_no_register(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    from kb.verify import report

    monkeypatch.setattr(report, "register", dict)
    said = shown(at(page="desk"))
    assert "There is no committed register (docs/coverage.md) beside this data" in said
    assert "Every standing is the one in the committed register." not in said


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


def type_a_card(page: AppTest, said: str) -> None:
    """Type a name that is not offered, which the tester's own list of options has to know."""
    page.selectbox(key="add_card").options.append(said)
    page.selectbox(key="add_card").set_value(said).run()
    page.selectbox(key="add_card").options.append(said)


@pytest.mark.parametrize(
    ("typed", "sentence", "added"),
    [
        ("Vi, Piltover Enforcer", "Vi, Piltover Enforcer is a card, but our engine does not play it yet.", False),
        ("Qqqqq Zzzzz", "There is no card &#x27;Qqqqq Zzzzz&#x27;.", False),
        ("zhonyas", "Read as Zhonya&#x27;s Hourglass.", True),
    ],
)
def test_a_card_that_is_not_offered_gets_a_sentence(at: At, typed: str, sentence: str, added: bool) -> None:
    page = at(page="try")
    type_a_card(page, typed)
    assert not page.exception and sentence in shown(page)
    assert page.button(key="add").disabled is not added


def test_a_name_that_comes_near_is_taken(at: At) -> None:
    page = at(page="try")
    type_a_card(page, "Teemo")
    press(page, "Teemo, Scout")
    assert page.selectbox(key="add_card").value == "Teemo, Scout" and not page.button(key="add").disabled


@pytest.mark.parametrize(
    ("text", "sentence", "line"),
    [
        ("{given: 5}", "&#x27;given&#x27; must be a mapping", "{given: 5}"),
        ("given: [1, 2]", "&#x27;given&#x27; must be a mapping", "given: [1, 2]"),
        ("given: {A: {base: [Recruit]}}\nwhen: 5", "&#x27;when&#x27; is no part of a position", "when: 5"),
        (
            "given: {A: {base: [Recruit]}}\nwhen: [{A does: nonsense}]",
            "&#x27;when&#x27; is no part of a position",
            "when: [{A does: nonsense}]",
        ),
        ("given: {}\ncards: 5", "&#x27;cards&#x27; must be a mapping", "cards: 5"),
        ("turn: A\nA: {hand: [No Such Card]}", "No Such Card", "A: {hand: [No Such Card]}"),
        ("turn: A\nA: {hand: [Defy\n", "Line 2: not valid YAML", "A: {hand: [Defy"),
    ],
)
def test_a_position_that_is_written_wrong_gets_a_sentence(at: At, text: str, sentence: str, line: str) -> None:
    page = at(page="try")
    page.text_area(key="given_yaml").set_value(text).run()
    press(page, "Play this")
    said = shown(page)
    assert not page.exception and sentence in said and "trial" not in page.session_state
    marked = said.partition('class="wrong">')[2].partition("</span>")[0]
    assert marked.startswith("▶") and marked.strip().endswith(line)
    assert page.text_area(key="given_yaml").value == text
    page.text_area(key="given_yaml").set_value("turn: A\nA: {hand: [Defy], runes: 4}").run()
    assert 'class="wrong"' not in shown(page)
    press(page, "Play this")
    assert not page.exception and page.session_state["trial"].given["A"]["runes"] == 4


def test_what_an_address_lacks_is_said_until_another_position_is_played(at: At) -> None:
    page = at(page="try", scenario="nope")
    page.selectbox(key="add_card").set_value("Recruit").run()
    assert "There is no position" in shown(page)
    press(page, "Play from here")
    assert "There is no position" not in shown(page) and page.session_state["trial"] is not None


def test_no_field_has_a_value_of_its_own_besides_the_kept_one(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit complains of a field that is made with a value and also given one."""
    from streamlit.elements.lib import policies

    both: list[str] = []

    def watched(key: str | None, default_value: object, *args: object, **more: object) -> None:
        kept = policies.get_session_state()
        if key is not None and default_value is not None and kept.is_new_state_value(key):
            both.append(key)

    monkeypatch.setattr(policies, "check_session_state_rules", watched)
    page = at(page="try")
    page.selectbox(key="add_card").set_value("Recruit").run()
    press(page, "Add to the board")
    assert not page.exception and not both


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


def ways(page: AppTest) -> list[str]:
    """Where "Try it yourself" leads, and what "Copy link" copies."""
    return re.findall(r'(?:href|data-copy-link)="(\?(?:page=try&amp;|scenario=)[^"]*)"', shown(page))


def test_a_position_that_ran_in_the_editor_is_tried_and_linked(at: At) -> None:
    name = "rulings/burn-out-who-scores"
    page = at(page="desk", part="scenario", id=name)
    press(page, "Run it")
    assert ways(page) == [f"?page=try&amp;scenario={quote(name, safe='')}", f"?scenario={quote(name, safe='')}"]
    page.text_area[0].set_value(str(page.text_area[0].value).replace("points: 3", "points: 5")).run()
    press(page, "Run it")
    trying, copied = ways(page)
    assert trying == copied and trying.startswith("?page=try&amp;at=")
    tried = at(page="try", at=trying.partition("at=")[2])
    assert not tried.exception and tried.session_state["trial"].given["A"]["points"] == 5


def test_a_position_that_no_link_can_carry_has_none(at: At) -> None:
    page = at(page="desk", part="scenario")
    page.text_area[0].set_value(str(page.text_area[0].value).replace("runes: 2", "runes: 2, xp: 500")).run()
    press(page, "Run it")
    assert "data-replay" in shown(page) and ways(page) == []


def test_numbers_that_no_changed_rule_has_get_a_sentence(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    from kb.app import workbench
    from kb.changes import Changes
    from kb.impact import Impact

    monkeypatch.setattr(workbench, "comparable_editions", lambda stamp: {"core": ["core-1.3", "core-1.4"]})
    none = Changes("core-1.3", "core-1.4", ("official", "official"), "numbers", ())
    monkeypatch.setattr(workbench, "compared", lambda *names: (none, Impact(none, [], [], [], [], {})))
    page = at(page="desk", part="editions")
    page.text_input(key="changed_rule").set_value("zzz").run()
    said = shown(page)
    assert not page.exception and "begins with &#x27;zzz&#x27;" in said and "Changes" not in said


def test_fields_of_coverage_are_shaded_by_the_share_they_name(at: At) -> None:
    said = shown(at(page="desk", part="coverage"))
    fields = re.findall(r'style="--share:(\d+)%"[^>]*><b>\d{3}</b><span>(\d+) of (\d+)', said)
    assert len({share for share, _, _ in fields}) > 5
    assert all(int(share) == round(100 * int(count) / int(all_)) for share, count, all_ in fields)


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
