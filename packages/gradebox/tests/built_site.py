"""Reads the pages of a built website: links, anchors, pictures and titles."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


@dataclass
class Page:
    """What a test asks of a page."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    alts: list[str] = field(default_factory=list)
    title: str = ""


class PageReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page, self.inside = Page(), ""

    def handle_starttag(self, tag, attrs):
        given, self.inside = dict(attrs), tag
        if "id" in given:
            self.page.anchors.add(given["id"])
        if tag == "a" and "href" in given:
            self.page.links.append(given["href"])
        self.page.loaded += [given[key] for key in ("src", "srcset", "poster") if given.get(key)]
        if tag == "link" and given.get("rel") not in ("next", "prev", "search", "index", "author"):
            self.page.loaded.append(given["href"])
        if tag == "img":
            self.page.alts.append(given.get("alt", ""))

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside == "title":
            self.page.title += data.strip()


def read_pages(site: Path) -> dict[Path, Page]:
    """The pages of a site, by path, without those of the theme."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        if path.relative_to(site).parts[0] != "_static":
            reader = PageReader()
            reader.feed(path.read_text(encoding="utf-8"))
            found[path] = reader.page
    return found


def find_broken_links(site: Path) -> list[str]:
    """Links and files that lead nowhere: to no file of the site, or to no anchor of a page."""
    pages, broken = read_pages(site), []
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else None
            known = target.is_file() and (not parts.fragment or not anchors or parts.fragment in anchors)
            if not known:
                broken.append(f"{path.relative_to(site)}: {link}")
    return broken
