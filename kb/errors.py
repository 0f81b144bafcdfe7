"""Errors of the project, in one tree.

::

    KbError
    ├── InputError       something a person typed or handed over cannot be used
    │   ├── UnknownId    well formed, but nothing has that number, id or name
    │   └── BadReference a rule number or id that is not well formed
    ├── DataError        one of the data files is wrong
    │   └── DuplicateId  the same number or id twice
    └── StoreError       the store cannot be read or built
        └── StoreBusy    another process is building it

Each says *what* is wrong, *where*, and what to do about it (*fix*). Bad input raises; a refusal, an
abstention and "unsupported" are values and never errors.
"""

from __future__ import annotations

import os

LONGEST = 300


def _short(said: str) -> str:
    """At most ``LONGEST`` characters, the middle left out: a message must fit a screen."""
    return said if len(said) <= LONGEST else f"{said[: LONGEST // 2]} ... {said[-LONGEST // 4 :]}"


class KbError(Exception):
    """Base of all errors that the command line shows as one sentence.

    ``where`` names a file, line, argument or id; ``what`` is the problem; ``fix`` is what to do.
    """

    def __init__(self, where: str | os.PathLike[str], what: str, fix: str = "") -> None:
        self.where = _short(os.fspath(where))
        self.what = _short(what.rstrip(". "))
        self.fix = _short(fix.rstrip(". "))
        super().__init__(self.where, self.what, self.fix)

    def __str__(self) -> str:
        """``where: what. Fix.``: one line, complete sentences."""
        said = f"{self.where}: {self.what}." if self.where else f"{self.what}."
        return " ".join(f"{said} {self.fix}.".split()) if self.fix else " ".join(said.split())


class InputError(KbError):
    """Something that a person typed or handed over cannot be used."""


class BadReference(InputError):
    """A rule number or id that is not well formed."""


class UnknownId(InputError):
    """A well-formed number, id or name that nothing has; ``nearest`` are those that exist."""

    def __init__(
        self, where: str | os.PathLike[str], what: str, fix: str = "", nearest: tuple[str, ...] | list[str] = ()
    ) -> None:
        self.nearest = tuple(nearest)
        super().__init__(where, what, fix or (f"Nearest: {', '.join(self.nearest)}" if self.nearest else ""))


class DataError(KbError):
    """One of the data files is wrong: ``DataError(path, what, fix, line=12)``."""

    def __init__(self, where: str | os.PathLike[str], what: str, fix: str = "", *, line: int | None = None) -> None:
        self.line = line
        super().__init__(f"{os.fspath(where)}:{line}" if line else where, what, fix)


class DuplicateId(DataError):
    """The same number or id occurs twice."""


class StoreError(KbError):
    """The store cannot be read or built."""


class StoreBusy(StoreError):
    """Another process is building the store."""
