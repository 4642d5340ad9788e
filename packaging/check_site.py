"""Checks that every relative link of a built site leads to a file, and every anchor to an element.

usage: check_site.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the names of one page."""

    def __init__(self, path):
        super().__init__()
        self.links = []
        self.names = {"top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.names.add(value)
            if name in ("href", "src") and value and tag != "base":
                self.links.append(value)


def broken(folder):
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    count = 0
    for path, page in pages.items():
        # One page with the text of all others, and one that is shown at any address.
        if path.name in ("print.html", "404.html"):
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file() or folder not in target.parents:
                yield f"{path.relative_to(folder)}: no such file: {link}"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                yield f"{path.relative_to(folder)}: no such anchor: {link}"
    if count < 100:
        yield f"only {count} links in {len(pages)} pages of {folder}"
    print(f"{count} links in {len(pages)} pages")


def main():
    wrong = list(broken(Path(sys.argv[1]).resolve()))
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()
