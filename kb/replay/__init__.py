"""Replays: a scenario step by step as plain data, and the board as a picture.

``frames`` executes a scenario and keeps a snapshot after each answer with the events between; ``draw`` makes an SVG of
a snapshot. Neither knows the app; the app and the exported site show the same data.
"""
