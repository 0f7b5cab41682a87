// A list: the view's window of rows, between spaces as high as the others.

import { rowsOf } from "./dom.js";

// Pixels; browsers stop at 16 million. Beyond this, spaces are lower than their rows.
const heightMax = 8e6;
// Rows asked for around what is seen, and (the most there may be) on the way to a far place.
const around = 120, stride = 500;
// Rows before the window's edge where the next one is asked for.
const margin = 20;

export class List {
	#rows = [];
	#first = 0;
	#total = 0;
	#page = null;
	#isAsking = false;
	// Another list, or drawn unseen: where it is scrolled to means nothing.
	#isLost = true;
	#target = null;
	#index = null;
	#asked = "";

	constructor(scroller, box, ask) {
		Object.assign(this, { scroller, box, ask, above: box.previousElementSibling, below: box.nextElementSibling });
		let frame = 0;
		scroller.addEventListener("scroll", () => {
			frame ||= requestAnimationFrame(() => { frame = 0; this.look(); });
		});
	}

	get #rowHeight() { return this.box.querySelector(".row")?.getBoundingClientRect().height || 44; }
	get #scale() { return Math.min(1, heightMax / (this.#total * this.#rowHeight || 1)); }
	#covers(index) { return index >= this.#first && index < this.#first + this.#rows.length; }

	/** Takes another window of rows, which `draw()` draws; `isOther`: of another list. */
	show(rows, page, isOther, draw) {
		this.#rows = rows;
		this.#page = page;
		this.#first = page?.first ?? 0;
		this.#total = Math.max(page?.total ?? 0, this.#first + rows.length);
		this.#isAsking = false;
		if (isOther) this.#target = this.#index = null;
		this.#index = page?.selectedIndex ?? this.#index;
		if (this.#target !== null && !this.#covers(this.#target)) return;
		this.#isLost ||= isOther || !this.scroller.clientHeight;
		const anchor = this.#isLost ? null : this.#anchor();
		draw();
		const height = this.#rowHeight * this.#scale, top = (element) => element.getBoundingClientRect().top;
		this.above.style.height = `${this.#first * height}px`;
		this.below.style.height = `${(this.#total - this.#first - rows.length) * height}px`;
		if (anchor?.element.isConnected) {
			const moved = top(anchor.element) - anchor.top;
			if (Math.abs(moved) >= 1) this.scroller.scrollTop += moved;
		} else if (this.#target !== null && this.#scale < 1) {
			this.scroller.scrollTop += top(rowsOf(this.box)[this.#target - this.#first]) - top(this.scroller);
		}
		this.#target = null;
	}

	#anchor() {
		const { top, bottom } = this.scroller.getBoundingClientRect();
		for (const element of rowsOf(this.box)) {
			const frame = element.getBoundingClientRect();
			if (frame.bottom > top) return frame.top < bottom ? { element, top: frame.top } : null;
		}
		return null;
	}

	#indexAtTop() {
		const height = this.#rowHeight, low = height * this.#scale, y = this.scroller.scrollTop - this.above.offsetTop;
		const start = this.#first * low, end = start + this.#rows.length * height;
		const index = y < start ? y / low : this.#first + (Math.min(y, end) - start) / height + Math.max(0, y - end) / low;
		return Math.min(Math.max(0, Math.floor(index)), this.#total - 1);
	}

	async look() {
		const rows = this.#rows, page = this.#page, first = this.#first, last = first + rows.length - 1;
		if (this.#isAsking || !page || rows.length === 0 || !this.scroller.clientHeight) return;
		if (this.#isLost) {
			this.#isLost = false;
			this.scroller.scrollTop = 0;
			this.reveal(rowsOf(this.box)[(this.#index ?? first) - first]);
		}
		const top = this.#indexAtTop();
		const bottom = Math.min(top + Math.ceil(this.scroller.clientHeight / this.#rowHeight), this.#total - 1);
		let place = null;
		if (!this.#covers(top) && !this.#covers(bottom)) {
			const cursor = top < first ? { before: page.before } : { after: page.after };
			if (cursor.before ?? cursor.after) place = { ...cursor, limit: stride };
		} else if ((page.before && top - margin < first) || (page.after && bottom + margin > last) || rows.length > 2 * around) {
			const middle = Math.min(Math.max(((top + bottom) >> 1) - first, 0), rows.length - 1);
			place = { around: rows[middle].id, limit: around };
			const asked = `${place.around} ${first} ${rows.length}`;
			if (asked === this.#asked) place = null;
			this.#asked = asked;
		}
		this.#target = place && !place.around ? top : null;
		if (!place) return;
		this.#isAsking = true;
		const { changed } = await this.ask(place).catch(() => ({}));
		if (!changed) this.#isAsking = false;
	}

	reveal(element) {
		if (!element) return;
		const frame = element.getBoundingClientRect(), view = this.scroller.getBoundingClientRect();
		this.scroller.scrollTop += Math.min(0, frame.top - view.top) + Math.max(0, frame.bottom - view.bottom);
	}

	/** Scrolls to the head or the end; says whether the rows there are still to come. */
	jump(toEnd) {
		this.scroller.scrollTop = toEnd ? this.scroller.scrollHeight : 0;
		return Boolean(toEnd ? this.#page?.after : this.#page?.before);
	}
}
