"""Writes the pictures of docs/images: shoot.py [DIRECTORY]."""

import pathlib
import sys

from page import Page
from product import ROOT, Product
from samples import SAMPLES

SHOTS = [("wide", 1366, "light"), ("medium", 820, "light"), ("narrow", 390, "light"), ("dark", 1366, "dark")]


def main(directory):
    directory.mkdir(parents=True, exist_ok=True)
    product = Product(SAMPLES)
    page = Page()
    try:
        for name, width, scheme in SHOTS:
            page.forget()
            page.media(prefers_color_scheme=scheme)
            page.resize(width, 820)
            page.open(product.url + "#/recipes/breakfast/shakshuka")
            page.until("it is open", "test.titles().detail === 'Shakshuka'")
            page.drawn()
            page.shoot(directory / f"web-{name}.png")
    finally:
        page.close()
        product.close()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
