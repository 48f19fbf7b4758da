"""Pages that are made, in the table of contents; and what the theme would fetch from a network comes with the site instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# Pages that are not there without what they are made with.
OPTIONAL = {"reference/r.md"}
SHIM = "https://unpkg.com/iframe-worker/shim"


def on_config(config: Any) -> Any:
    """Folders of made pages are listed below their index; optional pages, where they were made."""
    def is_there(entry: Any) -> bool:
        value = next(iter(entry.values()))
        return isinstance(value, list) or value not in OPTIONAL or Path(config.docs_dir, value).exists()

    def listed(entry: Any) -> Any:
        (name, value), = entry.items()
        if isinstance(value, list):
            return {name: [listed(one) for one in value if is_there(one)]}
        folder = Path(config.docs_dir, value).parent
        if not value.endswith("/index.md"):
            return entry
        pages = sorted(page.name for page in folder.glob("*.md") if page.name != "index.md")
        return {name: [value, *(f"{Path(value).parent}/{page}" for page in pages)]}

    config.nav = [listed(entry) for entry in config.nav]
    return config


def on_post_page(output: str, page: Any, config: Any) -> str:
    return output.replace(SHIM, "../" * page.url.count("/") + "worker.js")


def on_post_template(output_content: str, template_name: str, config: Any) -> str:
    return output_content.replace(SHIM, "/worker.js")
