"""Views whose ids, titles and statuses are drawn by lot: the page shows exactly what they say, and sends exactly the
events that are in them. A failure prints its seed; `SEED` repeats it."""

import os
import random
import unittest

from fake import FakeGateway, difference
from page import Page
from product import Product

VIEWS = 60
TEXTS = ["Plain", "a longer one that has no place in a narrow column, and goes on", "<b>bold</b> & \"quoted\"", "مرحبا", "שלום",
         "日本語", "👩‍👩‍👧 emoji", "tab\tand  spaces", "~/tilde~1", "line\nbreak", "__proto__", "ﬁ ligature", "é and é"]
PLACES = ("sidebar", "content", "detail")


class Lot:
    """Draws views by lot."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0

    def text(self):
        self.count += 1
        return f"{self.random.choice(TEXTS)} {self.count}"

    def maybe(self, make, share=0.5):
        return make() if self.random.random() < share else None

    def event(self):
        return {"type": "select", "column": self.random.choice(PLACES), "id": self.text(), "extra": [1, {"a": None}]}

    def button(self):
        return self.maybe(lambda: {"event": self.event()})

    def icon(self):
        return self.random.choice([None, "book", "sunrise", "no such icon", "constructor", self.text()])

    def id(self):
        # Some ids come back, so that rows move.
        return f"id {self.random.randrange(30)}"

    def rows(self, make, most=8):
        ids = list(dict.fromkeys(self.id() for _ in range(self.random.randrange(most))))
        return [dict(make(), id=one) for one in ids]

    def category(self):
        return {"title": self.text(), "icon": self.icon(), "badge": self.maybe(self.text), "count": self.random.randrange(2000),
                "depth": self.random.randrange(4), "selected": self.random.random() < 0.3, "event": self.event(),
                "disclosure": self.maybe(lambda: {"expanded": self.random.random() < 0.5, "event": self.event()})}

    def item(self):
        return {"title": self.text(), "subtitle": self.maybe(self.text), "icon": self.icon(), "badge": self.maybe(self.text),
                "date": self.maybe(lambda: "2026-03-01T12:00:00Z"), "selected": self.random.random() < 0.3, "event": self.event()}

    def placeholder(self):
        return {"title": self.text(), "hint": self.text(), "icon": self.icon()}

    def page(self, rows):
        return {"total": rows + self.random.choice([0, 0, 5000]), "totalCapped": self.random.random() < 0.2, "first": 0,
                "before": None, "after": None, "selectedIndex": None}

    def lists(self, rows):
        options = [{"title": title, "event": {"type": "sort", "by": by, "descending": descending}} for title, by, descending in
                   (("Position", "position", False), ("Title", "title", False), ("Title, descending", "title", True))]
        chosen = self.random.choice(options)["event"]
        return {"page": self.page(rows), "hiddenByFilter": self.random.random() < 0.3,
                "search": {"text": self.random.choice(["", "soup"]), "scope": "category", "event": {"type": "search", "scope": "category"}},
                "sort": {"by": chosen["by"], "descending": chosen["descending"], "options": options}}

    def sidebar(self, is_of_items):
        status = self.random.choice(["ready", "empty", "stale", "unavailable"])
        has_rows = status in ("ready", "stale")
        sections = [{"title": self.maybe(self.text), "rows": rows} for rows in (
            self.rows(self.item if is_of_items else self.category) for _ in range(self.random.randrange(4))) if rows] if has_rows else []
        if is_of_items:  # an item's id is one row's
            seen = set()
            for section in sections:
                section["rows"] = [row for row in section["rows"] if row["id"] not in seen and not seen.add(row["id"])]
            sections = [section for section in sections if section["rows"]]
        model = {"status": status, "title": self.text(), "header": self.maybe(self.text), "sections": sections,
                 "placeholder": None if has_rows else self.placeholder()}
        return dict(model, **(self.lists(sum(len(one["rows"]) for one in sections)) if is_of_items else {}))

    def content(self):
        status = self.random.choice(["ready", "empty", "noSelection", "missing", "stale", "unavailable"])
        has_rows = status in ("ready", "stale")
        rows = self.rows(self.item) if has_rows else []
        folders = self.rows(self.category, 3) if has_rows else []
        model = dict({"status": status, "title": self.text(), "folders": folders, "rows": rows, "path": [],
                      "placeholder": None if has_rows else self.placeholder()}, **self.lists(len(rows)))
        if status in ("noSelection", "missing", "unavailable"):
            model.update(title=None, page=None, search=None, sort=None, hiddenByFilter=False)
        return model

    def block(self):
        return self.random.choice([
            lambda: {"kind": "text", "text": self.text()},
            lambda: {"kind": "fields", "fields": [{"label": self.text(), "value": self.text()} for _ in range(3)]},
            lambda: {"kind": "image", "label": self.text(), "source": self.random.choice(
                ["data:image/gif;base64,R0lGODlhAQABAAAAACw=", "http://elsewhere.example/x.png", "javascript:alert(1)", "data:text/html,x"])},
            lambda: {"kind": "links", "links": [{"title": self.text(), "item": self.text(), "event": self.maybe(self.event)}
                                                for _ in range(2)]},
        ])()

    def detail(self):
        status = self.random.choice(["ready", "noSelection", "multiple", "missing", "stale", "unavailable"])
        model = {"status": status, "id": None, "title": None, "subtitle": None, "icon": None, "badge": None, "date": None, "blocks": [],
                 "path": [], "selectedCount": 1, "placeholder": None}
        if status == "multiple":
            return dict(model, selectedCount=self.random.randrange(2, 50))
        if status not in ("ready", "stale"):
            return dict(model, placeholder=self.placeholder())
        return dict(model, id=self.id(), title=self.text(), subtitle=self.maybe(self.text), icon=self.icon(), badge=self.maybe(self.text),
                    date=self.maybe(lambda: "2026-03-01T12:00:00Z"), blocks=[self.block() for _ in range(self.random.randrange(5))])

    def layout(self, width, columns):
        places, x = [], 0
        shown = [name for name in columns if self.random.random() < 0.8] or [columns[-1]]
        for name in columns:
            is_shown = name in shown
            share = round(width / len(shown), 1)
            places.append({"column": name, "visible": is_shown, "x": x if is_shown else None, "width": share if is_shown else None,
                           "overlay": is_shown and name != shown[-1] and self.random.random() < 0.2})
            x += share if is_shown else 0
        is_collapsed = self.random.random() < 0.2
        return {"width": width, "sizeClass": "regular", "collapsed": is_collapsed, "visibility": {"requested": "automatic", "resolved": "all"},
                "style": {"requested": "automatic", "resolved": "balanced"}, "presentation": "stack" if is_collapsed else "tiled",
                "columns": places, "stack": [], "top": shown[-1] if is_collapsed else None,
                "sidebarToggle": self.maybe(lambda: {"icon": self.random.choice(["sidebar", "chevron"]), "event": self.event()}),
                "dismiss": self.button(), "back": self.maybe(lambda: {"title": self.maybe(self.text, 0.8), "event": self.event()})}

    def view(self, width=1366):
        is_of_items = self.random.random() < 0.2
        columns = ["sidebar", "detail"] if is_of_items else list(PLACES)
        self.count += 1
        return {"schema": "triptych.view/1", "session": self.text(), "revision": self.count,
                "catalog": {"id": self.random.choice(["one", "two"]), "title": self.text(), "revision": 1},
                "layout": self.layout(width, columns), "sidebar": self.sidebar(is_of_items), "content": None if is_of_items else self.content(),
                "detail": self.detail(), "history": {"back": self.button(), "forward": self.button()}}


def thousands(number):
    return f"{number:,}"


def drawn_row(row):
    badge = row["badge"] if row["badge"] is not None else (thousands(row["count"]) if row.get("count") else None)
    disclosure = row.get("disclosure")
    return {"title": row["title"], "subtitle": row.get("subtitle"), "date": "Mar 1, 2026" if row.get("date") else None, "badge": badge,
            "selected": row["selected"], "expanded": None if not disclosure else ("true" if disclosure["expanded"] else "false"),
            "hasIcon": row["icon"] is not None}


def drawn_list(model, is_tree):
    groups = model["sections"] if "sections" in model else [{"title": None, "rows": model["rows"]}]
    rows = [row for group in groups for row in group["rows"]]
    page = model.get("page")
    notes = [model.get("header")]
    if page and model["status"] != "unavailable" and (page["total"] > 0 or model["search"]["text"]):
        notes.append(f"{thousands(page['total'])}{'+' if page['totalCapped'] else ''} {'item' if page['total'] == 1 else 'items'}")
    notes += ["This is what was last known." if model["status"] == "stale" else None,
              "What is selected is not among these." if model.get("hiddenByFilter") else None]
    sort = model.get("sort")
    return {
        "title": model["title"], "placeholder": shown(model["placeholder"]), "note": " · ".join(filter(None, notes)) or None,
        "role": "tree" if is_tree else "listbox", "search": model["search"]["text"] if model.get("search") else None,
        "sort": sort and {"options": [one["title"] for one in sort["options"]], "chosen": next(
            index for index, one in enumerate(sort["options"])
            if (one["event"]["by"], one["event"]["descending"]) == (sort["by"], sort["descending"]))},
        "folders": [drawn_row(row) for row in model.get("folders", [])],
        "groups": [{"title": group["title"], "rows": [drawn_row(row) for row in group["rows"]]} for group in groups],
        "levels": [str(row["depth"] + 1) if is_tree else None for row in rows],
        "positions": positions(groups) if is_tree else list(range(1, len(rows) + 1)),
    }


def positions(groups):
    """Position of each row among its siblings: those of its depth, up to a row of less depth."""
    made = []
    for group in groups:
        counts = []
        for row in group["rows"]:
            counts = counts[:row["depth"] + 1] + [0] * (row["depth"] + 1 - len(counts))
            counts[row["depth"]] += 1
            made.append(counts[row["depth"]])
    return made


def shown(placeholder):
    return placeholder and {"title": placeholder["title"], "hint": placeholder["hint"]}


def drawn_block(block):
    if block["kind"] == "image":
        return dict(block, source=block["source"] if block["source"].startswith("data:image/") else None)
    if block["kind"] == "links":
        return {"kind": "links", "links": [{"title": one["title"], "isEnabled": one["event"] is not None} for one in block["links"]]}
    return block


def screen(view):
    """What is to be seen of a view."""
    layout, detail = view["layout"], view["detail"]
    is_shown = {one["column"]: one["visible"] for one in layout["columns"]}
    return {
        "sidebar": drawn_list(view["sidebar"], view["content"] is not None) if is_shown["sidebar"] else None,
        "content": drawn_list(view["content"], False) if is_shown.get("content") else None,
        "detail": {
            "title": f"{detail['selectedCount']} items selected" if detail["status"] == "multiple" else detail["title"],
            "placeholder": shown(detail["placeholder"]), "subtitle": detail["subtitle"], "badge": detail["badge"],
            "date": "Mar 1, 2026" if detail["date"] else None,
            "note": "This is what was last known." if detail["status"] == "stale" else None,
            "blocks": [drawn_block(block) for block in detail["blocks"]]} if is_shown["detail"] else None,
        "toggle": layout["sidebarToggle"] is not None, "dismiss": layout["dismiss"] is not None,
        "back": layout["back"] and (layout["back"]["title"] or "Back"), "older": view["history"]["back"] is not None,
        "newer": view["history"]["forward"] is not None, "where": None if layout["collapsed"] else view["catalog"]["title"],
    }


class RandomViews(unittest.TestCase):
    maxDiff = None

    def test_the_page_shows_exactly_what_views_say_and_sends_their_events(self):
        seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
        lot = Lot(seed)
        product = Product(gateway=False)
        gateway = FakeGateway(product.socket("gateway"), lot.view())
        page = Page()
        try:
            page.open(product.url)
            for number in range(VIEWS):
                with self.subTest(seed=seed, view=number):
                    self.check(page, gateway)
                    self.use(page, gateway, lot)
                gateway.show(lot.view(), difference if lot.random.random() < 0.7 else None)
            self.assertEqual(page.complaints(), [])
        finally:
            page.close()
            gateway.close()
            product.close()

    def check(self, page, gateway):
        page.until("it has come", "test.view?.revision === arguments[0]", gateway.view["revision"])
        page.drawn()
        self.assertEqual(page.view, gateway.view)
        drawn = page.run("test.screen()")
        columns = drawn.pop("columns")
        self.assertEqual(drawn, screen(gateway.view))
        wanted = [one for one in gateway.view["layout"]["columns"] if one["visible"]]
        self.assertEqual([(one["column"], one["overlay"]) for one in columns], [(one["column"], one["overlay"]) for one in wanted])
        for one, other in zip(columns, wanted):
            self.assertAlmostEqual(one["x"], other["x"], delta=0.51)
            self.assertAlmostEqual(one["width"], other["width"], delta=0.51)

    def use(self, page, gateway, lot):
        """Clicks something, and looks at what the gateway was sent."""
        view, layout = gateway.view, gateway.view["layout"]
        shown = {one["column"] for one in layout["columns"] if one["visible"]}
        targets = []
        for column, groups in (("sidebar", view["sidebar"]["sections"]), ("content", [view["content"]] if view["content"] else [])):
            rows = [row for group in groups for row in group["rows"]] if column in shown else []
            for index, row in enumerate(rows):
                targets.append((f"document.querySelectorAll('#{column} .box .row')[{index}].click()", row["event"]))
                if row.get("disclosure"):
                    targets.append((f"document.querySelectorAll('#{column} .box .row')[{index}].querySelector('.disclosure').dispatchEvent("
                                    "new MouseEvent('click', {bubbles: true}))", row["disclosure"]["event"]))
        for name, button in (("toggle", layout["sidebarToggle"]), ("back", layout["back"]), ("dismiss", layout["dismiss"])):
            if button:
                targets.append((f"document.getElementById('{name}').click()", button["event"]))
        links = [link for block in view["detail"]["blocks"] if block["kind"] == "links" for link in block["links"]]
        for index, link in enumerate(links):
            if link["event"] and "detail" in shown:
                targets.append((f"document.querySelectorAll('.link')[{index}].click()", link["event"]))
        if targets:
            script, event = lot.random.choice(targets)
            page.run(script)
            self.assertEqual(gateway.sent(), event)


if __name__ == "__main__":
    unittest.main()
