"""A real terminal, which tmux plays, with the terminal front end in it."""

import os
import shutil
import subprocess

from product import BIN, until


class Terminal:
    """Shows a session of a product in so many cells."""

    IS_THERE = shutil.which("tmux") is not None

    def __init__(self, product, session, columns, rows=30):
        self.path = str(product.directory / "tmux")
        command = f"{BIN / 'triptych-browse'} --socket {product.socket('gateway')} --session {session}"
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), f"env TERM=tmux-256color {command}")
        self.tmux("set", "-g", "status", "off")

    def tmux(self, *words):
        environment = {name: value for name, value in os.environ.items() if name != "TMUX"}
        return subprocess.run(
            ["tmux", "-S", self.path, "-f", "/dev/null", *words], check=False, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, env=dict(environment, LC_ALL="C.UTF-8")).stdout

    def press(self, *names):
        """Presses keys by tmux's names."""
        self.tmux("send-keys", *names)

    @property
    def screen(self):
        return self.tmux("capture-pane", "-p")

    def until(self, what, *texts, without=()):
        """Waits until the screen has all of these texts, and none of the others."""
        def screen():
            seen = self.screen
            return all(text in seen for text in texts) and not any(text in seen for text in without) and seen
        return until(what, screen)

    def close(self):
        self.tmux("kill-server")
