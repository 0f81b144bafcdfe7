"""Cards as data: the card language, its reading, and cards as plain English.

:func:`render_card` and :func:`dump_card` take a definition; who has only a name asks the library first.
"""

from kb.cards.printing import dump_card, render_card

__all__ = ["dump_card", "render_card"]
