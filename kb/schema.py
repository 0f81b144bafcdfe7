"""The tables of the store.

``edition_rule`` holds the rules of imported editions that we do not restate: to be looked up, never searched.

``rule``, ``ruling``, ``claim``, ``card``, ``name``, ``term``, ``scenario``, ``xref``, ``passage`` and its
index are written by ``kb.build`` from the data folders; ``verdict`` is written by the layer that
executes the scenarios. Other layers make tables of their own. ``xref`` holds every cross-reference
once and is indexed from both ends.
"""

from __future__ import annotations

VERSION = "6"
TOKENIZER = "porter unicode61 remove_diacritics 2"  # of the full-text index

BASE = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rule(
  document TEXT NOT NULL, number TEXT NOT NULL, pos INTEGER NOT NULL, parent TEXT, depth INTEGER NOT NULL,
  heading INTEGER NOT NULL, restated INTEGER NOT NULL, step TEXT NOT NULL, statement TEXT NOT NULL,
  text TEXT NOT NULL, parts TEXT NOT NULL, official TEXT, source TEXT NOT NULL, line INTEGER NOT NULL,
  PRIMARY KEY(document, number)) WITHOUT ROWID;
CREATE INDEX rule_parent ON rule(document, parent, pos);
CREATE INDEX rule_pos ON rule(document, pos);
CREATE TABLE edition_rule(
  document TEXT NOT NULL, number TEXT NOT NULL, pos INTEGER NOT NULL, parent TEXT, depth INTEGER NOT NULL,
  heading INTEGER NOT NULL, statement TEXT NOT NULL, text TEXT NOT NULL, parts TEXT NOT NULL, line INTEGER NOT NULL,
  PRIMARY KEY(document, number)) WITHOUT ROWID;
CREATE TABLE card_text(name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE ruling(
  id TEXT PRIMARY KEY, pos INTEGER NOT NULL, title TEXT NOT NULL, document TEXT NOT NULL, line INTEGER NOT NULL,
  verdict TEXT NOT NULL, answer TEXT NOT NULL, path TEXT NOT NULL, json TEXT NOT NULL);
CREATE INDEX ruling_origin ON ruling(document, line);
CREATE TABLE claim(
  ruling TEXT NOT NULL, id TEXT NOT NULL, pos INTEGER NOT NULL, says TEXT NOT NULL, documentary TEXT NOT NULL,
  PRIMARY KEY(ruling, id)) WITHOUT ROWID;
CREATE TABLE card(name TEXT PRIMARY KEY, pos INTEGER NOT NULL, type TEXT NOT NULL, json TEXT NOT NULL);
CREATE TABLE name(key TEXT PRIMARY KEY, kind TEXT NOT NULL, how TEXT NOT NULL, candidates TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE common_word(word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE term(term TEXT PRIMARY KEY, kind TEXT NOT NULL, json TEXT NOT NULL);
CREATE TABLE scenario(id TEXT PRIMARY KEY, path TEXT NOT NULL, ruling TEXT);
CREATE INDEX scenario_ruling ON scenario(ruling);
CREATE TABLE faq(document TEXT NOT NULL, line INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY(document, line));
CREATE TABLE xref(
  kind TEXT NOT NULL, src_kind TEXT NOT NULL, src TEXT NOT NULL, dst_kind TEXT NOT NULL, dst TEXT NOT NULL,
  detail TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(src_kind, src, kind, dst_kind, dst, detail)) WITHOUT ROWID;
CREATE INDEX xref_back ON xref(dst_kind, dst, kind);
CREATE TABLE passage(
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, part TEXT NOT NULL, title TEXT NOT NULL,
  text TEXT NOT NULL);
CREATE INDEX passage_target ON passage(kind, target);
CREATE VIRTUAL TABLE passage_fts USING fts5(
  title, text, content='passage', content_rowid='id', tokenize="{TOKENIZER}");
"""

BASE_TABLES = (
    "passage_fts", "passage", "meta", "rule", "ruling", "claim", "card", "name", "common_word", "term",
    "scenario", "faq", "xref", "edition_rule", "card_text",
)  # fmt: skip

VERDICT = """
CREATE TABLE IF NOT EXISTS verdict(
  ruling TEXT NOT NULL, claim TEXT NOT NULL, verdict TEXT NOT NULL, standing TEXT NOT NULL, hash TEXT NOT NULL,
  json TEXT NOT NULL, PRIMARY KEY(ruling, claim)) WITHOUT ROWID;
"""
