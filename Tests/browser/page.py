"""A headless browser that shows the page, and what a test wants to know of it."""

import json
import os
import pathlib

from selenium import webdriver
from selenium.common.exceptions import JavascriptException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from product import until

HERE = pathlib.Path(__file__).resolve().parent
KEYS = {"down": Keys.ARROW_DOWN, "up": Keys.ARROW_UP, "left": Keys.ARROW_LEFT, "right": Keys.ARROW_RIGHT,
           "enter": Keys.ENTER, "tab": Keys.TAB, "end": Keys.END, "home": Keys.HOME, "escape": Keys.ESCAPE,
           "space": Keys.SPACE, "pagedown": Keys.PAGE_DOWN}


class Page:
    """One browser with a profile of its own; `language` is its person's."""

    def __init__(self, width=1366, height=850, language="en"):
        options = Options()
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        for word in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb",
                     f"--lang={language}"):
            options.add_argument(word)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # Chromium refuses to be root with it
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=(HERE / "watch.js").read_text())
        self.resize(width, height)

    def command(self, name, **params):
        return self.driver.execute_cdp_cmd(name, params)

    def close(self):
        self.driver.quit()

    # What the person does.

    def open(self, url):
        """Loads an address anew, also one that differs in its fragment only."""
        self.driver.get("about:blank")
        self.driver.get(url)

    def forget(self):
        """Is a new person from now on."""
        self.driver.get("about:blank")
        self.command("Network.clearBrowserCookies")

    def resize(self, width, height=850):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, **features):
        """Such as `prefers_color_scheme="dark"`."""
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def press(self, *names):
        for name in names:
            ActionChains(self.driver, duration=0).send_keys(KEYS.get(name, name)).perform()

    def click(self, selector, text=None):
        """Clicks the element that fits, and has this text somewhere."""
        element = self.until(f"there is {selector} {text or ''}", "test.find(arguments[0], arguments[1])", selector, text)
        element.click()

    def type(self, selector, text):
        self.driver.find_element("css selector", selector).send_keys(text)

    def clear(self, selector):
        element = self.driver.find_element("css selector", selector)
        element.send_keys(Keys.CONTROL, "a")
        element.send_keys(Keys.BACKSPACE)

    # What the page is.

    def run(self, script, *arguments):
        return self.driver.execute_script(f"return ({script})", *arguments)

    def until(self, what, script, *arguments):
        """Waits until a script's value is true, and gives it."""
        def value():
            try:
                return self.run(script, *arguments)
            except JavascriptException:
                return None
        return until(what, value)

    @property
    def view(self):
        """The view that the gateway sent last, as the test keeps it by itself."""
        return self.run("test.view")

    def drawn(self):
        """Waits until what the gateway sent last is drawn."""
        self.until("it is drawn", "test.isQuiet()")

    @property
    def address(self):
        return self.run("location.hash")

    def columns(self):
        """Name, start, width and whether it is over others, of each column that is seen."""
        return self.run("test.columns()")

    def rows(self, column):
        """Titles of the rows of a column that are in the document."""
        return self.run("test.rows(arguments[0]).map((row) => row.title)", column)

    def titles(self):
        return self.run("test.titles()")

    @property
    def focus(self):
        """What has the keyboard: its role and its text."""
        return self.run("test.focus()")

    def tree(self):
        """What a screen reader is told: role, name and properties of everything."""
        nodes = []
        for node in self.command("Accessibility.getFullAXTree")["nodes"]:
            if not node.get("ignored"):
                properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                nodes.append({"role": node["role"]["value"], "name": node.get("name", {}).get("value", ""), **properties})
        return nodes

    def complaints(self):
        """What the browser has against the page: errors, and what the content-security policy forbade."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" and "WebSocket connection" not in entry["message"]
                and "ERR_CONNECTION_REFUSED" not in entry["message"]]

    def shoot(self, path):
        self.driver.save_screenshot(str(path))
