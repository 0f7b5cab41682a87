#!/usr/bin/python3
"""How long the page takes to show what it was sent: web-paint.py [CLICKS]

It starts all services and a headless Chromium, and measures in the page itself:
  first paint  from the arrival of the first view to the frame in which it is drawn
  click        from a click on a row to the frame in which its answer is drawn, through bridge, gateway and services
TRIPTYCH_BIN names the directory of the programs (default: .build/release).
"""

import os
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TRIPTYCH_BIN", str(ROOT / ".build" / "release"))
sys.path.insert(0, str(ROOT / "Tests" / "browser"))

from page import Page  # noqa: E402
from product import Product  # noqa: E402
from samples import SAMPLES  # noqa: E402

LOADS = 10
# In the page: the time of the frame that follows the next drawing.
CLICK = """(() => new Promise((resolve) => {
    const rows = document.querySelectorAll('#content .box .row');
    const row = rows[arguments[0] % rows.length];
    performance.clearMarks();
    const begin = performance.now();
    row.click();
    const look = () => {
        const painted = performance.getEntriesByName('view-painted').at(-1);
        if (painted) resolve(painted.startTime - begin); else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}))()"""
FIRST = """(() => {
    const heard = performance.getEntriesByName('view-first')[0], painted = performance.getEntriesByName('view-painted')[0];
    return heard && painted ? [painted.startTime - heard.startTime, painted.startTime] : null;
})()"""


def line(name, values, bar):
    values = sorted(values)
    median = statistics.median(values)
    print(f"{name:12} median {median:6.1f} ms   90% {values[int(len(values) * 0.9)]:6.1f} ms   max {values[-1]:6.1f} ms"
          f"   bar {bar} ms: {'held' if median < bar else 'MISSED'}")
    return median < bar


def main(clicks):
    product = Product(SAMPLES)
    page = Page()
    try:
        first, whole = [], []
        for _ in range(LOADS):
            page.open(product.url + "#/recipes")
            answer, loaded = page.until("it is painted", FIRST)
            first.append(answer)
            whole.append(loaded)
        page.open(product.url + "#/recipes/mains")
        page.until("the list is there", "test.titles().content === 'Mains'")
        page.drawn()
        times = [page.run(CLICK, number) for number in range(1, clicks + 1)]
        is_good = line("first paint", first, 100)
        print(f"{'':12} median {statistics.median(whole):6.1f} ms from the start of loading")
        is_good &= line("click", times, 30)
        return 0 if is_good else 1
    finally:
        page.close()
        product.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--help"]:
        print(__doc__)
        sys.exit(0)
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
