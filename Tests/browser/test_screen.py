"""What the page shows of the sample catalogs, with the real services."""

import json
import unittest

from page import Page
from product import Product, until
from samples import SAMPLES, long_catalog

LONG = 5000


def setUpModule():
    global product, page
    product = Product(SAMPLES)
    product.load([long_catalog(product.directory / "long.ndjson", LONG)])
    page = Page()


def tearDownModule():
    page.close()
    product.close()


class Screen(unittest.TestCase):
    """Each test is another person, with an empty session."""

    def setUp(self):
        page.forget()
        page.resize(1366)
        page.media()

    def tearDown(self):
        self.assertEqual(page.complaints(), [])

    def open(self, address=""):
        page.open(product.url + address)
        page.drawn()

    def choose(self, column, title):
        page.click(f"#{column} .row", title)
        page.until(f"{title} is shown", "Object.values(test.titles()).some((one) => one === arguments[0])", title)
        page.drawn()

    def assertColumnsAreThoseOfTheView(self):
        wanted = [{"column": one["column"], "x": one["x"], "width": one["width"], "overlay": one["overlay"]}
                  for one in page.view["layout"]["columns"] if one["visible"]]
        for drawn, want in zip(page.columns(), wanted, strict=True):
            self.assertEqual((drawn["column"], drawn["overlay"]), (want["column"], want["overlay"]))
            self.assertAlmostEqual(drawn["x"], want["x"], delta=0.51)
            self.assertAlmostEqual(drawn["width"], want["width"], delta=0.51)


class Widths(Screen):
    def test_columns_are_where_the_view_says_at_each_width(self):
        for width, shown in ((1366, ["sidebar", "content", "detail"]), (820, ["content", "detail"]), (390, ["detail"])):
            with self.subTest(width=width):
                page.resize(width)
                self.open("#/recipes/breakfast/shakshuka")
                page.until("it is open", "test.titles().detail === 'Shakshuka'")
                page.drawn()
                self.assertEqual([one["column"] for one in page.columns()], shown)
                self.assertColumnsAreThoseOfTheView()

    def test_it_follows_its_window_while_it_runs(self):
        self.open("#/recipes/breakfast/shakshuka")
        for width in (1366, 820, 390, 700, 1024, 390, 1366):
            with self.subTest(width=width):
                page.resize(width)
                page.until("the view has that width", "test.view.layout.width === arguments[0]", width)
                page.drawn()
                self.assertColumnsAreThoseOfTheView()
                self.assertEqual(page.titles()["detail"], "Shakshuka")

    def test_an_overlay_is_above_and_goes_by_a_click_beside_it_or_escape(self):
        page.resize(820)
        self.open("#/recipes/breakfast/shakshuka")
        for leave in (lambda: page.press("escape"), lambda: page.run("document.getElementById('dismiss').click()")):
            page.until("it can come", "!document.getElementById('toggle').hidden")
            page.click("#toggle")
            page.until("the sidebar is there", "test.columns().some((one) => one.column === 'sidebar')")
            page.drawn()
            self.assertColumnsAreThoseOfTheView()
            if not page.view["layout"]["dismiss"]:
                break
            self.assertTrue(page.run("document.elementFromPoint(100, 300).closest('#sidebar') !== null"))
            leave()
            page.until("the sidebar has gone", "test.columns().every((one) => one.column !== 'sidebar')")

    def test_nothing_jumps(self):
        self.open()
        page.run("test.shift = 0")
        self.choose("sidebar", "Soups")
        self.choose("content", page.rows("content")[1])
        self.assertLess(page.run("test.shift"), 0.01)

    def test_from_right_to_left_it_is_mirrored(self):
        other = Page(language="ar")
        try:
            other.open(product.url + "#/recipes/breakfast/shakshuka")
            other.drawn()
            self.assertEqual(other.run("document.documentElement.dir"), "rtl")
            wanted = [(one["column"], one["x"]) for one in other.view["layout"]["columns"]]
            for drawn, (name, x) in zip(other.columns(), wanted, strict=True):
                self.assertEqual(drawn["column"], name)
                self.assertAlmostEqual(drawn["x"], x, delta=0.51)
            self.assertEqual(other.run("getComputedStyle(document.querySelector('#detail .text')).direction"), "ltr")
        finally:
            other.close()

    def test_dark_and_printed(self):
        self.open("#/recipes/breakfast/shakshuka")
        light = page.run("getComputedStyle(document.body).backgroundColor")
        page.media(prefers_color_scheme="dark")
        self.assertNotEqual(page.run("getComputedStyle(document.body).backgroundColor"), light)
        page.command("Emulation.setEmulatedMedia", media="print")
        self.assertEqual([one["column"] for one in page.columns()], ["detail"])
        page.command("Emulation.setEmulatedMedia", media="")
        page.forget()
        page.resize(390)
        self.open("#/recipes/soups")
        page.until("the list is there", "test.columns()[0].column === 'content'")
        page.command("Emulation.setEmulatedMedia", media="print")
        self.assertEqual([one["column"] for one in page.columns()], ["content"])
        self.assertEqual(len(page.rows("content")), 5)
        page.command("Emulation.setEmulatedMedia", media="")

    def test_what_is_selected_is_seen_in_forced_colours(self):
        self.open("#/recipes/breakfast/shakshuka")
        page.media(forced_colors="active")
        marked = page.run("[...document.querySelectorAll('.row')].filter((row) => row.checkVisibility() && "
                          "parseFloat(getComputedStyle(row).borderInlineStartWidth) > 0).map((row) => row.row.title)")
        self.assertEqual(marked, ["Breakfast", "Shakshuka"])

    def test_columns_at_the_edge_have_no_line_there(self):
        for width in (1366, 820, 390):
            page.resize(width)
            self.open("#/recipes/breakfast/shakshuka")
            page.until("it has that width", "test.view.layout.width === arguments[0]", width)
            page.drawn()
            first = page.columns()[0]["column"]
            self.assertEqual(page.run("getComputedStyle(document.getElementById(arguments[0])).borderInlineStartWidth", first), "0px")

    def test_all_icons_of_the_samples_are_drawn(self):
        def icons(thing):
            if isinstance(thing, dict):
                return ({thing["icon"]} if isinstance(thing.get("icon"), str) else set()).union(*map(icons, thing.values()))
            return set().union(*map(icons, thing)) if isinstance(thing, list) else set()
        names = sorted(set().union(*(icons(json.loads(path.read_text())) for path in SAMPLES)))
        self.assertGreater(len(names), 20)
        self.open()
        self.assertEqual(page.run("import('/dom.js').then(({ icon }) => arguments[0].filter((name) => "
                                  "icon(name).innerHTML === icon('nothing').innerHTML))", names), [])


class Keyboard(Screen):
    def test_all_of_it_can_be_done_without_a_mouse(self):
        self.open()
        page.press("tab")
        while page.focus["column"] != "sidebar":
            page.press("tab")
        self.assertEqual(page.focus["role"], "treeitem")
        page.press("down", "down", "enter")
        page.until("a list is shown", "test.view.content.rows.length > 0")
        page.drawn()
        self.assertEqual(page.focus["text"], "Mains")
        self.assertEqual(page.titles()["content"], "Mains")
        while page.focus["column"] != "content" or page.focus["role"] != "option":
            page.press("tab")
        page.press("down", "space")
        page.until("an item is shown", "test.view.detail.id !== null")
        page.drawn()
        title = page.view["content"]["rows"][1]["title"]
        self.assertEqual((page.focus["text"], page.titles()["detail"]), (title, title))
        page.press("home", "end")
        self.assertEqual(page.focus["text"], page.rows("content")[-1])
        page.press(page.rows("content")[2][0].lower())
        self.assertEqual(page.focus["role"], "option")

    def test_letters_find_a_row(self):
        self.open("#/recipes/breakfast")
        while page.focus["role"] != "option":
            page.press("tab")
        page.run("void Object.defineProperty(Event.prototype, 'timeStamp', { get: () => test.now })")
        for now, (letters, title) in enumerate((
                ("ba", "Banana Bread"), ("B", "Buttermilk Pancakes"), ("Honey", "Honey Granola"), ("bb", "Buttermilk Pancakes"))):
            page.run("test.now = arguments[0]", now * 2000)
            page.press(letters)
            self.assertEqual(page.focus["text"], title)

    def test_each_list_is_one_stop(self):
        self.open("#/recipes/breakfast")
        for box in ("#sidebar .box", "#content .box"):
            self.assertEqual(page.run("document.querySelectorAll(`${arguments[0]} .row[tabindex='0']`).length", box), 1)

    def test_a_stack_keeps_the_keyboard(self):
        page.resize(390)
        self.open("#/recipes")
        while page.focus["role"] != "treeitem":
            page.press("tab")
        page.press("down", "enter")
        page.until("the list is on top", "test.columns()[0].column === 'content'")
        page.drawn()
        self.assertEqual((page.focus["column"], page.focus["role"]), ("content", "option"))
        page.press("down", "enter")
        page.until("the item is on top", "test.columns()[0].column === 'detail'")
        page.drawn()
        self.assertEqual((page.focus["column"], page.focus["tag"]), ("detail", "h1"))
        page.click("#back")
        page.until("the list is back", "test.columns()[0].column === 'content'")
        page.drawn()
        self.assertEqual(page.focus["id"], "back")
        page.press("enter")
        page.until("the sidebar is back", "test.columns()[0].column === 'sidebar'")
        page.drawn()
        self.assertEqual(page.focus["text"], "Soups")
        page.press("enter")
        page.until("the list is back", "test.columns()[0].column === 'content'")
        page.drawn()
        page.press("down")
        chosen = page.focus["text"]
        page.resize(1366)
        page.until("all are there", "test.columns().length === 3")
        page.drawn()
        self.assertEqual(page.focus["text"], chosen)
        page.resize(390)
        page.until("one is there", "test.columns().length === 1")
        page.drawn()
        self.assertTrue(page.focus["shown"])

    def test_a_tree_opens_and_closes_with_arrows(self):
        nested = product.directory / "tree.json"
        nested.write_text("""{"catalog":{"id":"tree","title":"Tree"},"categories":[{"id":"a","title":"Alpha"},
            {"id":"b","title":"Beta","parent":"a"},{"id":"c","title":"Gamma","parent":"b"},{"id":"d","title":"Delta"}],
            "items":[]}""")
        product.load([nested])
        self.open("#/tree")
        while page.focus["role"] != "treeitem":
            page.press("tab")
        page.press("right")
        page.until("Beta is there", "test.rows('sidebar').length === 3")
        page.drawn()
        self.assertEqual(page.focus["text"], "Alpha")
        page.press("right", "right")
        page.until("Gamma is there", "test.rows('sidebar').length === 4")
        rows = page.run("test.rows('sidebar')")
        self.assertEqual([(one["title"], one["level"], one["position"], one["size"], one["expanded"]) for one in rows], [
            ("Alpha", "1", 1, 2, "true"), ("Beta", "2", 1, 1, "true"), ("Gamma", "3", 1, 1, None), ("Delta", "1", 2, 2, None)])
        page.press("right")
        self.assertEqual(page.focus["text"], "Gamma")
        page.press("left", "left")
        page.until("Beta is closed", "test.rows('sidebar').length === 3")
        page.press("left")
        self.assertEqual(page.focus["text"], "Alpha")


class ScreenReader(Screen):
    def test_everything_has_its_role_and_name(self):
        self.open("#/recipes/breakfast/shakshuka")
        page.until("it is open", "test.titles().detail === 'Shakshuka'")
        page.drawn()
        tree = page.tree()
        def roles(role):
            return [node for node in tree if node["role"] == role]
        for role in ("button", "treeitem", "option", "searchbox", "combobox", "tree", "listbox", "navigation", "main",
                     "region", "banner", "toolbar", "search", "heading", "image"):
            for node in roles(role):
                if role not in ("banner", "search"):
                    self.assertNotEqual(node["name"].strip(), "", node)
        for role, count in (("banner", 1), ("navigation", 1), ("main", 1), ("region", 1), ("tree", 1), ("listbox", 1)):
            self.assertEqual(len(roles(role)), count, role)
        self.assertEqual([node["name"] for node in roles("treeitem") if node.get("selected")], ["Breakfast 6"])
        selected = [node for node in roles("option") if node.get("selected") and "Shakshuka" in node["name"]]
        self.assertEqual(len(selected), 1)
        self.assertEqual({node["level"] for node in roles("treeitem")}, {1})
        self.assertEqual(
            page.run("[...document.querySelectorAll('.row')].filter((row) => row.checkVisibility()).every((row) => "
                     "row.closest(row.getAttribute('role') === 'treeitem' ? '[role=tree]' : '[role=listbox]'))"), True)
        self.assertEqual(page.run("new Set([...document.querySelectorAll('[id]')].map((one) => one.id)).size"),
                         page.run("document.querySelectorAll('[id]').length"))
        self.assertEqual(page.run("[...document.querySelectorAll('[aria-labelledby]')].every((one) => "
                                  "document.getElementById(one.getAttribute('aria-labelledby')))"), True)

    def test_contrast_is_enough(self):
        script = """(() => {
            const channel = (value) => { value /= 255; return value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; };
            const parse = (color) => { const c = document.createElement('canvas').getContext('2d', {colorSpace: 'srgb'});
                c.fillStyle = color; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; };
            const over = (top, under) => under.map((value, index) => top[index] * top[3] / 255 + value * (1 - top[3] / 255));
            const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
            const bad = [];
            for (const element of document.querySelectorAll('body *')) {
                if (!element.checkVisibility() || ![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
                const chain = []; for (let one = element; one; one = one.parentElement) chain.unshift(one);
                const ground = chain.reduce((color, one) => over(parse(getComputedStyle(one).backgroundColor), color), [255, 255, 255]);
                const text = over(parse(getComputedStyle(element).color), ground);
                const [a, b] = [light(ground), light(text)].sort((x, y) => y - x);
                if ((a + .05) / (b + .05) < 4.5 && !element.closest(':disabled') && !element.closest('#live')) bad.push([element.className, element.textContent.slice(0, 20), (a + .05) / (b + .05)]);
            }
            return bad;
        })()"""
        for scheme in ("light", "dark"):
            page.media(prefers_color_scheme=scheme)
            self.open("#/recipes/breakfast/shakshuka")
            self.assertEqual(page.run(script), [], scheme)

    def test_changes_are_told(self):
        self.open()
        self.choose("sidebar", "Soups")
        page.until("the list is told", "document.getElementById('live').textContent === 'Soups: 5 items'")
        title = page.rows("content")[0]
        self.choose("content", title)
        page.until("the item is told", "document.getElementById('live').textContent === arguments[0]", title)


class Sessions(Screen):
    def test_two_browsers_are_two_persons(self):
        self.open()
        other = Page()
        try:
            other.open(product.url)
            other.drawn()
            self.choose("sidebar", "Soups")
            other.click("#sidebar .row", "Basics")
            other.until("it is shown", "test.titles().content === 'Basics'")
            other.drawn()
            self.assertEqual((page.titles()["content"], other.titles()["content"]), ("Soups", "Basics"))
            self.assertNotEqual(page.view["session"], other.view["session"])
        finally:
            other.close()

    def test_a_reload_is_where_it_was(self):
        self.open()
        self.choose("sidebar", "Soups")
        page.open(product.url)
        page.drawn()
        self.assertEqual(page.titles()["content"], "Soups")
        self.assertEqual(page.address, "#/recipes/soups")

    def test_no_script_can_read_the_cookie(self):
        self.open()
        self.assertEqual(page.run("document.cookie"), "")

    def test_the_gateway_dies_and_comes_back(self):
        self.open("#/recipes/breakfast/shakshuka")
        page.until("it is open", "test.titles().detail === 'Shakshuka'")
        product.kill("gateway")
        page.until("it says so", "!document.getElementById('offline').hidden")
        self.assertEqual(page.titles()["detail"], "Shakshuka")
        product.start("gateway")
        page.until("it is connected again", "document.getElementById('offline').hidden")
        page.drawn()
        self.assertEqual(page.titles()["detail"], "Shakshuka")
        self.choose("content", "Oat Porridge")


class Addresses(Screen):
    def test_a_deep_link_opens_in_each_width(self):
        for width in (1366, 390):
            page.forget()
            page.resize(width)
            self.open("#/bands/metal")
            page.until("the list is there", "test.titles().content !== null")
            page.drawn()
            item = page.view["content"]["rows"][0]
            page.forget()
            self.open(f"#/bands/metal/{item['id']}")
            page.until("the item is there", "test.titles().detail === arguments[0]", item["title"])
            page.drawn()
            self.assertEqual(page.address, f"#/bands/metal/{item['id']}")

    def test_what_does_not_exist_is_said(self):
        self.open("#/recipes/breakfast/unicorn")
        page.until("it is said", "!document.getElementById('complaint').hidden")
        page.until("the address is that of what is shown", "location.hash === '#/recipes'")
        self.open("#/nothing/there")
        page.until("it is said", "!document.getElementById('complaint').hidden")
        page.until("the default is shown", "test.view.catalog.id === 'recipes'")

    def walk(self):
        self.choose("sidebar", "Soups")
        page.until("its address", "location.hash === '#/recipes/soups'")
        item = page.run("test.view.content.rows[0]")
        self.choose("content", item["title"])
        page.until("its address", "location.hash === arguments[0]", f"#/recipes/soups/{item['id']}")
        return item

    def test_the_browsers_back_and_forward_go_through_the_places(self):
        self.open()
        item = self.walk()
        for _ in range(2):
            page.driver.back()
            page.until("the list alone", "location.hash === '#/recipes/soups' && test.view.detail.id === null")
            page.driver.back()
            page.until("nothing chosen", "location.hash === '#/recipes' && test.view.content.status === 'noSelection'")
            page.driver.forward()
            page.until("the list", "location.hash === '#/recipes/soups' && test.view.content.title === 'Soups'")
            page.driver.forward()
            page.until("the item", "test.view.detail.id === arguments[0]", item["id"])
            page.drawn()
        self.assertEqual(page.address, f"#/recipes/soups/{item['id']}")

    def test_the_pages_own_buttons_take_the_browser_along(self):
        page.resize(390)
        self.open()
        item = self.walk()
        page.click("#older")
        page.until("the list alone", "location.hash === '#/recipes/soups' && test.view.detail.id === null")
        page.drawn()
        page.driver.forward()
        page.until("the item", "test.view.detail.id === arguments[0]", item["id"])
        page.until("its address", "location.hash === arguments[0]", f"#/recipes/soups/{item['id']}")

    def test_an_address_typed_by_hand_is_opened(self):
        self.open()
        page.run("location.hash = '#/recipes/soups'")
        page.until("it is shown", "test.view.content.title === 'Soups'")
        page.run("location.hash = '#/notes'")
        page.until("the other catalog is shown", "test.view.catalog.id === 'notes'")
        page.drawn()
        self.assertEqual(page.run("document.querySelector('#sidebar .box').getAttribute('role')"), "listbox")


class Lists(Screen):
    def top(self):
        """Index of the row that is seen at the top of the list, by its text."""
        return page.run("""(() => {
            const frame = document.querySelector('#content .scroller').getBoundingClientRect();
            const row = document.elementFromPoint(frame.left + 60, frame.top + 30)?.closest('.row');
            return row ? Number(row.querySelector('.title').textContent.split(' ')[1]) : null;
        })()""")

    def scroll(self, share):
        page.run("((one) => { one.scrollTop = (one.scrollHeight - one.clientHeight) * arguments[0]; })"
                 "(document.querySelector('#content .scroller'))", share)

    def test_a_long_list_scrolls_to_anywhere(self):
        self.open("#/long/all")
        page.until("it is there", "test.view.content.rows.length > 0")
        for share in (0.01, 0.03, 0.5, 1, 0.7, 0):
            with self.subTest(share=share):
                self.scroll(share)
                wanted = page.run("""(() => {
                    const scroller = document.querySelector('#content .scroller');
                    const height = document.querySelector('#content .row').getBoundingClientRect().height;
                    return Math.floor((scroller.scrollTop + 30 - scroller.querySelector('.box').previousElementSibling.offsetTop) / height);
                })()""")
                until("the rows of that place are seen", lambda wanted=wanted: self.top() == max(0, wanted))
                page.drawn()
                for row in page.run("test.rows('content')"):
                    self.assertEqual((row["position"], row["size"]), (int(row["title"].split()[1]) + 1, LONG))
                self.assertLess(page.run("document.querySelectorAll('.row').length"), 600)

    def test_the_end_key_reaches_the_end(self):
        self.open("#/long/all")
        while page.focus["column"] != "content" or page.focus["role"] != "option":
            page.press("tab")
        page.press("end")
        page.until("the last row is there", "test.rows('content').at(-1).title === arguments[0]", f"Item {LONG - 1}")
        page.until("a row or the list has the keyboard", "test.focus().column === 'content'")

    def test_a_list_that_nobody_saw_is_where_the_item_is(self):
        page.resize(390)
        self.open("#/long/all/i4000")
        page.until("it is open", "test.titles().detail === 'Item 4000'")
        page.drawn()
        page.click("#back")
        page.until("the list is there", "test.columns()[0].column === 'content'")
        page.drawn()
        seen = page.run("""(() => {
            const frame = document.querySelector('#content .scroller').getBoundingClientRect();
            return test.rows('content').filter(({ top }) => top >= frame.top - 1 && top < frame.bottom - 40).map(({ title }) => title);
        })()""")
        self.assertIn("Item 4000", seen)
        self.assertEqual(page.run("test.sent.filter(({ params }) => params.before || params.after).length"), 0)

    def test_arrows_walk_beyond_the_window(self):
        self.open("#/long/all")
        while page.focus["column"] != "content" or page.focus["role"] != "option":
            page.press("tab")
        for _ in range(13):
            page.press("pagedown")
            page.drawn()
        self.assertGreater(int(page.focus["text"].split()[1]), 60)

    def test_a_search_is_typed(self):
        self.open("#/long/all")
        page.type("#content .search", "4321")
        page.until("it is found", "test.view.content.rows.length === 1 && test.view.content.rows[0].id === 'i4321'")
        page.drawn()
        self.assertEqual(page.rows("content"), ["Item 4321"])
        self.assertEqual(page.focus["tag"], "input")
        page.type("#content .search", "zz")
        page.until("nothing is found", "test.view.content.status === 'empty'")
        page.drawn()
        self.assertIn(page.view["content"]["placeholder"]["hint"], page.run("document.querySelector('#content .placeholder').textContent"))
        page.clear("#content .search")
        page.until("all is back", "test.view.content.page.total === arguments[0]", LONG)

    def test_an_order_is_chosen(self):
        self.open("#/recipes/soups")
        page.click("#content .sort option", None) if False else page.run("""((select) => {
            select.selectedIndex = 2; select.dispatchEvent(new Event('change')); })(document.querySelector('#content .sort'))""")
        page.until("it is so", "test.view.content.sort.by === 'title' && test.view.content.sort.descending")
        page.drawn()
        rows = page.rows("content")
        self.assertEqual(rows, sorted(rows, key=str.casefold, reverse=True))

    def test_folders_go_in_and_back_comes_out(self):
        self.open("#/folders")
        page.run("document.querySelector('#sidebar .row').click()")
        page.until("folders are there", "test.view.content.folders.length > 0")
        page.drawn()
        title = page.run("test.view.content.title")
        folder = page.run("test.view.content.folders[0].title")
        page.click("#content .folders .row", folder)
        page.until("it is inside", "test.view.content.title === arguments[0]", folder)
        page.until("its address", "location.hash.split('/').at(-1) === test.view.content.path.at(-1).id")
        page.drawn()
        page.click("#back")
        page.until("it is outside", "test.view.content.title === arguments[0]", title)

    def test_texts_are_texts(self):
        evil = product.directory / "evil.json"
        code = "<img src=x onerror=window.pwned=1><script>window.pwned=1</script>"
        evil.write_text(json.dumps({
            "catalog": {"id": "evil", "title": code}, "categories": [{"id": "c", "title": code, "icon": code}],
            "items": [{"id": "i", "title": code, "subtitle": code, "badge": code[:40], "categories": ["c"], "blocks": [
                {"kind": "text", "text": code}, {"kind": "fields", "fields": [{"label": code, "value": code}]},
                {"kind": "image", "source": "javascript:window.pwned=1", "label": code},
                {"kind": "image", "source": "http://elsewhere.example/x.png", "label": "elsewhere"},
                {"kind": "links", "links": [{"title": code, "item": "i"}, {"title": "none", "item": "nobody"}]}]}]}))
        product.load([evil])
        self.open("#/evil/c/i")
        page.until("it is open", "test.titles().detail === arguments[0]", code)
        page.drawn()
        self.assertEqual(page.run("document.querySelectorAll('#window img, #window script').length"), 0)
        self.assertIsNone(page.run("window.pwned ?? null"))
        self.assertEqual(page.run("[...document.querySelectorAll('.link')].map((one) => one.disabled)"), [False, True])


if __name__ == "__main__":
    unittest.main()
