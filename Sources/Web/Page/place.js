// The address of the page, #/catalog/category/item/..., follows the view; the browser's back and forward lead it.

/** `{catalog, category, item, path}` of the address; null stands for what is not in it. */
export function asked() {
  try {
    const [start, catalog, category, item, ...path] = location.hash.split("/").map((part) => decodeURIComponent(part) || null);
    if (start === "#") return { catalog: catalog ?? null, category, item, path: path.filter(Boolean) };
  } catch { /* somebody wrote something else there */ }
  return { catalog: null };
}

/** The address of what a view shows; the view must be one that says what is selected. */
export function addressOf({ catalog, sidebar, content, detail }) {
  const selected = (groups) => groups.flatMap(({ rows }) => rows).find((row) => row.selected)?.id;
  const category = content && (content.path.at(-1)?.id ?? selected(sidebar.sections));
  const path = detail.path.map(({ id }) => id);
  const item = (path.length === 0 ? detail.id : null) ?? selected(content ? [content] : sidebar.sections);
  const parts = ["#", catalog.id, category, item, ...(item ? path : [])].map((part) => encodeURIComponent(part ?? ""));
  return parts.join("/").replace("%23", "#").replace(/\/+$/, "");
}

export class Place {
  #at = history.state?.at ?? 0;
  #top = this.#at;
  // What is shown next was asked for by the browser's buttons or a link: the address is already there.
  #isLed = true;

  /** `send(event)` resolves to whether something changed; `open()` leads to the address. */
  constructor(send, open) {
    Object.assign(this, { send, open });
    history.scrollRestoration = "manual";
    history.replaceState({ at: this.#at }, "");
    addEventListener("popstate", ({ state }) => this.#moved(state?.at));
  }

  lead() { this.#isLed = true; }

  /** What is shown has an address. */
  settle(address) {
    const isLed = this.#isLed;
    this.#isLed = false;
    if (location.hash === address) return;
    if (!isLed) this.#top = ++this.#at;
    history[isLed ? "replaceState" : "pushState"]({ at: this.#at }, "", address);
  }

  #moved(at) {
    const by = at - this.#at;
    if (at === undefined) {
      this.#top = ++this.#at;
      history.replaceState({ at: this.#at }, "");
    } else {
      this.#at = at;
    }
    const { back, forward } = this.view?.history ?? {};
    const button = { "-1": back, 1: forward }[by];
    if (button) this.#send(button.event);
    else this.open();
  }

  async #send(event) {
    this.lead();
    if (!await this.send(event)) this.#isLed = false;
  }

  /** The page's own history buttons take the browser along, as far as it knows the way. */
  step(by, { event }) {
    if (by < 0 ? this.#at > 0 : this.#at < this.#top) history.go(by);
    else this.#send(event);
  }
}
