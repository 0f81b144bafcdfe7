"""The store that pages read: data that cannot be built is told once, on every page, until it is mended."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kb.app import main, shop
from kb.data import app_file
from kb.errors import DataError
from tests.app.conftest import shown

FINDING = "rulings/a.yaml:3: it cites core-1.4:999.9. Cite a rule that exists."


class Broken:
    """Data of one file that cannot be built; counts how often that is tried."""

    def __init__(self, file: Path) -> None:
        self.file, self.tried = file, 0

    def build(self, **_: object) -> bool:
        self.tried += 1
        raise DataError("rulings/a.yaml", "it cites core-1.4:999.9", "Cite a rule that exists", line=3)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Broken:
    file = tmp_path / "a.yaml"
    file.write_text("a", encoding="utf-8")
    made = Broken(file)
    monkeypatch.setenv("KB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KB_APP_BUILD", raising=False)
    monkeypatch.setattr(shop, "is_fresh", lambda path, need: False)
    monkeypatch.setattr(shop, "base_files", lambda: [str(file)])
    monkeypatch.setattr(shop, "build_store", made.build)
    return made


@pytest.mark.parametrize(
    "address", [{}, {"q": "may a stunned unit attack?"}, {"rule": "431"}, {"page": "desk"}, {"page": "import"}], ids=str
)
def test_every_page_says_what_is_wrong_once(broken: Broken, address: dict[str, str]) -> None:
    for _ in range(2):
        page = AppTest.from_file(str(app_file()), default_timeout=60)
        for key, value in address.items():
            page.query_params[key] = value
        said = shown(page.run())
        assert said.count(FINDING) == 1 and said.count('role="note"') == 1 and "there is no store" not in said
    assert broken.tried == 1


def test_what_is_wrong_is_remembered_until_the_files_change(broken: Broken) -> None:
    assert shop.bring_up_to_date() == shop.known_problem() == FINDING
    assert not shop.is_current() and not shop.ready()
    broken.file.write_text("mended", encoding="utf-8")
    assert shop.known_problem() == "" and not shop.is_current()


def test_a_store_that_is_there_answers_beside_what_is_wrong(broken: Broken, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(shop, "ready", lambda: True)
    monkeypatch.setattr(main, "put", lambda *parts: told.append(str(parts)))
    assert main.keep_current() and main.keep_current()
    assert len(told) == 2 and all(FINDING in one and "Until then the store answers as it is." in one for one in told)
