// Draws the view that the gateway sends, and sends back the events that it finds in it. What to show where, and what
// leads where, is not decided here.

import { addressOf, Place } from "./place.js";
import { Column } from "./column.js";
import { Detail } from "./detail.js";
import { attribute, byId, say, showIcon } from "./dom.js";
import { Link } from "./link.js";
import { patched } from "./patch.js";

const root = document.documentElement;
root.lang = navigator.language;
if (/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(root.lang)) root.dir = "rtl";

const stage = byId("window"), bar = byId("bar"), dismiss = byId("dismiss");
const toggle = byId("toggle"), back = byId("back"), older = byId("older"), newer = byId("newer");

let view = null, subscription = null, seq = 0, frame = 0, focused = null;

// MARK: Asking

/** Sends an event of this window; resolves to whether it changed something. What is refused is said. */
async function send(event) {
  try {
    return (await link.call("view.send", { subscription, event })).changed;
  } catch (error) {
    complain(error.lost ? "Not connected: try again in a moment." : error.message);
    return false;
  }
}

const size = () => ({
  width: Math.min(Math.max(stage.clientWidth, 1), 100000), height: Math.min(Math.max(stage.clientHeight, 1), 100000),
  scale: Math.min(Math.max(devicePixelRatio, 1), 4),
});

let isResizing = false, told = "";
/** Tells the window's size; one telling is under way at a time. */
async function resize() {
  if (isResizing || !subscription) return;
  isResizing = true;
  while (subscription && told !== JSON.stringify(size())) {
    told = JSON.stringify(size());
    try { await link.call("view.resize", { subscription, ...size() }); } catch { break; }
  }
  isResizing = false;
}
new ResizeObserver(resize).observe(stage);

/** Begins to watch the session for a catalog; without one, for the one that is the default. */
async function subscribe(asked) {
  try {
    // A browser has a session for each catalog, so that has to be known first.
    const catalog = asked.catalog ?? (await link.call("view.get", size())).view.catalog.id;
    told = JSON.stringify(size());
    const params = { ...size(), format: "patch", ...(catalog === null ? {} : { catalog }) };
    const answer = await link.call("view.subscribe", params);
    if (subscription && link.isUp) link.call("view.unsubscribe", { subscription }).catch(() => {});
    ({ subscription, view } = answer);
    seq = 0;
    place.lead();
    byId("offline").hidden = true;
    show();
    if (asked.category || asked.item) open(asked);
    resize();
  } catch (error) {
    if (error.lost) return;
    if (error.data?.reason === "not_found" && asked.catalog) {
      complain("That link leads nowhere: there is no such catalog.");
      return subscribe({ catalog: null });
    }
    complain(error.message);
    if (error.data?.retryable) setTimeout(() => { if (link.isUp) subscribe(asked); }, 1000);
  }
}

/** Leads to a place: with the one event that a front end makes itself. */
async function open(asked) {
  if (asked.catalog !== null && asked.catalog !== view?.catalog.id) return subscribe(asked);
  const { category, item, path } = asked;
  place.lead();
  const changed = await send({ type: "open", ...(category && { category }), ...(item && { item }), ...(item && path?.length && { path }) });
  if (!changed) settle();
}

// MARK: Hearing

function heard(method, params) {
  if (method !== "view.changed" || params.subscription !== subscription) return;
  performance.mark("view-heard");
  if (params.ended) return subscribe({ catalog: null });
  try {
    if (params.seq !== ++seq) throw new Error("a change was missed");
    view = params.view ?? patched(view, params.patch);
  } catch {
    return subscribe({ catalog: view.catalog.id });
  }
  show();
}

const link = new Link(
  () => subscribe({ ...place.asked, ...(view && { category: null, item: null }) }),
  () => { byId("offline").hidden = false; announce("Offline. What is shown may be old."); },
  heard);

const place = new Place(send, open);
const scroll = (at) => link.call("view.scroll", { subscription, ...at });
const sidebar = new Column("sidebar", send, scroll), content = new Column("content", send, scroll);
const detail = new Detail(send);
const drawers = { sidebar, content, detail };

// MARK: Drawing

function show() { frame ||= requestAnimationFrame(draw); }

let drawn = null;
function draw() {
  frame = 0;
  const before = drawn;
  drawn = place.view = view;
  stage.hidden = false;
  drawLayout(view);
  if (before?.sidebar !== view.sidebar || before?.content === null) sidebar.draw(view, view.sidebar);
  if (view.content && before?.content !== view.content) content.draw(view, view.content);
  if (before?.detail !== view.detail) detail.draw(view.detail);
  keepFocus(view);
  tell(before);
  settle();
  setTimeout(() => performance.mark("view-painted"));
}

function drawLayout({ layout, catalog, history: { back: past, forward } }) {
  attribute(stage, "data-presentation", layout.presentation);
  for (const name of Object.keys(drawers)) {
    const column = layout.columns.find((one) => one.column === name);
    const element = drawers[name].root;
    element.hidden = !column?.visible;
    if (element.hidden) continue;
    element.style.insetInlineStart = `${column.x}px`;
    element.style.inlineSize = `${column.width}px`;
    element.classList.toggle("overlay", column.overlay);
    element.classList.toggle("inset", column.x > 0 && name === "sidebar");
  }
  toggle.hidden = !layout.sidebarToggle;
  if (layout.sidebarToggle) showIcon(toggle, layout.sidebarToggle.icon);
  attribute(toggle, "aria-expanded", !sidebar.root.hidden);
  back.hidden = !layout.back;
  say(byId("back-title"), layout.back?.title ?? (layout.back ? "Back" : ""));
  older.disabled = !past;
  newer.disabled = !forward;
  say(byId("where"), layout.collapsed ? "" : catalog.title);
  dismiss.hidden = !layout.dismiss;
}

toggle.onclick = () => send(view.layout.sidebarToggle.event);
back.onclick = () => send(view.layout.back.event);
dismiss.onclick = () => send(view.layout.dismiss.event);
older.onclick = () => place.step(-1, view.history.back.event);
newer.onclick = () => place.step(1, view.history.forward.event);
addEventListener("keydown", ({ key }) => { if (key === "Escape" && view?.layout.dismiss) send(view.layout.dismiss.event); });
for (const [button, name] of [[older, "older"], [newer, "newer"]]) showIcon(button, name);
showIcon(byId("back-icon"), "back");

// The keyboard stays where it was; if that has gone, it goes to the column that is in front.
addEventListener("focusin", ({ target }) => { focused = target; });
addEventListener("pointerdown", ({ target }) => { if (!target.closest("[data-row], button, input, select")) focused = null; });
function keepFocus({ layout }) {
  if (!focused || (document.activeElement === focused && focused.checkVisibility())) return;
  if (document.activeElement !== document.body && document.activeElement.checkVisibility()) return;
  const shown = layout.columns.filter(({ visible }) => visible).map(({ column }) => column);
  const was = shown.find((name) => drawers[name].root.contains(focused));
  drawers[was ?? layout.top ?? shown[0]]?.focus();
}

/** The address follows the view. A collapsed window does not say what is selected; one that isn't does. */
async function settle() {
  const shown = view;
  const { layout: { collapsed }, detail: { path }, catalog } = shown;
  let full = shown;
  if (collapsed || (path.length > 0 && !shown.content?.rows.some((row) => row.selected))) {
    try {
      full = (await link.call("view.get", { catalog: catalog.id, width: 1024, sizeClass: "regular", limit: 1 })).view;
    } catch { return; }
    if (full.revision !== view.revision) return;
  }
  place.settle(addressOf(full), [shown.detail.title ?? shown.content?.title, catalog.title].filter(Boolean).join(" – ") || "Triptych");
}

// MARK: Telling

let telling = 0;
/** Says a sentence to a screen reader; of several at once, the last one. */
function announce(sentence) {
  clearTimeout(telling);
  telling = setTimeout(() => { byId("live").textContent = sentence; }, 150);
}

/** Tells what is new of a view: of a list its title and length, of an item its title. */
function tell(before) {
  if (!before) return;
  const list = view.content ?? view.sidebar, was = before.content ?? before.sidebar;
  if (view.detail.id !== before.detail.id && view.detail.title) announce(view.detail.title);
  else if (list.title !== was.title || list.search?.text !== was.search?.text) {
    announce(list.placeholder?.title ?? `${list.title}: ${list.page?.total ?? 0} items`);
  }
}

function complain(sentence) {
  const note = byId("complaint");
  note.textContent = sentence;
  note.hidden = false;
  clearTimeout(note.timer);
  note.timer = setTimeout(() => { note.hidden = true; }, 6000);
}
