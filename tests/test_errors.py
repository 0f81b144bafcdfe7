"""Messages say what, where and what to do, in one line."""

from __future__ import annotations

import copy
import pickle

from kb.errors import DataError, DuplicateId, InputError, KbError, StoreBusy, UnknownId


def test_a_message_says_where_what_and_what_to_do() -> None:
    problem = DataError("rulings/a.yaml", "the key 'titel' is not known", "Did you mean 'title'", line=3)
    assert str(problem) == "rulings/a.yaml:3: the key 'titel' is not known. Did you mean 'title'."


def test_an_unknown_id_offers_the_nearest() -> None:
    assert str(UnknownId("431.9", "there is no such rule", nearest=["431.1"])).endswith("Nearest: 431.1.")


def test_all_errors_are_of_one_tree() -> None:
    assert issubclass(DuplicateId, DataError)
    for kind in (InputError, DataError, UnknownId, StoreBusy):
        assert issubclass(kind, KbError)


def test_errors_cross_processes() -> None:
    problem = UnknownId("x", "nothing has that name", nearest=["y"])
    for other in (pickle.loads(pickle.dumps(problem)), copy.copy(problem)):
        assert str(other) == str(problem)
        assert other.nearest == ("y",)
