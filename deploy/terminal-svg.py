#!/usr/bin/env python3
"""usage: terminal-svg.py COLUMNS ROWS < SCREEN > IMAGE.svg

Draws what `tmux capture-pane -p -e` prints as an SVG image, cell by cell, in quiet colours.
"""
import re
import sys
import unicodedata
from xml.sax.saxutils import escape

CELL, LINE, PADDING = 8.43, 16.5, 14
GROUND, TEXT, FAINT = "#1e2127", "#d7dae0", "#7f8694"
PALETTE = ["#1e2127", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"]


def cells(line, state):
    """The characters of a line with their widths and styles; a style goes on in the next line."""
    for code, text in re.findall(r"\x1b\[([0-9;]*)m|([^\x1b])", line):
        if text:
            width = 0 if unicodedata.combining(text) else 2 if unicodedata.east_asian_width(text) in "WF" else 1
            yield text, width, state["colour"], frozenset(state["flags"])
            continue
        for number in (int(part or 0) for part in code.split(";")):
            if number == 0:
                state["colour"], state["flags"] = None, set()
            elif number in (1, 2, 4, 7):
                state["flags"].add(number)
            elif number in (22, 24, 27):
                state["flags"] -= {22: {1, 2}, 24: {4}, 27: {7}}[number]
            elif 30 <= number <= 37:
                state["colour"] = PALETTE[number - 30]
            elif number == 39:
                state["colour"] = None


def runs(line, state):
    """Neighbours of one style together: their text, first cell, number of cells, and style."""
    column, run = 0, None
    for text, width, colour, flags in cells(line, state):
        if run and run[3:] == [colour, flags]:
            run[0] += text
            run[2] += width
        else:
            if run:
                yield run
            run = [text, column, width, colour, flags]
        column += width
    if run:
        yield run


def main():
    columns, rows = int(sys.argv[1]), int(sys.argv[2])
    width, height = columns * CELL + 2 * PADDING, rows * LINE + 2 * PADDING
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
          f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">')
    print(f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>')
    state = {"colour": None, "flags": set()}
    for row, line in enumerate(sys.stdin.read().split("\n")[:rows]):
        for text, column, count, colour, flags in runs(line, state):
            x, y = PADDING + column * CELL, PADDING + row * LINE
            fill = colour or (FAINT if 2 in flags else TEXT)
            if 7 in flags:
                print(f'<rect x="{x:.1f}" y="{y:.1f}" width="{count * CELL:.1f}" height="{LINE}" fill="{fill}"/>')
                fill = GROUND
            if not text.strip():
                continue
            more = ' font-weight="bold"' if 1 in flags else ""
            more += ' text-decoration="underline"' if 4 in flags else ""
            print(f'<text x="{x:.1f}" y="{y + 12.8:.1f}" textLength="{count * CELL:.1f}" fill="{fill}"{more}>'
                  f"{escape(text)}</text>")
    print("</svg>")


main()
