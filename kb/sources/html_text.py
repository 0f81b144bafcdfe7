"""HTML as rows: a block is a row, nested lists keep their text, nothing invisible comes along."""

from __future__ import annotations

from html.parser import HTMLParser

from kb.sources.raw import Raw, Row
from kb.sources.tidy import tidy

_BLOCKS = frozenset(
    "address article aside blockquote body br caption dd details div dl dt figcaption figure footer form h1 h2 h3 h4 "
    "h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead title tr ul".split()
)
_UNSEEN = frozenset(("script", "style", "template", "noscript", "svg", "title", "head"))
_STRUCK = frozenset(("del", "s", "strike"))


def looks_like_html(text: str) -> bool:
    """Whether the text is a web page or a piece of one."""
    start = text.lstrip()[:2000].lower()
    return start.startswith(("<!doctype html", "<html", "<body", "<div", "<p>", "<p ", "<h1", "<ol", "<ul", "<article"))


def read_html(text: str) -> Raw:
    """The visible text of a page, a row for each block. Deleted text (<del>) is not visible text of a rule."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.end_row()
    return Raw("html", reader.rows)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[Row] = []
        self.said: list[str] = []
        self.unseen = 0
        self.line = 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.end_row()
        if tag in _UNSEEN or tag in _STRUCK:
            self.unseen += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.end_row()

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.end_row()
        if tag in _UNSEEN or tag in _STRUCK:
            self.unseen = max(0, self.unseen - 1)

    def handle_data(self, data: str) -> None:
        if self.unseen:
            return
        if not self.said:
            self.line = self.getpos()[0]
        self.said.append(data)

    def end_row(self) -> None:
        """Finish the row that is being read."""
        text = " ".join(tidy("".join(self.said)).split())
        if text:
            self.rows.append(Row(text, self.line))
        self.said = []
