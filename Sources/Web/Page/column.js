// The sidebar and the content column.

import { attribute, byId, dateText, fill, icon, make, part, rowsOf, say, showIcon, showPlaceholder, staleText, textual } from "./dom.js";
import { handleKeys } from "./keys.js";
import { List } from "./list.js";

const number = new Intl.NumberFormat();

export class Column {
	#listKey = "";
	#selected = "";
	#searching = null;

	constructor(name, send, scroll) {
		const root = byId(name);
		root.append(byId("list").content.cloneNode(true));
		Object.assign(this, { root, name, send });
		for (const element of root.querySelectorAll("[class]")) this[element.className] = element;
		this.list = new List(this.scroller, this.box, scroll);
		for (const box of [this.folders, this.box]) {
			box.onclick = ({ target }) => {
				const element = target.closest(".row");
				if (!element) return;
				this.focusRow(element);
				const { disclosure, event } = element.row;
				send(disclosure && target.closest(".disclosure") ? disclosure.event : event);
			};
			box.addEventListener("focusin", ({ target }) => {
				if (target.row) box.current = target.row.id;
				this.#rove();
			});
			handleKeys(box, this);
		}
		this.search.oninput = () => this.#searchAgain();
		this.sort.onchange = () => send(this.model.sort.options[this.sort.selectedIndex].event);
	}

	draw(view, model) {
		this.model = model;
		const { title, header, status, page, search, hiddenByFilter, folders = [] } = model;
		say(this.heading, title);
		const isCounted = page && status !== "unavailable" && (page.total > 0 || search.text);
		say(this.note, [
			header, isCounted && `${number.format(page.total)}${page.totalCapped ? "+" : ""} ${page.total === 1 ? "item" : "items"}`,
			staleText(status), hiddenByFilter && "What is selected is not among these.",
		].filter(Boolean).join(" · "));
		this.#drawTools(model);
		this.folders.hidden = folders.length === 0;
		attribute(this.folders, "aria-label", `Folders in ${title}`);
		this.#fill(this.folders, folders, "option");
		this.#drawList(view, model);
		showPlaceholder(this.placeholder, model.placeholder);
		this.#rove();
	}

	#drawTools({ search, sort, title }) {
		this.tools.hidden = !search && !sort;
		this.search.hidden = !search;
		attribute(this.search, "aria-label", `Search ${title}`);
		// What is being typed is newer than the view.
		if (search && this.#searching === null && this.search.value !== search.text) this.search.value = search.text;
		this.sort.parentElement.hidden = !sort;
		if (!sort) return;
		fill(this.sort, sort.options, (option) => option.title, () => make("option"), (element, option) => say(element, option.title));
		this.sort.selectedIndex = sort.options.findIndex(
			({ event }) => event.by === sort.by && event.descending === sort.descending);
	}

	#drawList({ content, catalog }, { sections, rows, title, path, page, search, sort }) {
		const isTree = this.name === "sidebar" && content !== null;
		const groups = sections ?? [{ title: null, rows }], all = groups.flatMap((group) => group.rows);
		const key = JSON.stringify([catalog.id, title, path, search, sort]), isOther = !isTree && key !== this.#listKey;
		const selected = all.filter((row) => row.selected).map((row) => row.id).join("\n");
		const isSelectedAnew = selected && selected !== this.#selected;
		Object.assign(this.box, { role: isTree ? "tree" : "listbox", hidden: all.length === 0, tabIndex: -1 });
		attribute(this.box, "aria-label", title || "Items");
		attribute(this.box, "aria-multiselectable", selected.includes("\n") || null);
		this.#listKey = key;
		this.#selected = selected;
		const hadFocus = this.box.contains(document.activeElement);
		const places = isTree ? treePlaces(groups) : all.map((_, index) => (
			{ position: (page?.first ?? 0) + index + 1, size: page?.totalCapped ? -1 : page?.total }));
		this.list.show(all, page, isOther, () => {
			let from = 0;
			fill(this.box, groups, (group, index) => `${index} ${group.title}`, () => make("div", "group", make("h3", "section"), make("div")),
				(element, group) => {
					say(element.firstChild, group.title);
					element.role = groups.length > 1 || group.title != null ? "group" : "presentation";
					attribute(element, "aria-label", group.title);
					this.#fill(element.lastChild, group.rows, isTree ? "treeitem" : "option", places.slice(from, from += group.rows.length));
				});
		});
		if (isSelectedAnew) this.list.reveal(this.box.querySelector("[aria-selected=true]"));
		if (!hadFocus) return;
		if (this.edge !== undefined && !(this.edge ? page?.after : page?.before)) {
			this.focusRow(rowsOf(this.box).at(this.edge));
			this.edge = undefined;
		}
		// The row with the keyboard has gone.
		if (!this.box.contains(document.activeElement)) this.box.focus({ preventScroll: true });
	}

	#fill(box, rows, role, places = []) {
		const create = () => {
			const texts = make("span", "texts", textual("span", "title"), textual("span", "subtitle"));
			return make("div", "row", make("span", "disclosure", icon("chevron")), make("span", "picture"), texts,
				make("span", "date"), textual("span", "badge"));
		};
		fill(box, rows, (row) => row.id, create, (element, row, index) => {
			const { disclosure, depth = 0, badge, count, selected } = row, { position, size } = places[index] ?? {};
			element.role = role;
			const level = role === "treeitem" ? depth + 1 : null, { expanded } = disclosure ?? {};
			const states = { selected, expanded, level, posinset: position, setsize: size };
			for (const name in states) attribute(element, `aria-${name}`, states[name]);
			if (element.row === row) return;
			element.row = row;
			element.style.setProperty("--depth", depth);
			part(element, "disclosure").hidden = !disclosure;
			showIcon(part(element, "picture"), row.icon);
			for (const name of ["title", "subtitle"]) say(part(element, name), row[name]);
			say(part(element, "date"), dateText(row.date));
			say(part(element, "badge"), badge ?? (count ? number.format(count) : null));
		});
	}

	/** One search at a time; what was typed meanwhile is the next one. */
	async #searchAgain() {
		if (this.#searching !== null) return;
		while (this.model.search && this.#searching !== this.search.value) {
			this.#searching = this.search.value;
			await this.send({ ...this.model.search.event, text: this.#searching });
		}
		this.#searching = null;
	}

	/** Tab reaches one row of each list. */
	#rove() {
		for (const box of [this.folders, this.box]) {
			const rows = rowsOf(box);
			const one = rows.find(({ row }) => row.id === box.current) ?? rows.find(({ row }) => row.selected) ?? rows[0];
			for (const row of rows) row.tabIndex = row === one ? 0 : -1;
		}
	}

	focusRow(row) {
		row.focus({ preventScroll: true });
		this.list.reveal(row);
	}

	focus() { this.focusRow([this.box, this.folders].flatMap(rowsOf).find(({ tabIndex }) => tabIndex === 0) ?? this.heading); }
}

/** Position among its siblings, and their number, of each row. */
function treePlaces(groups) {
	return groups.flatMap(({ rows }) => {
		const open = [];
		return rows.map(({ depth }) => {
			open.length = Math.min(open.length, depth + 1);
			const siblings = open[depth] ??= { size: 0 };
			return { position: ++siblings.size, get size() { return siblings.size; } };
		});
	});
}
