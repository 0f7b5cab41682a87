#!/usr/bin/env python3
"""A front end for Triptych: draws the screen whenever it changes, and sends back what the screen offers."""
import json, os, selectors, shutil, socket, sys

CELL = 8  # points a character
gateway = socket.socket(socket.AF_UNIX)
gateway.connect(os.path.join(os.environ.get("TRIPTYCH_RUN", "run"), "gateway.sock"))

def call(method, **params):
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    gateway.sendall(json.dumps(request).encode() + b"\n")

def patched(view, operations):  # RFC 6902: add, remove and replace are all that is sent
    for change in operations:
        whole = parent = {"": view}
        *path, last = [k.replace("~1", "/").replace("~0", "~") for k in change["path"].split("/")]
        for key in path: parent = parent[int(key) if isinstance(parent, list) else key]
        if isinstance(parent, list): last = int(last) if last != "-" else len(parent)
        if change["op"] == "remove": del parent[last]
        elif change["op"] == "add" and isinstance(parent, list): parent.insert(last, change["value"])
        else: parent[last] = change["value"]
        view = whole[""]
    return view

def lines(pane):  # what a column shows: texts, and the events that they offer
    yield pane["title"] or "", None
    for row in [r for s in pane.get("sections", []) for r in s["rows"]] + pane.get("folders", []) + pane.get("rows", []):
        yield "  " * row.get("depth", 0) + row["title"] + (" *" if row["selected"] else ""), row["event"]
    for block in pane.get("blocks", []):
        yield from [(line, None) for line in block.get("text", block.get("label", "")).splitlines()]
        yield from [(f"{field['label']}: {field['value']}", None) for field in block.get("fields", [])]
        yield from [(f"see {link['title']}", link["event"]) for link in block.get("links", [])]
    if pane["placeholder"]: yield from [(pane["placeholder"]["title"], None), (pane["placeholder"]["hint"] or "", None)]

def draw(view):  # gives what may be typed, and the event that it stands for
    layout, columns = view["layout"], []
    choices = {key: layout[name]["event"] for key, name in (("b", "back"), ("t", "sidebarToggle")) if layout[name]}
    for column in (column for column in layout["columns"] if column["visible"]):
        columns.append((int(column["width"] // CELL), []))
        for text, event in lines(view[column["column"]]):
            number = sum(map(str.isdigit, choices)) + 1
            if event: choices[str(number)], text = event, f"{number:3} {text}"
            columns[-1][1].append("".join(c if c.isprintable() else " " for c in text))
    for number in range(max((len(texts) for _, texts in columns), default=0)):
        print("".join(f"{(texts + [''] * 999)[number][:width - 1]:{width}}" for width, texts in columns).rstrip())
    print(f"-- {', '.join(choices)}, /text searches, q quits", flush=True)
    return choices

call("view.subscribe", width=shutil.get_terminal_size().columns * CELL, format="patch")
view, subscription, choices, received, events = None, None, {}, b"", selectors.DefaultSelector()
for source in (gateway, sys.stdin): events.register(source, selectors.EVENT_READ)
while True:
    for ready in [key.fileobj for key, _ in events.select()]:
        if ready is sys.stdin:
            typed = sys.stdin.readline().strip() or "q"
            if typed == "q": sys.exit()
            search = (view["content"] or view["sidebar"])["search"] if typed[0] == "/" else None
            event = {**search["event"], "text": typed[1:]} if search else choices.get(typed)
            if event: call("view.send", subscription=subscription, event=event)
            continue
        *messages, received = (received + (gateway.recv(1 << 20) or sys.exit("the gateway is gone"))).split(b"\n")
        for message in map(json.loads, messages):
            news = message.get("params") or message.get("result") or {"ended": message["error"]["message"]}
            if "ended" in news: print(news["ended"])
            if "id" in message and view or "ended" in news: continue  # what an event has changed comes as a patch
            subscription, view = news["subscription"], patched(view, news["patch"]) if "patch" in news else news["view"]
            choices = draw(view)
