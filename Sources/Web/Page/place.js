// The address, #/catalog/category/item/..., follows the view; the browser's back and forward lead it.

export function asked() {
	try {
		const [start, catalog, category, item, ...path] = location.hash.split("/").map((part) => decodeURIComponent(part) || null);
		if (start === "#") return { catalog: catalog ?? null, category, item, path: path.filter(Boolean) };
	} catch { /* no address of ours */ }
	return { catalog: null };
}

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
	#turn = 0;
	#awaited = 0;
	// The browser has the address of what is shown next already.
	#isLed = true;

	/** `send(event)` resolves to the answer, `open()` leads to the address, `onRest()`: nothing changed. */
	constructor(send, open, onRest) {
		Object.assign(this, { send, open, onRest });
		history.scrollRestoration = "manual";
		history.replaceState({ at: this.#at }, "");
		addEventListener("popstate", ({ state }) => this.#moved(state?.at));
	}

	/** What a view shows has an address. */
	settle(address, { revision }) {
		if (revision < this.#awaited) return;
		const isLed = this.#isLed;
		this.#isLed = false;
		if (location.hash === address) return;
		if (!isLed) this.#top = ++this.#at;
		history[isLed ? "replaceState" : "pushState"]({ at: this.#at }, "", address);
	}

	#moved(at) {
		const { back, forward } = this.view?.history ?? {}, button = { "-1": back, 1: forward }[at - this.#at];
		this.#at = at ?? (this.#top = this.#at + 1);
		if (at === undefined) history.replaceState({ at: this.#at }, "");
		if (button) this.lead(button.event);
		else this.open();
	}

	/** The next view, or the one after this event, has its address already. */
	async lead(event) {
		const turn = ++this.#turn;
		this.#isLed = true;
		this.#awaited = event ? Infinity : 0;
		if (!event) return;
		const answer = await this.send(event);
		if (turn !== this.#turn) return;
		this.#awaited = answer?.view.revision ?? 0;
		if (!answer?.changed) this.onRest();
	}

	/** The page's own buttons take the browser along, as far as it knows the way. */
	step(by, { event }) {
		if (by < 0 ? this.#at > 0 : this.#at < this.#top) history.go(by);
		else this.lead(event);
	}
}
