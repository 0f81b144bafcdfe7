"""A rulings knowledge base for the Riftbound trading card game.

Rules are restated under their official numbers, rulings are cut into claims that cite them, and an
engine executes positions to find out which claims hold. Start with ``kb.ids`` and ``kb.model``.
"""

__version__ = "0.1.0"
EDITION = "core-1.4"
TOURNAMENT = "tournament-2026-07"
