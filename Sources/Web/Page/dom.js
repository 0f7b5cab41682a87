// Small hands for the document. Texts of a catalog only become text nodes and attribute values.

export const byId = (id) => document.getElementById(id);

export const rowsOf = (box) => [...box.querySelectorAll(".row")];

export const part = (root, className) => root.querySelector(`.${className}`);

export function make(name, className = "", ...children) {
	const element = document.createElement(name);
	element.className = className;
	element.append(...children);
	return element;
}

/** An element whose direction is that of its text. */
export function textual(name, className, text) {
	const element = make(name, className, text ?? "");
	element.dir = "auto";
	return element;
}

export function say(element, text) {
	element.hidden = !text;
	if (element.textContent !== (text ?? "")) element.textContent = text;
}

export function attribute(element, name, value) {
	if (value == null) element.removeAttribute(name);
	else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Makes `parent` hold an element for each thing; what is there isn't moved in vain: it would lose the focus. */
export function fill(parent, things, key, create, update) {
	const old = new Map();
	for (const element of parent.children) old.set(element.key, element);
	const elements = things.map((thing, index) => {
		const id = key(thing, index), element = old.get(id) ?? create(thing);
		old.delete(id);
		element.key = id;
		update(element, thing, index);
		return element;
	});
	for (const element of old.values()) element.remove();
	let next = parent.firstElementChild;
	for (const element of elements) {
		if (element === next) next = next.nextElementSibling;
		else parent.insertBefore(element, next);
	}
}

const shapes = {
	sidebar: "M4 5h16v14H4zM9.5 5v14", chevron: "M9 5l7 7-7 7", back: "M15 5l-7 7 7 7", older: "M19 12H5M11 6l-6 6 6 6",
	book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14", document: "M6 3h8l4 4v14H6zM14 3v4h4",
	bowl: "M3 11h18a9 9 0 0 1-18 0zM8 20.5h8M9 3v4M14 4v3", cake: "M4 20h16v-7H4zM4 16.5c3 2 5-2 8 0s5-2 8 0M12 13V8",
	folder: "M3 6h6l2 2h10v11H3z", "fork-knife": "M7 3v18M4 3v5a3 3 0 0 0 6 0V3M17 21V3c-3 2-4 6-4 10h4",
	jar: "M7 3h10v3H7zM8 6c-2 1-3 3-3 5v8a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-8c0-2-1-4-3-5",
	leaf: "M5 19C4 9 10 4 20 4c0 10-5 16-15 15zM5 19l8-8", magnifier: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
	sunrise: "M3 18h18M7 14.5a5 5 0 0 1 10 0M12 3v5M9.5 5.5L12 3l2.5 2.5M3.5 11l2 1.2M20.5 11l-2 1.2",
};

export function icon(name) {
	const [svg, path] = ["svg", "path"].map((one) => document.createElementNS("http://www.w3.org/2000/svg", one));
	attribute(svg, "viewBox", "0 0 24 24");
	attribute(svg, "class", "icon");
	attribute(svg, "aria-hidden", "true");
	attribute(path, "d", Object.hasOwn(shapes, name) ? shapes[name] : "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z");
	svg.append(path);
	return svg;
}

export function showIcon(element, name) {
	if (element.icon === name) return;
	element.icon = name;
	element.replaceChildren(...(name == null ? [] : [icon(name)]));
	element.hidden = name == null;
}

export function showPlaceholder(element, placeholder) {
	element.hidden = !placeholder;
	if (!placeholder) return;
	element.replaceChildren(
		icon(placeholder.icon), textual("p", "title", placeholder.title), textual("p", "hint", placeholder.hint));
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

export const dateText = (date) => date && day.format(new Date(date));

export const staleText = (status) => status === "stale" && "This is what was last known.";
