"""A gateway that a test plays: it shows whatever views it is told to, and keeps what it is sent."""

import json
import os
import queue
import socket
import threading


class FakeGateway:
    """Listens at a path. What it is asked is in `requests`; the view is what `view` says when it is asked."""

    def __init__(self, path, view):
        self.view = view
        self.requests = queue.Queue()
        self.connections = []
        self.subscriptions = 0
        self.lock = threading.Lock()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        os.chmod(path, 0o600)
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            state = {"socket": connection, "subscription": None, "seq": 0, "view": None}
            self.connections.append(state)
            threading.Thread(target=self.serve, args=(state,), daemon=True).start()

    def serve(self, state):
        for line in state["socket"].makefile("rb"):
            request = json.loads(line)
            self.requests.put(request)
            with self.lock:
                self.answer(state, request)

    def answer(self, state, request):
        method = request["method"]
        if method == "view.subscribe":
            self.subscriptions += 1
            state.update(subscription=f"s{self.subscriptions}", seq=0, view=self.view)
            result = {"subscription": state["subscription"], "view": self.view}
        elif method == "view.get":
            result = {"view": self.view}
        elif method == "view.send":
            result = {"changed": False, "view": self.view}
        else:
            result = {"changed": False}
        self.write(state, {"jsonrpc": "2.0", "id": request["id"], "result": result})

    def show(self, view, patch=None):
        """Has all windows show another view: as a whole, or by what `patch(old, new)` makes."""
        with self.lock:
            self.view = view
            for state in self.connections:
                if state["subscription"]:
                    state["seq"] += 1
                    params = {"subscription": state["subscription"], "seq": state["seq"]}
                    params.update({"patch": patch(state["view"], view)} if patch else {"view": view})
                    state["view"] = view
                    self.write(state, {"jsonrpc": "2.0", "method": "view.changed", "params": params})

    @staticmethod
    def write(state, message):
        try:
            state["socket"].sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            state["subscription"] = None

    def sent(self):
        """The next event that the page sent, other requests left out."""
        while True:
            request = self.requests.get(timeout=20)
            if request["method"] == "view.send":
                return request["params"]["event"]

    def close(self):
        self.listener.close()
        for state in self.connections:
            try:
                state["socket"].shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            state["socket"].close()


def pointer(*keys):
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def difference(old, new, at=()):
    """Operations of RFC 6902 that make `new` of `old`; rows that come or go are one each."""
    if type(old) is not type(new) or not isinstance(old, (dict, list)):
        return [] if old == new and type(old) is type(new) else [{"op": "replace", "path": pointer(*at), "value": new}]
    if isinstance(old, dict):
        made = []
        for key in old.keys() - new.keys():
            made.append({"op": "remove", "path": pointer(*at, key)})
        for key, value in new.items():
            made += difference(old[key], value, (*at, key)) if key in old else [
                {"op": "add", "path": pointer(*at, key), "value": value}]
        return made
    made, rest = [], list(old)
    while len(rest) > len(new):
        index = next((i for i, value in enumerate(new) if rest[i] != value), len(new))
        rest.pop(index)
        made.append({"op": "remove", "path": pointer(*at, index)})
    while len(rest) < len(new):
        index = next((i for i, value in enumerate(rest) if new[i] != value), len(rest))
        rest.insert(index, new[index])
        made.append({"op": "add", "path": pointer(*at, index), "value": new[index]})
    for index, value in enumerate(new):
        made += difference(rest[index], value, (*at, index))
    return made
