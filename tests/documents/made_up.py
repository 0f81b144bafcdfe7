"""A made-up edition 1.5: our restatement of 1.4 with ten changes, for the walk-through of docs/new-edition.md."""

from __future__ import annotations

from kb.ids import sort_key
from kb.load import load_rules

GROWN = "431.2.e"
SHIFTED_FROM = 445  # a new section stands before it


def edition_1_5() -> list[tuple[str, str]]:
    """Number and text of every rule of the made-up edition."""
    rules = {rule.number: rule.text for rule in load_rules("core-1.4")}
    # 1. a number; 2. another; 3. a word that turns the order round
    rules["431.2.c"] = rules["431.2.c"].replace("1 point", "2 points")
    rules["430.4.a"] = rules["430.4.a"].replace("two", "three")
    rules["808.1.c"] = rules["808.1.c"].replace("die", "die or am banished")
    # 4. a new rule at the end of a section; 5. a rule that is gone
    rules[GROWN] = "They lose the game where every opponent has more points than they have."
    del rules["414.1.c"]
    # 6. a rule cut in two; 7. two rules made one
    first, _, rest = rules["430.2"].partition(" Example:")
    rules["430.2"], rules["430.2.b"] = first, f"Example:{rest}"
    rules["425.1"] = f"{rules['425.1']} {rules.pop('425.1.b')}"
    # 8. small words only; 9. a heading renamed
    rules["415.1"] = rules["415.1"].replace(" the ", " that ", 1)
    rules["423"] = "Stunning"
    # 10. a new section, so that everything behind it moves on by one
    shifted: dict[str, str] = {}
    for number, text in rules.items():
        section, _, below = number.partition(".")
        if SHIFTED_FROM <= int(section) < 490:
            number = f"{int(section) + 1}{'.' + below if below else ''}"
        shifted[number] = text
    shifted[f"{SHIFTED_FROM}"] = "Echo"
    shifted[f"{SHIFTED_FROM}.1"] = "Echoing a spell is the action of copying it on the chain. The copy has no owner."
    return sorted(shifted.items(), key=lambda one: sort_key(one[0]))
