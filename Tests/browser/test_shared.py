"""One session in a terminal and in a browser at once: what is chosen in one is seen in both, each in its own layout."""

import unittest

from page import Page
from product import Product
from samples import SAMPLES
from terminal import Terminal


@unittest.skipUnless(Terminal.IS_THERE, "needs tmux")
class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.product = Product(SAMPLES[:1], web=("--shared-session", "show"))
        cls.addClassCleanup(cls.product.close)
        cls.page = Page()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.product.call("gateway", "view.send", {"session": "show", "event": {"type": "reset"}})
        self.page.resize(1366)
        self.page.open(self.product.url)
        self.page.drawn()
        # 60 cells are a narrow window, which has one column; the browser's has three.
        self.terminal = Terminal(self.product, "show", columns=60)
        self.addCleanup(self.terminal.close)
        self.terminal.until("the terminal shows the categories", "Categories", "Breakfast", without=["│"])

    def shown(self):
        return [one["column"] for one in self.page.columns()]

    def test_what_is_chosen_in_one_is_seen_in_both(self):
        page, terminal = self.page, self.terminal
        terminal.press("Down", "Enter")
        terminal.until("the terminal goes to the list", "‹ Categories", "Soups", "Minestrone", without=["Breakfast"])
        page.until("the browser follows", "test.titles().content === 'Soups'")
        page.drawn()
        self.assertEqual(self.shown(), ["sidebar", "content", "detail"])
        self.assertEqual(page.run("test.rows('sidebar').filter((row) => row.selected).map((row) => row.title)"), ["Soups"])

        page.click("#content .row", "Minestrone")
        terminal.until("the terminal goes to the item", "‹ Soups", "Minestrone", without=["Categories", "Breakfast"])
        page.until("the browser shows it, too", "test.titles().detail === 'Minestrone'")
        page.drawn()
        self.assertEqual(self.shown(), ["sidebar", "content", "detail"])

        terminal.press("Escape")
        terminal.until("the terminal goes back to the list", "‹ Categories", "Minestrone")
        terminal.press("Escape")
        terminal.until("and to the categories", "Categories", "Desserts & Cakes")
        page.click("#sidebar .row", "Basics")
        terminal.until("the terminal goes to the other list", "‹ Categories", "Basics")
        page.until("the browser shows it, too", "test.titles().content === 'Basics'")

    def test_each_has_a_layout_of_its_own(self):
        page, terminal = self.page, self.terminal
        page.click("#sidebar .row", "Soups")
        terminal.until("the terminal follows", "‹ Categories", "Minestrone")
        page.click("#toggle")
        page.until("the browser's sidebar has gone", "test.columns().every((one) => one.column !== 'sidebar')")
        page.resize(390)
        page.until("the browser is a stack", "test.view.layout.collapsed")
        page.drawn()
        terminal.tmux("resize-window", "-x", "130", "-y", "30")
        terminal.until("the terminal has columns", "│", "Minestrone", "No Recipe Selected")
        self.assertEqual(len(self.shown()), 1)
        self.assertEqual(self.page.complaints(), [])


if __name__ == "__main__":
    unittest.main()
