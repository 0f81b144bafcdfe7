"""The rules, executed: a model of the game that asks players what to do and cites the rule of every step.

Start reading at :mod:`kb.engine.game` (state and reads), :mod:`kb.engine.turn` (the loop), :mod:`kb.engine.chain`
(HOT-FEPR), :mod:`kb.engine.playing` (the process of play), :mod:`kb.engine.instructions` (effects) and
:mod:`kb.engine.run` (driving a game from outside). It knows nothing of stores, search or rulings.
"""
