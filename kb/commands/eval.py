"""``kb eval``: how good search and answers are, on the questions of ``tests/eval``."""

from __future__ import annotations

from pathlib import Path

import click

from kb.commands.shared import open_for, print_json


@click.command("eval")
@click.argument("what", type=click.Choice(["questions", "documents"]), default="questions")
@click.option("--heldout", is_flag=True, help="The questions that are held back; log each run in docs/evaluation.md.")
@click.option("--file", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Other questions.")
@click.option("--failures", is_flag=True, help="List what went wrong (never of the questions held back).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(what: str, heldout: bool, path: Path | None, failures: bool, as_json: bool) -> int:
    """Measure search and answers: hit rates by kind for each retriever, refusals, verdict words, calibration.

    Example: kb eval      or: kb eval --file my-questions.jsonl      or: kb eval documents
    """
    if what == "documents":
        from kb.commands.eval_documents import show

        return show(as_json)
    from kb.answer.evaluate import BLIND, TUNING, evaluate, load, load_compound, report
    from kb.data import data_root

    folder = data_root() / "tests" / "eval"
    chosen = [path] if path else [folder / name for name in ((BLIND,) if heldout else TUNING)]
    asked = [one for file in chosen for one in load(file)]
    compound = load_compound(folder / "parts.jsonl") if path is None and not heldout else ()
    result = evaluate(open_for(("verdicts", "vectors")), asked, compound)
    if as_json:
        print_json(result.as_json())
        return 0
    click.echo(report(result))
    if failures and not heldout:
        for line in result.failures:
            click.echo(line)
    return 0
