"""A real browser and a running app.

These tests run where ``KB_BROWSER`` is set (``.ci/run`` sets it): they need Debian's ``chromium``. Screenshots go to
``KB_SHOTS``, else to a temporary folder.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
SIZES = {"phone": (390, 844), "desk": (1280, 800)}
PATIENCE = 120_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip where no browser is wanted or there is none."""
    here = Path(__file__).parent
    why = "" if os.environ.get("KB_BROWSER") else "KB_BROWSER is not set"
    why = why or ("" if CHROMIUM else "there is no chromium")
    for item in items:
        if why and item.path.is_relative_to(here):
            item.add_marker(pytest.mark.skip(reason=why))


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go."""
    folder = Path(os.environ.get("KB_SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def server(own_folders: Path) -> Iterator[str]:
    """The address of ``kb app`` running on this machine, with its store built."""
    from kb.app import shop

    assert not shop.bring_up_to_date()
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    code = "from kb.cli import main; main()"
    arguments = [sys.executable, "-c", code, "app", "--no-open", "--port", str(port), "--address", "127.0.0.1"]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/"
    for _ in range(240):
        try:
            with urllib.request.urlopen(f"{address}_stcore/health", timeout=2):
                break
        except OSError:
            assert process.poll() is None, "the app did not start"
            time.sleep(0.25)
    yield address
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Headless Chromium with a new profile."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(params=list(SIZES))
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page of a phone (light) or a desk (dark) that fails on any script error."""
    width, height = SIZES[request.param]
    scheme = "light" if request.param == "phone" else "dark"
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.set_default_timeout(PATIENCE)
    made = context.new_page()
    problems: list[str] = []
    made.on("pageerror", lambda problem: problems.append(str(problem)))
    yield made
    context.close()
    assert not problems


@pytest.fixture
def look(page: Page, shots: Path, request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Checks what must hold on every page, and takes its picture."""
    size = "phone" if page.viewport_size and page.viewport_size["width"] < 600 else "desk"

    def looked(name: str) -> None:
        page.wait_for_function("!document.querySelector('.kb [data-svg], .kb [data-replay]')")
        width = page.evaluate("Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll("
                              "'[data-testid=stMain]')].map(e => e.scrollWidth))")  # fmt: skip
        assert width <= page.evaluate("innerWidth"), f"{name} overflows sideways"
        assert page.locator('[data-testid="stException"]').count() == 0, f"{name} shows an error box"
        low = page.evaluate(SMALL)
        assert not low, f"controls of {name} below 44 px: {low}"
        page.screenshot(path=shots / f"{name}-{size}.png", animations="disabled")

    return looked


SMALL = """() => [...document.querySelectorAll(
  'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=radio], [role=checkbox]')]
  .filter(e => !e.matches('a') || ![...e.parentElement.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .map(e => [e.getBoundingClientRect(), e])
  .filter(([box, e]) => e.offsetParent && getComputedStyle(e).visibility !== 'hidden' && box.width > 1 && box.height > 1
    && (box.width < 43.5 || box.height < 43.5))
  .map(([box, e]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${e.outerHTML.slice(0, 80)}`).slice(0, 3)"""
"""Every control that is seen and is smaller than a finger; a link that stands in running text is none."""
