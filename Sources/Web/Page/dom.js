// Hands for the document. A catalog's texts become text nodes and attribute values only.

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

/** An element for each thing. None is moved in vain: it would lose the focus. */
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
	sidebar: "4 5h16v14H4zM9.5 5v14", chevron: "9 5l7 7-7 7", back: "15 5l-7 7 7 7", older: "19 12H5M11 6l-6 6 6 6",
	book: "4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14", document: "6 3h8l4 4v14H6zM14 3v4h4",
	bowl: "3 11h18a9 9 0 0 1-18 0zM8 20.5h8M9 3v4M14 4v3", cake: "4 20h16v-7H4zM4 16.5c3 2 5-2 8 0s5-2 8 0M12 13V8",
	folder: "3 6h6l2 2h10v11H3z", "fork-knife": "7 3v18M4 3v5a3 3 0 0 0 6 0V3M17 21V3c-3 2-4 6-4 10h4",
	amplifier: "4 5h16v15H4zM4 9h16M12 11a4 4 0 1 0 .1 0", "archive-box": "3 5h18v4H3zM5 9v11h14V9M10 13h4",
	boat: "3 15h18l-3 5H6zM12 15V3l7 9h-7", bolt: "13 3L5 14h6l-1 7 9-12h-6z", briefcase: "4 8h16v12H4zM9 8V4h6v4M4 13h16",
	calendar: "4 6h16v14H4zM4 10h16M8 3v5M16 3v5", columns: "4 5h16v14H4zM10 5v14M14 5v14", flag: "6 21V4h13l-3 5 3 5H6",
	guitar: "9 11a5 5 0 1 0 4 4l7-9-3-2z", hammer: "4 20l9-9M9 7l4-4 7 7-4 4z", house: "3 12l9-8 9 8M6 10v10h12V10",
	lightbulb: "9 17q0-3-2-5a6 6 0 1 1 10 0q-2 2-2 5zM10 21h4", note: "5 4h14v11l-5 5H5zM14 20v-5h5",
	microphone: "9 4h6v10H9zM6 11c0 8 12 8 12 0M12 17v4", square: "5 5h14v14H5z",
	people: "12 4a4 4 0 1 0 .1 0M4 21c0-11 16-11 16 0", pin: "12 21c-9-9-6-18 0-18s9 9 0 18zM12 8v3",
	prism: "12 4L3 20h18zM12 4v16", star: "12 3l3 6 6 1-4 4 1 6-6-3-6 3 1-6-4-4 6-1z", tree: "12 3L5 16h14zM12 16v5",
	suitcase: "4 8h16v12H4zM9 8V4h6v4M8 8v12M16 8v12", tram: "6 4h12v13H6zM6 11h12M8 21l1-4M16 21l-1-4",
	trumpet: "3 12h11l6-5v10l-6-5M8 12v5h4v-5", wave: "3 12q4.5-9 9 0t9 0",
	jar: "7 3h10v3H7zM8 6q-3 2-3 5v10h14V11q0-3-3-5",
	leaf: "5 19C4 9 10 4 20 4c0 10-5 16-15 15zM5 19l8-8", magnifier: "10 4a6 6 0 1 0 .1 0M15 15l6 6",
	sunrise: "3 18h18M7 14a5 5 0 0 1 10 0M12 3v5M9 6l3-3 3 3",
};

export function icon(name) {
	const [svg, path] = ["svg", "path"].map((one) => document.createElementNS("http://www.w3.org/2000/svg", one));
	attribute(svg, "viewBox", "0 0 24 24");
	attribute(svg, "class", "icon");
	attribute(svg, "aria-hidden", "true");
	attribute(path, "d", `M${Object.hasOwn(shapes, name) ? shapes[name] : "12 8a4 4 0 1 0 .1 0"}`);
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
