"""The programs under test as real processes in a directory of their own, and waiting for conditions."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("TRIPTYCH_BIN", ROOT / ".build" / "debug"))


def until(what, condition, seconds=float(os.environ.get("PATIENCE", 20))):
    """Waits until the condition holds, and gives what it says; it is looked at again and again."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"never happened: {what} (last: {value!r})")
        time.sleep(0.005)


class Product:
    """All services and the web front end; `gateway` may be false if a test plays it."""

    def __init__(self, catalogs=(), gateway=True, web=()):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="triptych-", dir="/tmp"))
        self.processes = {}
        if gateway:
            for name in ("catalog", "selection", "gateway"):
                self.start(name)
            for name in ("catalog", "selection", "gateway"):
                until(f"{name} is well", lambda name=name: self.health(name) == "ok")
            self.load(catalogs)
        self.url = self.start_web(web)

    def socket(self, name):
        return str(self.directory / f"{name}.sock")

    def spawn(self, name, program, *words, **more):
        log = open(self.directory / f"{name}.log", "ab")
        environment = dict(os.environ, TRIPTYCH_RUN=str(self.directory))
        self.processes[name] = subprocess.Popen(
            [BIN / program, *words], stdin=subprocess.DEVNULL, stderr=log, env=environment, **more)
        log.close()
        return self.processes[name]

    def start(self, name):
        words = ["--socket", self.socket(name)]
        if name != "gateway":
            words += ["--data", str(self.directory / "data")]
        if name != "catalog":
            words += ["--catalog-socket", self.socket("catalog")]
        if name == "gateway":
            words += ["--selection-socket", self.socket("selection")]
        self.spawn(name, name if name == "gateway" else f"{name}-service", *words, stdout=subprocess.DEVNULL)

    def start_web(self, words=(), port=0):
        process = self.spawn(
            "web", "triptych-web", "--port", str(port), "--gateway-socket", self.socket("gateway"), *words,
            stdout=subprocess.PIPE)
        line = process.stdout.readline().decode().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", line), line
        return line

    def load(self, catalogs):
        """Imports catalog files, or files of changes."""
        if catalogs:
            subprocess.run(
                [BIN / "triptych", "import", *map(str, catalogs)], check=True, stdout=subprocess.DEVNULL,
                env=dict(os.environ, TRIPTYCH_RUN=str(self.directory)))

    def call(self, service, method, params=None):
        """Calls a method of a service."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect(self.socket(service))
            request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
            connection.sendall(json.dumps(request).encode() + b"\n")
            answer = json.loads(connection.makefile("rb").readline())
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    def health(self, service):
        try:
            return self.call(service, "rpc.health")["status"]
        except (OSError, ValueError):
            return None

    def kill(self, name):
        self.processes[name].send_signal(signal.SIGKILL)
        self.processes[name].wait()

    def close(self):
        for name in ("web", "gateway", "selection", "catalog"):
            if name in self.processes and self.processes[name].poll() is None:
                self.processes[name].terminate()
                self.processes[name].wait(20)
            if name == "web" and self.processes[name].stdout:
                self.processes[name].stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)
