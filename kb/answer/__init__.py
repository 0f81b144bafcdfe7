"""Answers: a question -> ``Answer`` or ``Abstention``, with citations that are checked as it is given.

``kb.answer.answerer.Answerer`` is the entry; ``kb.answer.reply`` holds the values. Nothing is imported here.
"""
