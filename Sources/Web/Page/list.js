// A list of rows of which the view has a window. Above and below it stand empty spaces as high as the rows that are not
// there, so that the scrollbar is that of the whole list.

import { fill } from "./dom.js";

// Browsers stop at some 16 million pixels; a list that would be higher has lower spaces.
const heightMax = 8e6;
// Rows asked for around what is seen, and at once on the way to a place far away (the most that there may be).
const around = 120, stride = 500;
// So near to the window's edge, in rows, the next window is asked for.
const margin = 20;

export class List {
  #rows = [];
  #first = 0;
  #total = 0;
  #page = null;
  #isAsking = false;
  #target = null;

  /**
   * `scroller` scrolls `box`, in which `groups` are: elements that hold rows. `ask(place)` asks for another window and
   * resolves when the answer has come.
   */
  constructor(scroller, box, ask) {
    this.scroller = scroller;
    this.box = box;
    this.ask = ask;
    this.above = box.previousElementSibling;
    this.below = box.nextElementSibling;
    let frame = 0;
    scroller.addEventListener("scroll", () => {
      frame ||= requestAnimationFrame(() => { frame = 0; this.look(); });
    }, { passive: true });
  }

  /** Rows that are in the document, in their order. */
  get elements() { return [...this.box.querySelectorAll("[data-row]")]; }

  get #rowHeight() {
    const one = this.box.querySelector("[data-row]");
    return one?.getBoundingClientRect().height || 44;
  }
  get #scale() { return Math.min(1, heightMax / Math.max(1, this.#total * this.#rowHeight)); }

  /**
   * Takes a new window: `groups` of rows, which `create(group)` and `update(element, group)` draw. `isOther` says that it
   * is another list.
   */
  show(groups, page, isOther, create, update) {
    this.#page = page;
    this.#isAsking = false;
    this.#rows = groups.flatMap((group) => group.rows);
    this.#first = page?.first ?? 0;
    this.#total = Math.max(page?.total ?? 0, this.#first + this.#rows.length);
    if (isOther) this.#target = null;
    // On the way to a far place what lies between is not drawn.
    if (this.#target !== null && !this.#covers(this.#target)) return void this.look();
    const anchor = isOther ? null : this.#anchor();
    fill(this.box, groups, (group, index) => `${index} ${group.title ?? ""}`, create, update);
    const height = this.#rowHeight * this.#scale;
    this.above.style.blockSize = `${this.#first * height}px`;
    this.below.style.blockSize = `${Math.max(0, this.#total - this.#first - this.#rows.length) * height}px`;
    if (isOther) {
      this.scroller.scrollTop = 0;
      this.reveal(this.box.querySelector("[aria-selected=true]") ?? (this.#first > 0 ? this.elements[0] : null));
    } else if (anchor?.element.isConnected) {
      const moved = anchor.element.getBoundingClientRect().top - anchor.top;
      if (Math.abs(moved) >= 1) this.scroller.scrollTop += moved;
    } else if (this.#target !== null) {
      const element = this.elements[this.#target - this.#first];
      const moved = element ? element.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top : 0;
      if (this.#scale < 1) this.scroller.scrollTop += moved;
    }
    this.#target = null;
  }

  /** The first row that is seen, and where. */
  #anchor() {
    const top = this.scroller.getBoundingClientRect().top;
    for (const element of this.elements) {
      const frame = element.getBoundingClientRect();
      if (frame.bottom > top) return frame.top > top + this.scroller.clientHeight ? null : { element, top: frame.top };
    }
    return null;
  }

  #covers(index) { return index >= this.#first && index < this.#first + this.#rows.length; }

  /** Index of the row at the top of what is seen. */
  #indexAtTop() {
    const height = this.#rowHeight, scale = this.#scale;
    const y = Math.max(0, this.scroller.scrollTop - this.above.offsetTop);
    const start = this.#first * height * scale, rows = this.#rows.length * height;
    const index = y < start ? y / (height * scale)
      : y < start + rows ? this.#first + (y - start) / height
        : this.#first + this.#rows.length + (y - start - rows) / (height * scale);
    return Math.min(Math.max(0, Math.floor(index)), Math.max(0, this.#total - 1));
  }

  /** Asks for another window if what is seen is near its edge, or beyond. */
  async look() {
    if (this.#isAsking || !this.#page || this.#rows.length === 0) return;
    const seen = Math.ceil(this.scroller.clientHeight / this.#rowHeight);
    const top = this.#indexAtTop(), bottom = Math.min(top + seen, this.#total - 1);
    const last = this.#first + this.#rows.length - 1;
    let place = null;
    if (!this.#covers(top) && !this.#covers(bottom)) {
      this.#target = top;
      if (top < this.#first && this.#page.before) place = { before: this.#page.before, limit: stride };
      else if (top > last && this.#page.after) place = { after: this.#page.after, limit: stride };
    } else if ((this.#page.before && top - margin < this.#first) || (this.#page.after && bottom + margin > last)
               || this.#rows.length > 2 * around) {
      const middle = Math.min(Math.max(Math.floor((top + bottom) / 2) - this.#first, 0), this.#rows.length - 1);
      const isWide = this.#rows.length > 2 * around;
      place = { around: this.#rows[middle].id, limit: around };
      // The gateway has the last word about what a window around a row is: the same answer is not asked for twice.
      const asked = `${place.around} ${this.#first} ${this.#rows.length}`;
      if (asked === this.asked && !isWide) return;
      this.asked = asked;
    }
    if (!place) return void (this.#target = null);
    this.#isAsking = true;
    // What was asked for comes with the next view, if there is something new in it.
    const { changed } = await this.ask(place).catch(() => ({}));
    if (!changed) this.#isAsking = false;
  }

  /** Scrolls as little as is needed to see all of an element. */
  reveal(element) {
    if (!element) return;
    const frame = element.getBoundingClientRect(), view = this.scroller.getBoundingClientRect();
    if (frame.top < view.top) this.scroller.scrollTop += frame.top - view.top;
    else if (frame.bottom > view.bottom) this.scroller.scrollTop += frame.bottom - view.bottom;
  }

  /** Scrolls to the head or the end of the whole list; says whether the rows there are still to come. */
  jump(toEnd) {
    this.scroller.scrollTop = toEnd ? this.scroller.scrollHeight : 0;
    return Boolean(toEnd ? this.#page?.after : this.#page?.before);
  }
}
