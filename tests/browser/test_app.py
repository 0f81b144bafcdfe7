"""The app as a person uses it, on a phone and at a desk."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect

from tests.browser.conftest import CHROMIUM, FLAGS, PATIENCE

Look = Callable[[str], None]
BOX = ".st-key-box input"
QUESTION = "I ran out of cards, do I get the point?"


def opened(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#root .kb .foot")
    page.wait_for_selector("#first", state="detached")
    page.wait_for_function("window.kbClient")


def press(page: Page, name: str, then: str) -> None:
    """Press a button once the page stands still, and again where the press fell into a redraw, as a person would."""
    for _ in range(6):
        page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
        button = page.get_by_role("button", name=name, exact=True)
        if button.count():
            button.first.click()
        try:
            page.wait_for_selector(then, timeout=20_000)
            return
        except TimeoutError:
            continue
    raise AssertionError(f"pressing {name} does not lead to {then}")


def test_ask_open_a_rule_and_go_back(page: Page, server: str, look: Look) -> None:
    opened(page, server)
    expect(page.locator(BOX)).to_be_focused()
    look("home")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    assert page.locator(".verdict").first.inner_text() == "No"
    expect(page.locator(".people").first).to_contain_text("What people said")
    page.wait_for_url("**/?q=*")
    page.locator("details.quoted summary").first.click()
    page.locator("details.quoted[open] a.act").first.click()
    page.wait_for_selector("h1.number")
    assert "rule=core-1.4" in page.url
    look("rule")
    page.go_back()
    page.wait_for_selector(".verdict")
    assert page.locator(BOX).input_value() == QUESTION
    look("answer")
    page.go_back()
    page.wait_for_selector(".examples")
    assert page.locator(BOX).input_value() == ""


def test_answers_come_while_typing_a_number_or_a_card(page: Page, server: str, look: Look) -> None:
    opened(page, server)
    page.locator(BOX).press_sequentially("431.2.c")
    page.wait_for_selector("h1.number")
    page.locator(BOX).fill("Defy")
    page.wait_for_selector("h1.title:has-text('Defy')")
    look("card")


@pytest.mark.parametrize(
    ("name", "query", "sign"),
    [
        ("ruling", "ruling=burn-out-who-scores", ".claims"),
        ("abstention", "q=what+is+the+price+of+a+booster", ".verdict.none"),
        ("rules", "page=rules", "details.chapter"),
        ("section", "rule=466", ".whole"),
        ("desk", "page=desk", ".pill"),
        ("coverage", "page=desk&part=coverage", ".heat"),
        ("lint", "page=desk&part=lint", "h2"),
        ("missing-rule", "rule=999", ".note.bad"),
    ],
)
def test_pages_stand(page: Page, server: str, look: Look, name: str, query: str, sign: str) -> None:
    opened(page, f"{server}?{query}")
    page.wait_for_selector(sign)
    look(name)


def test_a_position_is_replayed_to_its_end(page: Page, server: str, look: Look) -> None:
    opened(page, f"{server}?scenario=rulings/blind-fury-into-time-warp")
    page.wait_for_selector(".replay[data-at] svg")
    look("replay")
    last = int(page.locator(".where").inner_text().split("/")[1])
    for _ in range(last - 1):
        page.keyboard.press("ArrowRight")
    assert page.locator(".where").inner_text() == f"{last} / {last}"
    expect(page.get_by_role("button", name="Step on")).to_be_disabled()
    look("replay-end")
    narrow = (page.viewport_size or {"width": 0})["width"] < 720
    assert page.locator(".controls .now").is_visible() == narrow, "on a phone the bar says what was done"
    assert page.locator(".controls .now").text_content() == page.locator(".side .did").text_content()
    page.get_by_role("button", name="Step back").click()
    assert page.locator(".where").inner_text() == f"{last - 1} / {last}"
    page.get_by_role("button", name="What if 1").click()
    assert page.locator(".replay").get_attribute("data-variant") == "1"
    expect(page.locator(".whatif").first).to_contain_text("What if ")
    assert page.locator(".board svg").count() == 1
    page.locator(".cites a").first.click()
    page.wait_for_selector("h1.number")


def test_a_position_is_tried(page: Page, server: str, look: Look) -> None:
    opened(page, f"{server}?page=try&scenario=rulings/blind-fury-into-time-warp")
    page.wait_for_selector(".board svg")
    look("try")
    press(page, "Move to Field 1", "text=A chooses the units that move")
    press(page, "Mech", "text=Combat: A attacks")
    look("try-combat")
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    expect(page.locator("[data-stale=true]")).to_have_count(0)  # the link stands below the board and comes after it
    link = page.locator("[data-copy-link]").last.get_attribute("data-copy-link")
    press(page, "Undo", "text=A chooses the units that move")
    assert link is not None
    opened(page, f"{server}{link}")
    page.wait_for_selector("text=Combat: A attacks")
    press(page, "Another position", "text=Put cards on a board")
    look("try-form")


def test_a_broken_scenario_marks_its_line(page: Page, server: str, look: Look) -> None:
    opened(page, f"{server}?page=desk&part=scenario")
    field = page.locator("textarea").first
    field.fill("title: x\ngiven:\n  A: {hand: [No Such Card]}\nthen:\n  - assert: {points: {A: 0}}\n")
    page.keyboard.press("Control+Enter")
    press(page, "Run it", "pre .wrong")
    expect(page.locator("pre .wrong")).to_contain_text("No Such Card")
    look("editor-error")


def test_a_card_that_is_not_offered_gets_a_sentence(page: Page, server: str, look: Look) -> None:
    opened(page, f"{server}?page=try")
    field = page.locator(".st-key-add_card input")
    field.fill("Vi, Piltover Enforcer")
    page.keyboard.press("Enter")
    expect(page.locator(".note.bad")).to_have_text(
        "Vi, Piltover Enforcer is a card, but our engine does not play it yet."
    )
    field.fill("Teemo")
    page.keyboard.press("Enter")
    expect(page.locator(".note.bad")).to_have_text("'Teemo' can mean 2 cards:")
    look("try-card")
    press(page, "Teemo, Scout", ".st-key-add_state")
    expect(field).to_have_value("Teemo, Scout")
    expect(page.locator(".note.bad")).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "query", "parts"), [("answer-folded", f"q={QUESTION}", 1), ("try-folded", "page=try", 3)]
)
def test_what_is_folded_away_has_controls_of_a_fingers_size(
    page: Page, server: str, look: Look, name: str, query: str, parts: int
) -> None:
    opened(page, f"{server}?{query}")
    folded = page.locator('[data-testid="stExpander"] summary')
    expect(folded).to_have_count(parts)
    look(name)
    for one in folded.all():
        one.click()
    expect(page.locator('[data-testid="stExpander"] details[open]')).to_have_count(parts)
    look(f"{name}-open")


def test_a_document_is_imported_and_bad_files_get_a_sentence(
    page: Page, server: str, look: Look, tmp_path: Path
) -> None:
    good = tmp_path / "core-rules-1.4.tsv"
    good.write_text("431\tBurn Out\n431.1\tAn example sentence that stands for the wording.\n", encoding="utf-8")
    bad = tmp_path / "core-rules-1.4.pdf"
    bad.write_bytes(b"%PDF-1.4\n%%EOF\n")
    opened(page, f"{server}?page=import")
    page.locator("input[type=file]").set_input_files(bad)
    page.wait_for_selector(f".arrived:has-text('{bad.name}')")
    page.wait_for_selector(".note.bad")
    look("import-bad")
    page.locator("input[type=file]").set_input_files(good)
    page.wait_for_selector(f".arrived:has-text('{good.name}')")
    page.wait_for_selector(".note.good")
    expect(page.locator(".note.bad")).to_have_count(0)
    look("import")


def test_a_file_that_is_too_large_gets_a_sentence(page: Page, server: str, tmp_path: Path) -> None:
    large = tmp_path / "core-rules-1.4.txt"
    large.write_bytes(b"431. Burn Out\n" * 2_000_000)
    opened(page, f"{server}?page=import")
    page.locator("input[type=file]").set_input_files(large)
    said = page.locator('[data-testid="stFileChip"] [role="alert"]')
    expect(said).to_contain_text("25.0MB or smaller")
    box = said.bounding_box()
    assert box is not None and box["width"] > 100 and box["height"] > 10


def test_a_file_that_is_replaced_takes_its_report_along(page: Page, server: str, tmp_path: Path) -> None:
    field, arrived = page.locator("input[type=file]"), page.locator(".arrived")
    texts = {"one": "no rules at all", "two": "431. Burn Out\n431.1. Words that stand for the rule.\n"}
    for folder, text in texts.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "core-rules-1.4.txt").write_text(text, encoding="utf-8")
    opened(page, f"{server}?page=import")
    field.set_input_files(tmp_path / "one" / "core-rules-1.4.txt")
    expect(arrived).to_contain_text(f"{len(texts['one'])} bytes")
    field.set_input_files(tmp_path / "two" / "core-rules-1.4.txt")
    expect(arrived).to_contain_text(f"{len(texts['two'])} bytes")
    expect(page.locator(".note.good")).to_contain_text("core-rules-1.4.txt")
    expect(page.locator(".note.bad")).to_have_count(0)


def test_back_during_an_answer_leads_back(page: Page, server: str) -> None:
    opened(page, server)
    for number in range(4):  # each question is a new one, so that none is answered before "back" is pressed
        question = f"may a stunned unit be moved by its owner in turn {number}?"
        page.locator(BOX).fill(question)
        page.keyboard.press("Enter")
        page.wait_for_url("**/?q=*")
        page.go_back()
        page.wait_for_selector(".examples")
        expect(page.locator(BOX)).to_have_value("")
        expect(page.locator(".answer")).to_have_count(0)
        page.go_forward()
        page.wait_for_selector(".question")
        expect(page.locator(BOX)).to_have_value(question, timeout=15_000)
        page.go_back()
        page.wait_for_selector(".examples")


def test_typing_goes_on_while_an_answer_is_loading(page: Page, server: str) -> None:
    opened(page, server)
    page.locator(BOX).press_sequentially("431")
    page.wait_for_url("**/?q=431")
    page.locator(BOX).press_sequentially(".2")
    page.locator(BOX).press_sequentially(".c")
    expect(page.locator("h1.number")).to_have_text("431.2.c")
    expect(page.locator(BOX)).to_have_value("431.2.c")
    page.go_back()
    page.wait_for_selector(".examples")


def test_a_double_click_answers_once(page: Page, server: str) -> None:
    opened(page, f"{server}?page=try&scenario=rulings/blind-fury-into-time-warp")
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.get_by_role("button", name="End turn").dblclick()
    page.wait_for_selector("h2:has-text('B may act')")
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.get_by_role("button", name="Undo").dblclick()
    page.wait_for_selector("h2:has-text('A may act')")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert page.locator(".note.bad").count() == 0


def test_the_same_card_is_put_on_a_board_several_times(page: Page, server: str, look: Look) -> None:
    opened(page, f"{server}?page=try")
    page.locator(".st-key-add_card input").fill("Recruit")
    page.keyboard.press("Enter")
    page.locator(".st-key-add_count input").fill("3")
    page.keyboard.press("Enter")
    add = page.get_by_role("button", name="Add to the board")
    expect(add).to_be_enabled()
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    add.click()
    expect(page.get_by_role("button", name="3 x Recruit")).to_be_visible()
    expect(page.locator(".board svg text:has-text('Recruit 3')")).to_have_count(1)
    look("try-board")
    press(page, "Play from here", "button:has-text('Move to Field 1')")
    press(page, "Move to Field 1", "h2:has-text('the units that move to Field 1')")


def test_pictures_keep_their_room(page: Page, server: str) -> None:
    """A picture is as tall before it is drawn as after, so that no button moves under a finger."""
    page.add_init_script(
        "new MutationObserver(() => document.querySelectorAll('.board[data-svg]').forEach(one => "
        "{ window.before = one.getBoundingClientRect().height; })).observe(document, {childList: true, subtree: true})"
    )
    opened(page, f"{server}?page=try&scenario=rulings/blind-fury-into-time-warp")
    page.wait_for_selector(".board svg")
    after = page.evaluate("document.querySelector('.board').getBoundingClientRect().height")
    assert abs(page.evaluate("window.before") - after) < 2


def test_nothing_typed_is_executed(page: Page, server: str) -> None:
    opened(page, server)
    page.locator(BOX).fill("<script>window.hurt=1</script><img src=x onerror='window.hurt=1'> does this count?")
    page.keyboard.press("Enter")
    page.wait_for_selector(".question")
    page.wait_for_selector(".kb .foot")
    assert page.locator(".kb img, .kb script").count() == 0
    assert page.evaluate("window.hurt") is None


def test_citations_are_offered_as_text_where_there_is_no_clipboard(page: Page, server: str) -> None:
    opened(page, f"{server}?rule=431.2.c")
    page.evaluate("Object.defineProperty(window, 'isSecureContext', {value: false})")
    page.get_by_role("button", name="Copy citation").first.click()
    said = "Core Rules 1.4, 431.2.c (restated): They choose an opponent, who gains 1 point."
    expect(page.locator("textarea.copied")).to_have_value(said)


def test_a_link_is_offered_over_plain_http_from_another_machine(browser: Browser, server: str) -> None:
    """A page that is neither https nor this machine has no clipboard; the name stands for another machine's view."""
    port = server.rstrip("/").rpartition(":")[2]
    flags = [*FLAGS, "--host-resolver-rules=MAP judge.test 127.0.0.1"]
    other = browser.browser_type.launch(executable_path=CHROMIUM, args=flags)
    one = other.new_page()
    one.set_default_timeout(PATIENCE)
    opened(one, f"http://judge.test:{port}/?ruling=burn-out-who-scores")
    assert not one.evaluate("isSecureContext")
    one.get_by_role("button", name="Copy link").first.click()
    expect(one.locator("textarea.copied")).to_have_value(f"http://judge.test:{port}/?ruling=burn-out-who-scores")
    assert one.evaluate("document.activeElement.selectionEnd - document.activeElement.selectionStart") > 40
    other.close()


def test_contrast_and_names_of_controls(page: Page, server: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for query in ("", f"q={QUESTION}", "rule=431", "ruling=burn-out-who-scores", "page=try", "page=desk",
                  "page=desk&part=coverage", "page=rules", "page=import", "card=Defy",
                  "scenario=rulings/blind-fury-into-time-warp"):  # fmt: skip
        opened(page, f"{server}?{query}")
        expect(page.locator(".kb [data-svg], .kb [data-replay]")).to_have_count(0)
        found = axe.run(page, context=".kb", options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa"]})
        said = [(one["id"], [node["html"][:90] for node in one["nodes"][:3]]) for one in found.response["violations"]]
        assert not said, f"{query}: {said}"


def test_twenty_pages_at_once(browser: Browser, server: str) -> None:
    questions = [
        QUESTION, "does my attacker go home if a stunned defender lives?", "can I play a spell from hidden this turn?",
        "what does Defy counter?", "rule 466",
    ]  # fmt: skip
    warm = browser.new_page()
    opened(warm, f"{server}?q=may+I+attack+with+a+stunned+unit")
    context = browser.new_context()
    context.set_default_timeout(240_000)  # a bound that ends the test, not a claim about speed
    pages = [context.new_page() for _ in range(20)]
    started = time.monotonic()
    for number, one in enumerate(pages):
        one.goto(f"{server}?q={questions[number % 5]} {'' if number < 5 else number}", wait_until="commit")
    for one in pages:
        one.wait_for_selector("#root .kb .foot")
        assert one.locator('[data-testid="stException"]').count() == 0
        assert one.locator(".kb .sheet").count() >= 1
    print(f"twenty pages: {time.monotonic() - started:.1f} s")
    context.close()
    warm.close()


def test_a_second_question_is_answered_on_the_same_page(browser: Browser, server: str) -> None:
    context = browser.new_context()
    context.set_default_timeout(120_000)
    one = context.new_page()
    started = time.monotonic()
    opened(one, f"{server}?q={QUESTION}")
    one.wait_for_selector(".verdict")
    first = time.monotonic() - started
    box = one.locator(BOX)
    box.fill("does a countered spell still draw from the Dreaming Tree?")
    started = time.monotonic()
    box.press("Enter")
    one.wait_for_selector(".question:has-text('countered')")
    warm = time.monotonic() - started
    print(f"first {first:.2f} s, warm {warm:.2f} s")
    assert one.locator('[data-testid="stException"]').count() == 0
    context.close()


def test_an_answer_stands_before_the_app_and_without_any_script(browser: Browser, server: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(server)
    page.locator("#first input").fill(QUESTION)
    page.locator("#first input").press("Enter")
    page.wait_for_selector(".verdict")
    assert page.locator(".verdict").first.inner_text() == "No"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_the_app_takes_over_what_was_typed_opened_and_scrolled(page: Page, server: str) -> None:
    held: list[object] = []
    page.route(re.compile(r"/static/js/index\.[^.]+\.js$"), lambda route: held.append(route))
    page.goto(f"{server}?q={QUESTION}", wait_until="commit")
    page.wait_for_selector("#first .verdict")
    page.locator("#first details.quoted summary").first.click()
    box = page.locator("#first input")
    box.fill("Defy")
    box.evaluate("one => { one.setSelectionRange(2, 2); document.getElementById('first').scrollTo(0, 60); }")
    down = page.evaluate("document.getElementById('first').scrollTop")
    held[0].continue_()  # type: ignore[attr-defined]
    page.wait_for_selector("#first", state="detached")
    field = page.locator(BOX)
    expect(field).to_be_focused()
    assert field.input_value() == "Defy"
    assert field.evaluate("one => one.selectionStart") == 2
    assert down == 0 or page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") > 0
    page.wait_for_selector("h1.title:has-text('Defy')")
    page.wait_for_url("**/?q=Defy")
    page.wait_for_timeout(2500)
    assert field.input_value() == "Defy"


def test_focus_and_closed_sections_of_the_first_page_stay(page: Page, server: str) -> None:
    held: list[object] = []
    page.route(re.compile(r"/static/js/index\.[^.]+\.js$"), lambda route: held.append(route))
    page.goto(f"{server}?rule=431.2", wait_until="commit")
    page.wait_for_selector("#first h1.number")
    link = page.locator("#first .kb a[href='?rule=core-1.4%3A431.2.c']").first
    link.focus()
    other = page.evaluate("[...document.querySelectorAll('#first .kb details')]"
                          ".findIndex(one => one.open && !one.contains(document.activeElement))")  # fmt: skip
    page.evaluate(f"document.querySelectorAll('#first .kb details')[{other}].open = false")
    held[0].continue_()  # type: ignore[attr-defined]
    page.wait_for_selector("#first", state="detached")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "?rule=core-1.4%3A431.2.c"
    assert page.evaluate("!!document.activeElement.closest('#root') && !document.getElementById('root').inert")
    assert page.evaluate(f"document.querySelectorAll('#root .kb details')[{other}].open") is False
