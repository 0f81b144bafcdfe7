"""What of a rule is told as the answer."""

from __future__ import annotations

import pytest

from kb.answer.telling import SHORT, fitting
from kb.search.searcher import Searcher
from kb.search.words import content

SECOND = "Players may not harass in any form at any place where the game is played."
THIRD = "To harass is to behave in ways that demean."
FOURTH = "It is judged by the head judge alone and without an appeal of any kind."
LAST = "Spectators who harass others may be sent out of the venue by whoever runs the event."
SET_UP = "In a mode for several players, take a deck that holds too few cards for what a spell of any player asks."
FOLLOWS = "The number is then null, and all that is reckoned with it is ignored by every player at the table."
SHORT_FOR = f'It is short for "{FOURTH} {LAST}" {THIRD} {SECOND}'
LONG = f"Harassment. {SECOND} {THIRD} {FOURTH} {LAST}"


def one(_: str) -> float:
    return 1.0


@pytest.mark.parametrize(
    ("quote", "asked", "expected"),
    [
        ("A unit dies. Example: A Recruit dies.", "recruit", "A unit dies."),
        ("A unit dies. See rule 428 (Kill).", "kill", "A unit dies."),
        ("Example: only that.", "that", "Example: only that."),
        (LONG, "can a spectator be sent out", LAST),
        (LONG, "nothing of it", f"Harassment. {SECOND}"),
        (LONG, "an appeal to the head judge", f"{THIRD} {FOURTH}"),
        (f"{LAST} {SECOND} {THIRD} {FOURTH}", "what demeans", f"{THIRD} {FOURTH}"),
        (f"{SET_UP} {FOLLOWS} {LAST} {SECOND}", "a deck that holds too few cards", f"{SET_UP} {FOLLOWS}"),
        (f"{LAST} {SECOND} {SET_UP} {FOLLOWS}", "is it ignored when it is null", f"{SET_UP} {FOLLOWS}"),
        (SHORT_FOR, "an appeal to the head judge", f'It is short for "{FOURTH} {LAST}"'),
    ],
)
def test_the_sentences_that_fit_are_fitting(quote: str, asked: str, expected: str) -> None:
    assert fitting(quote, content(asked), one) == expected


def test_every_rule_is_told_with_its_own_words_and_without_examples(hashed: Searcher) -> None:
    long = 0
    for row in hashed.con.execute("SELECT text FROM rule WHERE restated AND NOT heading"):
        said = fitting(row["text"], content("does my unit die when it is dealt damage"), hashed.rarity.of)
        assert said or not row["text"].strip()
        for sentence in said.split(". "):
            assert sentence in row["text"]
        long += len(said) > 2 * SHORT
    assert long < 10
