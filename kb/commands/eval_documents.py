"""``kb eval documents``: the numbers of the document readers."""

from __future__ import annotations

import click

from kb.commands.shared import print_json


def show(as_json: bool) -> int:
    """Print the report of ``kb.sources.evaluate``."""
    from kb.sources.evaluate import report

    said = report()
    if as_json:
        print_json({"report": said.split("\n")})
    else:
        click.echo(said)
    return 0
