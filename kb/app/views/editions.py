"""Two editions: what changed, word by word, and what rests on it."""

from __future__ import annotations

from collections.abc import Sequence

from kb.app.address import link, rule_link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import rule_anchor, section
from kb.app.wordings import Pair
from kb.changes import Change, Changes
from kb.ids import RuleRef, document_title
from kb.impact import Impact, Touched
from kb.sources.word_diff import DELETED, INSERTED, Stretch

SHOWN = 60


def changes_page(changes: Changes, shown: Sequence[Change], impact: Impact | None) -> Html:
    """Counts, what is to be reviewed, and the changes themselves."""
    counts = changes.counts()
    kinds = {word: count for word, count in counts.items() if count and word != "in_substance"}
    said = ", ".join(f"{count:,} {word}" for word, count in kinds.items())
    said += f". {counts['in_substance']:,} rules changed in more than their number or a turn of phrase."
    return join(
        (
            tag("h2", f"{document_title(changes.old)} to {document_title(changes.new)}"),
            tag("p", said, cls="lead"),
            *(_touched(impact) if impact else ()),
            section("Changes", _list(shown, changes), count=len(shown)),
            tag("p", f"and {len(shown) - SHOWN:,} more; name the first numbers above to see them", cls="lead")
            if len(shown) > SHOWN
            else None,
        )
    )


def _list(shown: Sequence[Change], changes: Changes) -> Html | None:
    """The changes, as many as a page holds; nothing where there are none."""
    return tag("div", *(change(one, changes) for one in shown[:SHOWN]), cls="claims") if shown else None


def _touched(impact: Impact) -> list[Html | None]:
    groups = (("Rulings to review", impact.rulings, "ruling"), ("Positions to review", impact.scenarios, "scenario"))
    return [
        section(title, tag("div", *(_row(one, kind) for one in some[:SHOWN]), cls="rows"), open_=False, count=len(some))
        for title, some, kind in groups
        if some
    ]


def _row(one: Touched, kind: str) -> Html:
    rules = ", ".join(sorted(one.rules, key=lambda rule: -one.rules[rule])[:4])
    name = tag("span", one.title or one.name, cls="said")
    return tag("a", name, tag("span", rules, cls="source"), href=link(kind, one.name), cls="row between")


def change(one: Change, changes: Changes) -> Html:
    """One change: both wordings beside each other on a wide screen, one text on a phone."""
    old, new = one.link.old, one.link.new
    number = rule_anchor(f"{changes.new}:{new}") if new else None
    before = tag("span", old, cls="num") if old and old != new else None
    numbers = join((before, number), " → ")
    kind = tag("span", f" · {one.link.kind}", cls="source")
    return tag("div", tag("p", numbers, kind), compared(one.words), cls="claim")


def compared(words: Sequence[Stretch]) -> Html:
    """Two wordings: beside each other with what only one of them has marked; on a phone in one text."""
    before = join((_words(s.side, s.text) for s in words if s.side != INSERTED), " ")
    after = join((_words(s.side, s.text) for s in words if s.side != DELETED), " ")
    whole = join((_words(s.side, s.text) for s in words), " ")
    return join((tag("div", tag("p", before), tag("p", after), cls="pair wide"), tag("p", whole, cls="narrow")))


def side_by_side(pairs: Sequence[Pair]) -> Html | None:
    """A rule in other editions: the nearest edition open, the others folded."""
    made = [_pair(one) for one in pairs]
    nearest = {(one.old.document, one.new.document) for one in pairs[:1]}
    near = [html for html, one in zip(made, pairs, strict=True) if (one.old.document, one.new.document) in nearest]
    return join(
        (
            section("In other editions, word by word", *near),
            section("Further editions", *made[len(near) :], open_=False, count=len(made) - len(near)),
        )
    )


def _pair(one: Pair) -> Html:
    names = [tag("b", f"{document_title(ref.document)}, ", _number(ref)) for ref in (one.old, one.new)]
    same = one.words and all(stretch.side not in (DELETED, INSERTED) for stretch in one.words)
    head = tag("p", names[0], " → ", names[1], tag("span", f" · {one.kind}", cls="source"))
    if same:
        return tag("div", head, tag("p", "The same words."), cls="claim")
    if one.words:
        return tag("div", head, compared(one.words), cls="claim")
    said = "One of the two is there in our words only, so single words are not marked."
    texts = tag("div", tag("p", one.before), tag("p", one.after), cls="pair")
    return tag("div", head, texts, tag("p", said, cls="aside"), cls="claim")


def _number(ref: RuleRef) -> Html:
    return tag("a", ref.number, href=rule_link(str(ref)))


def _words(side: str, said: str) -> Html:
    if side == DELETED:
        return tag("del", said)
    return tag("ins", said) if side == INSERTED else tag("span", said)
