"""A progress bar on standard error; where that is no terminal, one line per step."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from kb.store import Progress


@contextmanager
def shown(quiet: bool = False) -> Iterator[Progress]:
    """Yield a ``Progress`` that shows what is being done until the block ends."""
    if quiet:
        yield lambda what, done, total: None
    elif sys.stderr.isatty():
        yield from _bar()
    else:
        yield _Lines()


def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Building the store", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)


class _Lines:
    """Prints each new step once."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self._last:
            print(f"{what} ...", file=sys.stderr, flush=True)
            self._last = what
