"""Exports of the knowledge base: a static site that works from a file, offline, on a phone."""
