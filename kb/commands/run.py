"""``kb run``: execute one scenario file, from any path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kb.commands.shared import print_json


@click.command("run")
@click.argument("scenario", type=click.Path(path_type=Path))
@click.option("--trace", is_flag=True, help="Print the derivation: every step with the rule that requires it.")
@click.option("--contrast", type=int, default=0, help="Run this contrast of the scenario instead (1 is the first).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(scenario: Path, trace: bool, contrast: int, as_json: bool) -> None:
    """Execute one scenario and say what it proves.

    Example: kb run scenarios/rulings/burn-out-who-scores.yaml --trace
    """
    from kb.errors import InputError
    from kb.scenarios.model import load_scenario
    from kb.scenarios.runner import patched, run_scenario
    from kb.verify.suite import scenario_root

    path = scenario if scenario.exists() else scenario_root() / f"{scenario}.yaml"
    loaded = load_scenario(path, scenario_root())
    if contrast:
        if not 1 <= contrast <= len(loaded.contrasts):
            raise InputError(str(path), f"it has no contrast {contrast}", f"It has {len(loaded.contrasts)}")
        loaded = patched(loaded, loaded.contrasts[contrast - 1])
    result = run_scenario(loaded, contrasts=not contrast)
    run = result.truths.run
    if as_json:
        found: dict[str, Any] = {
            "id": loaded.id,
            "title": loaded.title,
            "verdict": result.verdict,
            "problems": result.problems,
            "then": [
                {
                    "claims": list(t.claims),
                    "says": t.says,
                    "assert": t.asserted,
                    "true": result.truths.asserted.get(t.index),
                    "instead": t.instead,
                    "decides": list(t.decides),
                }
                for t in loaded.then
            ],
            "rules": list(result.rules),
            "milliseconds": round(result.milliseconds, 2),
        }
        if trace and run is not None:
            found["trace"] = run.game.trace.tree()
        print_json(found)
    else:
        show(loaded, result, trace)
    raise SystemExit(0 if result.verdict in ("confirmed", "contradicted") else 1)


def show(loaded: Any, result: Any, trace: bool) -> None:
    """The verdict for people."""
    click.echo(click.style(f"{result.verdict}: {loaded.title}", bold=True))
    for then in loaded.then:
        true = result.truths.asserted.get(then.index)
        word = {True: "holds", False: "does not hold", None: "was not reached"}[true]
        click.echo(f"  {', '.join(then.names)}: {compact(then.asserted)} {word}" + rules(then.decides))
        if true is False and then.instead is not None:
            word = "holds" if result.truths.instead.get(then.index) else "does not hold either"
            click.echo(f"      instead {compact(then.instead)} {word}")
    for problem in result.problems:
        click.echo(f"  ! {problem}")
    run = result.truths.run
    if trace and run is not None:
        click.echo()
        for line in run.game.trace.lines():
            click.echo(line)


def rules(numbers: tuple[str, ...]) -> str:
    """The deciding rules in brackets."""
    return f"  [{', '.join(numbers)}]" if numbers else ""


def compact(value: Any) -> str:
    """A mapping as a judge would write it."""
    if isinstance(value, dict):
        return ", ".join(f"{k} {compact(v)}" for k, v in value.items())
    if isinstance(value, list):
        return "[" + ", ".join(compact(v) for v in value) + "]"
    return str(value)
