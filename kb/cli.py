"""The command ``kb``: a table of commands, each imported only when it is called.

To add a command, add a line to ``COMMANDS``: name -> (module:attribute, one line of help). The
attribute is a ``click`` command. Exit status: 0 fine; 1 a finding, nothing found or an abstention;
2 bad usage or bad input, told in one sentence. No logic lives here.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections.abc import Sequence

import click

from kb import __version__
from kb.errors import KbError, UnknownId

COMMANDS: dict[str, tuple[str, str]] = {
    "ask": ("kb.commands.ask:command", "Answer a question, with rules and verified rulings."),
    "search": ("kb.commands.search:command", "Find rules, rulings and cards."),
    "rule": ("kb.commands.rule:command", "Show a rule with everything around it."),
    "ruling": ("kb.commands.ruling:command", "Show a ruling, claim by claim."),
    "rulings": ("kb.commands.rulings:command", "List rulings by card, rule or standing."),
    "card": ("kb.commands.card:command", "Show a card's facts and the rulings that name it."),
    "verify": ("kb.commands.verify:command", "Execute scenarios and give each claim its verdict."),
    "run": ("kb.commands.run:command", "Execute one scenario file."),
    "lint": ("kb.commands.lint:command", "Check the data and say how to mend it."),
    "import": ("kb.commands.import_:command", "Take in your own copy of an official document."),
    "build": ("kb.commands.build:command", "Build the store now."),
    "app": ("kb.commands.app:command", "Open the browser app."),
    "coverage": ("kb.commands.coverage:command", "Show which rules the scenarios exercise."),
    "fuzz": ("kb.commands.fuzz:command", "Play random legal games and check the engine's invariants."),
    "eval": ("kb.commands.eval:command", "Measure search, answers and document readers."),
    "crosswalk": ("kb.commands.crosswalk:command", "Show which rule of one edition is which of another."),
    "diff": ("kb.commands.diff:command", "Compare two editions rule by rule."),
    "impact": ("kb.commands.impact:command", "Show what a change of edition touches."),
    "new": ("kb.commands.new:command", "Write a card's abilities as data, step by step."),
    "export": ("kb.commands.export:command", "Export the data."),
}


def is_installed(name: str) -> bool:
    """Whether the module of a command is there."""
    module = COMMANDS[name][0].partition(":")[0]
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


class Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands that this installation has."""
        return [name for name in COMMANDS if is_installed(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command. Raises ``UsageError`` in a sentence where its module is not there."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        if not is_installed(cmd_name):
            raise click.UsageError(f"'kb {cmd_name}' is not part of this version of kb yet.", ctx)
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="kb")
def cli() -> None:
    """Rulings for the Riftbound trading card game, cited and checked.

    Example: kb rule 431.2.c

    An unofficial fan project, not endorsed by the publisher.
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status."""
    try:
        outcome = cli.main(args=list(arguments), prog_name="kb", standalone_mode=False)
        return outcome if isinstance(outcome, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as problem:
        _complain(arguments, {"error": problem.format_message()}, problem.format_message())
        return 2
    except click.Abort:
        return 130
    except UnknownId as problem:
        _complain(arguments, _as_json(problem) | {"nearest": list(problem.nearest)}, str(problem))
        return 1
    except KbError as problem:
        _complain(arguments, _as_json(problem), str(problem))
        return 2


def _as_json(problem: KbError) -> dict[str, object]:
    return {"error": problem.what, "where": problem.where, "fix": problem.fix}


def _complain(arguments: Sequence[str], record: dict[str, object], sentence: str) -> None:
    """One sentence on standard error; with --json the same as a document on standard output."""
    if "--json" in arguments:
        click.echo(json.dumps(record, ensure_ascii=False))
    click.echo(f"kb: {sentence}", err=True)


def main() -> None:
    """Entry point of the script ``kb``."""
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
        status = 0
    sys.exit(status)
