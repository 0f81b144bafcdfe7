"""The files of questions that search and answers are learnt on and measured by."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.evaluate import BLIND, TUNING, load, load_compound
from kb.data import data_root
from kb.errors import DataError
from kb.questions import REASONS
from kb.search.searcher import Searcher

FOLDER = data_root() / "tests" / "eval"


@pytest.mark.parametrize("name", [*TUNING, BLIND, "frames.jsonl"])
def test_what_answers_a_question_exists(name: str, hashed: Searcher) -> None:
    asked = load(FOLDER / name)
    known = {f"{document}:{number}" for document, number in hashed.con.execute("SELECT document, number FROM rule")}
    known |= {f"{document}:{line}" for document, line in hashed.con.execute("SELECT document, line FROM ruling")}
    assert len({one.id for one in asked}) == len(asked) > 350
    for one in asked:
        assert set(one.right) <= known, one.id
        assert one.reason in REASONS if one.kind == "refuse" else one.right, one.id


def test_no_id_stands_in_two_files_of_questions() -> None:
    found = [one.id for name in (*TUNING, BLIND) for one in load(FOLDER / name)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("read", [load, load_compound])
def test_a_file_that_is_missing_or_wrong_is_an_error(read: object, tmp_path: Path) -> None:
    assert callable(read)
    with pytest.raises(DataError, match="no such file"):
        read(tmp_path / "none.jsonl")
    (tmp_path / "bad.jsonl").write_text('{"id": "1"}\n', encoding="utf-8")
    with pytest.raises(DataError, match="not a question"):
        read(tmp_path / "bad.jsonl")
