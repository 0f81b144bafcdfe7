"""A rulings knowledge base for the Riftbound trading card game.

Rules are restated under their official numbers, rulings are cut into claims that cite them, and an
engine executes positions to find out which claims hold. Start with ``kb.ids`` and ``kb.model``.
"""

import os as _os

__version__ = "0.1.0"
EDITION = "core-1.4"
TOURNAMENT = "tournament-2026-07"

# The model libraries must never reach for a network; they read these when they are imported.
for _name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"):
    _os.environ.setdefault(_name, "1")
_os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
