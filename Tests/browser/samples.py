"""Catalogs for the tests."""

import json

from product import ROOT

SAMPLES = [ROOT / "deploy" / "catalogs" / f"{name}.json" for name in ("recipes", "bands", "folders", "notes")]


def long_catalog(path, count, title="Item"):
    """A catalog `long` with one category of `count` items, `Item 0` first."""
    with open(path, "w", encoding="utf-8") as file:
        def write(change):
            file.write(json.dumps(change) + "\n")
        write({"catalog": "long"})
        write({"op": "putCatalog", "title": "A long one"})
        write({"op": "putCategory", "category": {"id": "all", "title": "All of them"}})
        for index in range(count):
            write({"op": "putItem", "item": {"id": f"i{index}", "title": f"{title} {index}", "subtitle": f"Number {index}",
                                             "categories": ["all"], "blocks": [{"kind": "text", "text": f"Text {index}"}]}})
    return path
