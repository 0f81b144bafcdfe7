"""Scenarios and engine joined: verdicts on claims, standings of rulings, coverage of rules, proof by mutants.

``store_verdicts`` is the layer of the store that holds them.
"""

from kb.verify.storing import store_verdicts

__all__ = ["store_verdicts"]
