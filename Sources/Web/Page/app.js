// Draws the gateway's view, and sends back the events that are in it. It decides nothing.

import { Column } from "./column.js";
import { Detail } from "./detail.js";
import { attribute, byId, say, showIcon } from "./dom.js";
import { Link } from "./link.js";
import { patched } from "./patch.js";
import { addressOf, asked, Place } from "./place.js";

const root = document.documentElement;
root.lang = navigator.language;
if (/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(root.lang)) root.dir = "rtl";

const { window: stage, toggle, back, older, newer, dismiss, where, offline, live, complaint } =
	new Proxy({}, { get: (_, id) => byId(id) });
let view = null, drawn = null, subscription = null, seq = 0, frame = 0, focused = null, told = "", isResizing = false;

/** Resolves to the answer. A refusal is said. */
const send = (event) => link.call("view.send", { subscription, event }).catch(
	({ message }) => complain(message ?? "Not connected: try again."));

const size = () => ({
	width: stage.clientWidth || 1, height: stage.clientHeight || 1, scale: Math.min(Math.max(devicePixelRatio, 1), 4),
});

async function resize() {
	if (isResizing) return;
	isResizing = true;
	while (subscription && link.isUp && told !== JSON.stringify(size())) {
		told = JSON.stringify(size());
		await link.call("view.resize", { subscription, ...size() }).catch(() => {});
	}
	isResizing = false;
}

/** Watches the session of a catalog; null is the default one. */
async function subscribe(to) {
	try {
		const catalog = to.catalog ?? (await link.call("view.get", size())).view.catalog.id;
		told = JSON.stringify(size());
		const old = subscription;
		({ subscription, view } = await link.call("view.subscribe", { ...size(), format: "patch", catalog }));
		if (old) link.call("view.unsubscribe", { subscription: old }).catch(() => {});
		seq = 0;
		place.view = view;
		place.lead();
		offline.hidden = true;
		show();
		if (to.category || to.item) open(to);
		resize();
	} catch (error) {
		if (error.lost) return;
		complain(error.message);
		if (error.data?.reason === "not_found" && to.catalog) subscribe({ catalog: null });
		else setTimeout(() => link.isUp && subscribe(to), 1000);
	}
}

/** Leads to a place, by the one event that a front end makes. */
function open(to = asked()) {
	const { catalog, category, item, path } = to;
	if (catalog !== view?.catalog.id) subscribe(to);
	else place.lead({ type: "open", category, item, path: item ? path : [] });
}

function heard(params) {
	if (params.subscription !== subscription) return;
	performance.clearMarks();
	if (params.ended) return subscribe({ catalog: null });
	try {
		if (params.seq !== ++seq) throw new Error("a change was missed");
		place.view = view = params.view ?? patched(view, params.patch);
		show();
	} catch {
		subscribe({ catalog: view.catalog.id });
	}
}

const scroll = (to) => link.call("view.scroll", { subscription, ...to });
const sidebar = new Column("sidebar", send, scroll), content = new Column("content", send, scroll), detail = new Detail(send);
const columns = { sidebar, content, detail };
const place = new Place(send, open, settle);
const link = new Link(() => subscribe(view ? { catalog: view.catalog.id } : asked()), () => {
	subscription = null;
	offline.hidden = false;
}, heard);
new ResizeObserver(resize).observe(stage);

function show() { frame ||= requestAnimationFrame(draw); }

function draw() {
	const before = drawn;
	frame = 0;
	drawn = view;
	drawLayout(view);
	if (before?.sidebar !== view.sidebar || before.content === null || !view.content) sidebar.draw(view, view.sidebar);
	if (view.content && before?.content !== view.content) content.draw(view, view.content);
	if (before?.detail !== view.detail) detail.draw(view.detail);
	sidebar.list.look();
	content.list.look();
	keepFocus(view.layout);
	if (before) tell(before);
	settle();
	setTimeout(() => performance.mark("view-painted"));
}

function drawLayout({ layout, catalog, history }) {
	stage.dataset.presentation = layout.presentation;
	for (const [name, { root: element }] of Object.entries(columns)) {
		const { visible, x, width, overlay } = layout.columns.find(({ column }) => column === name) ?? {};
		element.hidden = !visible;
		element.style.insetInlineStart = `${x}px`;
		element.style.inlineSize = `${width}px`;
		element.classList.toggle("overlay", Boolean(overlay));
		element.classList.toggle("inset", name === "sidebar" && x > 0);
	}
	showIcon(toggle, layout.sidebarToggle?.icon);
	attribute(toggle, "aria-expanded", !sidebar.root.hidden);
	back.hidden = !layout.back;
	say(back.lastChild, layout.back?.title ?? "Back");
	older.disabled = !history.back;
	newer.disabled = !history.forward;
	say(where, layout.collapsed ? null : catalog.title);
	dismiss.hidden = !layout.dismiss;
}

toggle.onclick = () => send(view.layout.sidebarToggle.event);
back.onclick = () => send(view.layout.back.event);
dismiss.onclick = () => send(view.layout.dismiss.event);
older.onclick = () => place.step(-1, view.history.back);
newer.onclick = () => place.step(1, view.history.forward);
addEventListener("keydown", ({ key }) => key === "Escape" && view?.layout.dismiss && dismiss.click());
showIcon(older, "older");
showIcon(newer, "older");
showIcon(back.firstChild, "back");

// The focus stays; if its place has gone, it goes to the column in front.
addEventListener("focusin", ({ target }) => { focused = target; });
function keepFocus({ columns: all, top }) {
	const active = document.activeElement;
	if (!focused || (active !== document.body && active.checkVisibility())) return;
	const shown = all.filter(({ visible }) => visible).map(({ column }) => column);
	columns[shown.find((name) => columns[name].root.contains(focused)) ?? top ?? shown[0]]?.focus();
}

/** The address follows the view; a collapsed one does not say what is selected. */
async function settle() {
	let full = view;
	const { layout: { collapsed }, detail: { path, title }, content: list, catalog } = view;
	document.title = [title ?? list?.title, catalog.title].filter(Boolean).join(" – ") || "Triptych";
	if (catalog.id === null) return;
	if (collapsed || (path.length > 0 && !list?.rows.some((row) => row.selected))) {
		const ask = { catalog: catalog.id, sizeClass: "regular", limit: 1 };
		full = (await link.call("view.get", ask).catch(() => ({}))).view;
	}
	if (full?.revision === view.revision) place.settle(addressOf(full), full);
}

/** Tells a screen reader a new item's title, or a new list's title and length. */
function tell(before) {
	const list = view.content ?? view.sidebar, was = before.content ?? before.sidebar, { title, id } = view.detail;
	if (title && id !== before.detail.id) live.textContent = title;
	else if (list.title !== was.title || list.search?.text !== was.search?.text) {
		live.textContent = list.placeholder?.title ?? `${list.title}: ${list.page?.total ?? 0} items`;
	}
}

function complain(sentence) {
	say(complaint, sentence);
	clearTimeout(complaint.timer);
	complaint.timer = setTimeout(() => say(complaint, null), 6000);
}
