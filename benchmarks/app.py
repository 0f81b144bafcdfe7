"""Times of the browser app, as a person with a browser meets them: ``python benchmarks/app.py``.

Needs Debian's ``chromium`` and a store that is built (``kb build``). Starts ``kb app`` on a free port of this machine
and prints the first answer in a new browser once the server is up, answers to questions typed one after another, and
twenty pages opened at once. Processor time of the server stands beside wall time, since the machine that this runs on
may be busy. Results go to docs/performance.md.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

QUESTIONS = Path(__file__).resolve().parent.parent / "tests" / "eval" / "tuning.jsonl"
FIRST = "I ran out of cards, do I get the point?"
WARM, PAGES = 20, 20
PATIENCE = 180_000
SHOWN = (
    "said => { const one = document.querySelector('.kb .question'); return one && said.startsWith(one.textContent); }"
)
"""Whether the page shows the answer to a question, or to its first part."""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
TICKS = os.sysconf("SC_CLK_TCK")


def worked(pid: int) -> float:
    """Processor seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def started() -> tuple[subprocess.Popen[bytes], str, float]:
    """A server, its address, and the seconds until it answers."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    code = "from kb.cli import main; main()"
    begin = time.perf_counter()
    arguments = [sys.executable, "-c", code, "app", "--no-open", "--port", str(port), "--address", "127.0.0.1"]
    server = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/"
    while time.perf_counter() - begin < 120:
        try:
            with urllib.request.urlopen(f"{address}_stcore/health", timeout=2):
                return server, address, time.perf_counter() - begin
        except OSError:
            time.sleep(0.05)
    server.terminate()
    raise SystemExit("the server did not start")


def opened(browser: Browser, address: str) -> Page:
    """A new page, with a cache of its own, at an address."""
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address, wait_until="commit")
    return page


def first(browser: Browser, address: str, pid: int) -> Page:
    """The first answer after the server is up."""
    begin, work = time.perf_counter(), worked(pid)
    page = opened(browser, f"{address}?q={FIRST}")
    page.wait_for_selector(".verdict")
    print(f"first answer: {time.perf_counter() - begin:.2f} s; processor time of the server {worked(pid) - work:.2f} s")
    page.wait_for_selector("#first", state="detached")
    page.wait_for_selector(".st-key-box input")
    print(f"the app has taken over: {time.perf_counter() - begin:.2f} s")
    return page


def warm(page: Page, questions: list[str], pid: int) -> None:
    """Questions typed one after another on one page, until the page shows the answer to each."""
    box = page.locator(".st-key-box input")
    walls, works = [], []
    for question in questions:
        before = worked(pid)
        box.fill(question)
        begin = time.perf_counter()
        box.press("Enter")
        page.wait_for_function(SHOWN, arg=question)
        walls.append(time.perf_counter() - begin)
        works.append(worked(pid) - before)
    print(
        f"warm answers ({len(questions)}): median {statistics.median(walls):.2f} s, slowest {max(walls):.2f} s; "
        f"processor time of the server, median {statistics.median(works):.2f} s"
    )


def together(browser: Browser, address: str, questions: list[str], pid: int) -> None:
    """Twenty pages at once, each with its own question and its own cache."""
    pages = [browser.new_context().new_page() for _ in questions]
    begin, work = time.perf_counter(), worked(pid)
    for page, question in zip(pages, questions, strict=True):
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}?q={question}", wait_until="commit")
    failed = 0
    for page in pages:
        page.wait_for_selector(".kb .foot")
    seen = time.perf_counter() - begin
    for page in pages:
        page.wait_for_selector("#root .kb .foot")
        failed += not answered(page)
    drawn = time.perf_counter() - begin
    print(
        f"{len(pages)} pages at once: {seen:.1f} s until the last answer, {drawn:.1f} s until the app has taken over "
        f"on all, {failed} failed; processor time of the server {worked(pid) - work:.1f} s"
    )
    for page in pages:
        page.context.close()


def answered(page: Page) -> bool:
    """Whether the page shows an answer and no error once it is at rest; one that runs again is empty for a moment."""
    try:
        page.wait_for_selector("#root .kb .sheet", timeout=10_000)
    except TimeoutError:
        return False
    return not page.locator('[data-testid="stException"]').count()


def main() -> None:
    """Everything, in one run."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        raise SystemExit("There is no chromium. Install it (Debian: apt install chromium)")
    asked = [json.loads(line)["question"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    some = list(dict.fromkeys(one.strip() for one in asked if 20 < len(one.strip()) < 120))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    server, address, seconds = started()
    try:
        print(f"server up: {seconds:.2f} s; processor time {worked(server.pid):.2f} s")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            page = first(browser, address, server.pid)
            warm(page, some[:WARM], server.pid)
            page.context.close()
            together(browser, address, some[WARM : WARM + PAGES], server.pid)
            browser.close()
        print(f"memory of the server: {peak(server.pid)} MB")
    finally:
        server.terminate()
        server.wait(30)


def peak(pid: int) -> int:
    """The most memory that a process has taken, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


if __name__ == "__main__":
    main()
