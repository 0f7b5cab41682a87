// The address of the page, #/catalog/category/item/..., follows the view; the browser's back and forward lead it.

/** `{catalog, category, item, path}` of an address; null stands for what is not in it. */
function parse(hash) {
  if (!hash.startsWith("#/")) return { catalog: null };
  let parts;
  try { parts = hash.slice(2).split("/").map(decodeURIComponent); } catch { return { catalog: null }; }
  const [catalog, category, item, ...path] = parts.map((part) => part || null);
  return { catalog, category: category ?? null, item: item ?? null, path: path.filter(Boolean) };
}

/** The address of what a view shows; of a collapsed window it takes a view that says what is selected. */
export function addressOf({ catalog, sidebar, content, detail }) {
  if (catalog.id === null) return "";
  const selected = (sections) => sections.flatMap(({ rows }) => rows).find((row) => row.selected)?.id;
  const category = content && (content.path.at(-1)?.id ?? selected(sidebar.sections));
  const path = detail.path.map(({ id }) => id);
  const item = (path.length === 0 ? detail.id : null) ?? selected(content ? [content] : sidebar.sections);
  const parts = [catalog.id, category, item, ...(item ? path : [])].map((part) => encodeURIComponent(part ?? ""));
  while (parts.at(-1) === "") parts.pop();
  return `#/${parts.join("/")}`;
}

export class Place {
  #at = history.state?.at ?? 0;
  #top = this.#at;
  // Set while an event is under way that the browser's buttons, or a link, asked for: the address is already there.
  #isLed = true;

  /** `send(event)` resolves to whether something changed; `open(place)` leads to an address. */
  constructor(send, open) {
    Object.assign(this, { send, open });
    history.scrollRestoration = "manual";
    history.replaceState({ at: this.#at }, "");
    addEventListener("popstate", ({ state }) => this.#moved(state?.at));
  }

  get asked() { return parse(location.hash); }

  /** The view has come to an address. */
  settle(address, title) {
    document.title = title;
    const isLed = this.#isLed;
    this.#isLed = false;
    if (!address || location.hash === address) return;
    if (isLed) return history.replaceState({ at: this.#at }, "", address);
    this.#top = ++this.#at;
    history.pushState({ at: this.#at }, "", address);
  }

  /** What is shown next was asked for by an address. */
  lead() { this.#isLed = true; }

  #moved(at) {
    const by = at === undefined ? 0 : at - this.#at;
    if (at === undefined) {
      this.#top = ++this.#at;
      history.replaceState({ at: this.#at }, "");
    } else {
      this.#at = at;
    }
    const event = { "-1": this.view?.history.back, 1: this.view?.history.forward }[by]?.event;
    if (event) this.#send(event);
    else this.open(this.asked);
  }

  async #send(event) {
    this.#isLed = true;
    if (!await this.send(event)) this.#isLed = false;
  }

  /** The page's own history buttons take the browser along, as far as it knows the way. */
  step(by, event) {
    if (by < 0 ? this.#at > 0 : this.#at < this.#top) history.go(by);
    else this.#send(event);
  }
}
