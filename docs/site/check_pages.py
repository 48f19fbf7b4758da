"""Every link of the built site leads to a page, and to a place on it that is there; nothing is fetched from a network.

    check_pages.py SITE
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.names |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if "src" in values or (tag == "link" and values.get("rel") in ("stylesheet", "icon")):
            self.loads.append(values.get("src") or values["href"])


def mistakes(site: Path) -> list[str]:
    pages = {}
    for path in sorted(site.rglob("*.html")):
        pages[path] = Page()
        pages[path].feed(path.read_text(encoding="utf-8"))
    found = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            where = f"{path.relative_to(site)}: {link}"
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    found.append(f"{where} is fetched from a network")
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if path.name == "404.html":
                continue  # is served from anywhere, with links from the root
            if not goal.exists():
                found.append(f"{where} leads nowhere")
            elif parts.fragment and goal in pages and unquote(parts.fragment) not in pages[goal].names | {"__top"}:
                found.append(f"{where}: the page has no such place")
    return found


def main() -> None:
    site = Path(sys.argv[1]).resolve()
    found = mistakes(site)
    for one in found:
        print(one)
    pages = len(list(site.rglob("*.html")))
    print(f"{pages} pages, {len(found)} links that are wrong")
    sys.exit(1 if found or pages < 20 else 0)


if __name__ == "__main__":
    main()
