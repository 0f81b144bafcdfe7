"""``kb ask``: an answer with rules, rulings and their standing, or an abstention with its reason."""

from __future__ import annotations

import sys

import click

from kb.answer.reply import UNSAID, Abstention, Answer, Cited, Reply, as_json
from kb.commands.shared import footer, heading, open_for, print_json, say
from kb.errors import InputError


@click.command("ask")
@click.argument("question", nargs=-1)
@click.option("--json", "as_json_", is_flag=True, help="Print one JSON document (with -, one a line).")
def command(question: tuple[str, ...], as_json_: bool) -> int:
    """Answer a question about the rules, in players' words; "-" reads one question a line from standard input.

    Example: kb ask "I ran out of cards, do I get the point?"
    """
    from kb.answer.answerer import Answerer, check_question

    text = " ".join(question)
    if text != "-":
        check_question(text)
    answerer = Answerer(open_for(("verdicts", "vectors")))
    if text == "-":
        return _many(answerer, as_json_)
    reply = answerer.ask(text)
    if as_json_:
        print_json(as_json(reply))
    else:
        show(reply)
    return 0 if isinstance(reply, Answer) else 1


def _many(answerer: object, as_json_: bool) -> int:
    from kb.answer.answerer import Answerer

    assert isinstance(answerer, Answerer)
    for line in sys.stdin:
        try:
            reply = answerer.ask(line.strip())
        except InputError as problem:
            print_json({"status": "error", "error": problem.what, "where": problem.where, "fix": problem.fix})
            continue
        if as_json_:
            print_json(as_json(reply))
        else:
            show(reply)
            click.echo()
    return 0


def show(reply: Reply) -> None:
    """Print a reply for people."""
    match reply:
        case Abstention():
            heading(f"No answer: {reply.reason}")
            say(reply.answer)
            if reply.nearest:
                click.echo("Nearest:")
                for near in reply.nearest:
                    say(f"{near.id}. {near.title}", 2)
        case Answer():
            _show_answer(reply)
    footer({"edition": reply.dates.edition, "rules_date": reply.dates.rules_date,
            "cards_through": reply.dates.cards_through, "cards_date": reply.dates.cards_date})  # fmt: skip


def _show_answer(reply: Answer) -> None:
    if reply.parts:
        for part in reply.parts:
            heading(part.part)
            if isinstance(part, Answer):
                _show_one(part)
            else:
                say(f"No answer: {part.answer}")
        return
    _show_one(reply)


def _show_one(reply: Answer) -> None:
    if reply.verdict != UNSAID:
        heading(reply.verdict[:1].upper() + reply.verdict[1:])
    say(reply.answer)
    for view in reply.readings:
        word = "" if view.verdict == UNSAID else f"{view.verdict}. "
        say(f"Reading ({view.source}): {word}{view.answer}", 2)
    for note in reply.notes:
        say(note)
    if reply.citations:
        click.echo("Rules:")
    shown: set[str] = set()
    for one in reply.citations:
        for above in one.above[-1:]:
            if above not in shown:
                say(f"({above})", 2)
        shown.update((*one.above[-1:], f"{one.ref.partition(':')[2]} {one.quote}"))
        say(one.citation, 2)
    if reply.rulings:
        click.echo("Rulings:")
        for cited in reply.rulings:
            say(f"{cited.id} ({', '.join(cited.origin)}): {standing(cited)}", 2)
            if cited.scenarios:
                say(f"Scenarios: {', '.join(cited.scenarios)}", 4)
    if reply.card_texts:
        click.echo("Cards:")
    for card in reply.card_texts:
        say(f"{card.name}: {card.says}", 2)


def standing(cited: Cited) -> str:
    """How far a ruling was verified, honestly: an unverified one was reviewed by reading only."""
    if cited.standing == "unverified":
        return f"unverified; review by reading: {'differs' if cited.differs else 'holds'}"
    return f"{cited.standing} by {'execution' if cited.scenarios else 'reading'}"
