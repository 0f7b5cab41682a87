// The sidebar and the content column: a heading, search and order, and rows.

import { attribute, byId, fill, icon, make, say, showIcon } from "./dom.js";
import { List } from "./list.js";
import { handleKeys } from "./keys.js";

const number = new Intl.NumberFormat();
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** A date of the view as this person writes it. */
export function dateText(date) {
  const time = date == null ? NaN : Date.parse(date);
  return Number.isNaN(time) ? date : day.format(time);
}

/** A `{title, hint, icon}` that stands where there is nothing to show. */
export function showPlaceholder(element, placeholder) {
  element.hidden = !placeholder;
  if (!placeholder || element.thing === placeholder) return;
  element.thing = placeholder;
  const title = make("p", "title", placeholder.title ?? ""), hint = make("p", "hint", placeholder.hint ?? "");
  title.dir = hint.dir = "auto";
  element.replaceChildren(icon(placeholder.icon), title, hint);
}

/** What is said of a column whose service is away. */
export const staleText = (status) => (status === "stale" ? "This is what was last known." : "");

export class Column {
  #listKey = null;
  #selected = null;
  #searching = null;

  /** `send(event)` sends an event; `scroll(place)` asks for other rows. Both resolve when the answer has come. */
  constructor(name, send, scroll) {
    this.root = byId(name);
    this.name = name;
    this.send = send;
    const part = (className) => this.root.querySelector(`.${className}`);
    Object.assign(this, {
      title: part("heading"), note: part("note"), tools: part("tools"), search: part("search"), sort: part("sort"),
      folders: part("folders"), box: part("rows"), placeholder: part("placeholder"), scroller: part("scroller"),
    });
    this.list = new List(this.scroller, this.box, scroll);
    for (const box of [this.box, this.folders]) {
      box.addEventListener("click", (event) => {
        const row = event.target.closest("[data-row]");
        if (!row) return;
        this.focusRow(row);
        const { disclosure, event: select } = row.row;
        send(disclosure && event.target.closest(".disclosure") ? disclosure.event : select);
      });
      box.addEventListener("focusin", ({ target }) => { if (target.row) this.#current(target.row.id, box); });
      handleKeys(box, this);
    }
    this.search.addEventListener("input", () => this.#searchAgain());
    this.sort.addEventListener("change", () => {
      const option = this.sort.selectedOptions[0]?.option;
      if (option) send(option.event);
    });
  }

  // MARK: Drawing

  draw(view, model) {
    this.model = model;
    const { title, status, header } = model;
    say(this.title, title);
    const { page } = model;
    const count = page && status !== "unavailable" && (page.total > 0 || model.search?.text)
      ? `${number.format(page.total)}${page.totalCapped ? "+" : ""} ${page.total === 1 ? "item" : "items"}` : "";
    const texts = [header, count, staleText(status), model.hiddenByFilter ? "What is selected is not among these." : ""];
    say(this.note, texts.filter(Boolean).join(" · "));
    this.#drawTools(model);
    this.#drawRows(view, model);
    showPlaceholder(this.placeholder, model.placeholder);
    attribute(this.root, "aria-busy", status === "stale" ? "true" : null);
  }

  #drawTools({ search, sort, title }) {
    this.tools.hidden = !search && !sort;
    this.search.hidden = !search;
    if (search) {
      attribute(this.search, "aria-label", `Search ${title ?? ""}`.trim());
      attribute(this.search, "placeholder", "Search");
      // What is being typed is newer than what the view says.
      if (!this.#searching && this.search.value !== search.text) this.search.value = search.text;
    }
    this.sort.parentElement.hidden = !sort;
    if (!sort || this.sort.thing === sort) return;
    this.sort.thing = sort;
    fill(this.sort, sort.options, (option) => option.title, () => make("option"), (element, option) => {
      element.textContent = option.title;
      element.option = option;
    });
    this.sort.selectedIndex = sort.options.findIndex(
      ({ event }) => event.by === sort.by && event.descending === sort.descending);
  }

  #drawRows(view, model) {
    // In a catalog of two columns the sidebar has the items.
    const isTree = this.name === "sidebar" && view.content !== null;
    const groups = model.sections ?? [{ title: null, rows: model.rows }];
    const { page, search, sort } = model;
    const key = JSON.stringify([
      isTree, view.catalog.id, model.title, model.path, search?.text, search?.scope, sort?.by, sort?.descending]);
    const isOther = !isTree && key !== this.#listKey;
    this.#listKey = key;
    const selected = groups.flatMap(({ rows }) => rows).filter((row) => row.selected).map((row) => row.id).join("\n");
    const isSelectedAnew = selected !== this.#selected && selected !== "";
    this.#selected = selected;
    const hadFocus = this.box.contains(document.activeElement);
    const kind = isTree ? "treeitem" : "option";
    attribute(this.box, "role", isTree ? "tree" : "listbox");
    attribute(this.box, "aria-multiselectable", !isTree && selected.includes("\n") ? "true" : null);
    attribute(this.box, "aria-label", model.title || "Items");
    this.places = isTree ? treePlaces(groups) : null;
    const first = page?.first ?? 0;
    let offset = 0;
    for (const group of groups) { group.rows.offset = first + offset; offset += group.rows.length; }
    const setSize = page ? (page.totalCapped ? -1 : page.total) : null;
    const update = (element, group) => {
      say(element.firstElementChild, group.title);
      attribute(element, "role", group.title == null && groups.length === 1 ? "presentation" : "group");
      attribute(element, "aria-label", group.title);
      const updateRow = (row, thing, index) => {
        this.#drawRow(row, thing, kind);
        const place = this.places?.get(thing) ?? { position: group.rows.offset + index + 1, size: setSize };
        attribute(row, "aria-level", place.level);
        attribute(row, "aria-posinset", place.position);
        attribute(row, "aria-setsize", place.size);
      };
      updateRow.always = true;
      fill(element.lastElementChild, group.rows, (row) => row.id, () => this.#makeRow(), updateRow);
    };
    update.always = true;
    this.list.show(groups, page, isOther, () => make("div", "group", make("h3", "section"), make("div")), update);
    const folders = model.folders ?? [];
    this.folders.hidden = folders.length === 0;
    attribute(this.folders, "aria-label", `Folders in ${model.title ?? ""}`);
    fill(this.folders, folders, (row) => row.id, () => this.#makeRow(), (element, row) => this.#drawRow(element, row, "option"));
    this.box.hidden = offset === 0;
    this.#rove();
    if (isSelectedAnew && !isOther) this.list.reveal(this.box.querySelector("[aria-selected=true]"));
    if (hadFocus && this.edge !== undefined && !(this.edge ? page?.after : page?.before)) {
      this.focusRow(this.list.elements.at(this.edge));
      this.edge = undefined;
    }
    // The focused row has gone: what has the keyboard is its list.
    if (hadFocus && !this.box.contains(document.activeElement)) (this.#roving(this.box) ?? this.box).focus({ preventScroll: true });
    requestAnimationFrame(() => this.list.look());
  }

  #makeRow() {
    const row = make("div", "row", make("span", "disclosure", icon("chevron")), make("span", "picture"),
      make("span", "texts", make("span", "title"), make("span", "subtitle")), make("span", "date"), make("span", "badge"));
    row.dataset.row = "";
    row.tabIndex = -1;
    for (const text of row.querySelectorAll(".title, .subtitle, .badge")) text.dir = "auto";
    return row;
  }

  #drawRow(element, row, role) {
    element.row = row;
    attribute(element, "role", role);
    attribute(element, "aria-selected", row.selected === true);
    const [disclosure, picture, texts, date, badge] = element.children;
    disclosure.hidden = !row.disclosure;
    attribute(element, "aria-expanded", row.disclosure ? row.disclosure.expanded : null);
    element.style.setProperty("--depth", row.depth ?? 0);
    showIcon(picture, row.icon);
    say(texts.firstElementChild, row.title);
    say(texts.lastElementChild, row.subtitle);
    say(date, dateText(row.date));
    say(badge, row.badge ?? (row.count ? number.format(row.count) : null));
  }

  // MARK: Typing

  /** One search is under way at a time; what was typed meanwhile is the next one. */
  async #searchAgain() {
    if (this.#searching) return;
    do {
      this.#searching = this.search.value;
      await this.send({ ...this.model.search.event, text: this.#searching });
    } while (this.model.search && this.#searching !== this.search.value);
    this.#searching = null;
  }

  // MARK: Focus

  /** One row of each list can be reached with Tab: the last one that had the focus, else a selected one, else the first. */
  #rove() {
    for (const box of [this.folders, this.box]) {
      const rows = [...box.querySelectorAll("[data-row]")];
      const one = rows.find((row) => row.row.id === box.current) ?? rows.find((row) => row.row.selected) ?? rows[0];
      for (const row of rows) if (row.tabIndex !== (row === one ? 0 : -1)) row.tabIndex = row === one ? 0 : -1;
      box.tabIndex = -1;
    }
  }

  #roving(box) { return box.querySelector("[data-row][tabindex='0']"); }

  #current(id, box) {
    box.current = id;
    this.#rove();
  }

  focusRow(row) {
    row.focus({ preventScroll: true });
    this.list.reveal(row);
  }

  /** Gives the keyboard to the row that had it last, else to the heading. */
  focus() {
    const row = this.#roving(this.box) ?? this.#roving(this.folders);
    if (row && !row.closest("[hidden]")) this.focusRow(row);
    else this.title.focus();
  }
}

/** Level, position and number of siblings of each row of a tree. */
function treePlaces(groups) {
  const places = new Map();
  for (const { rows } of groups) {
    const open = [];
    for (const row of rows) {
      const depth = row.depth ?? 0;
      open.length = Math.min(open.length, depth + 1);
      const siblings = (open[depth] ??= []);
      siblings.push(row);
      places.set(row, { level: depth + 1, position: siblings.length, siblings });
    }
  }
  for (const place of places.values()) place.size = place.siblings.length;
  return places;
}
