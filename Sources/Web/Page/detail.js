// The detail column: one item, from its blocks.

import { attribute, byId, icon, make, say, showIcon } from "./dom.js";
import { dateText, showPlaceholder, staleText } from "./column.js";

/** A text whose direction is that of its own first letter. */
function text(name, className, content) {
  const element = make(name, className, content ?? "");
  element.dir = "auto";
  return element;
}

// Whatever else an image names would be fetched from somewhere else, which the page may not do.
const isShown = (source) => /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(source);

const makers = {
  text: (block) => text("p", "text", block.text),
  fields: (block) => {
    const list = make("dl", "fields");
    for (const { label, value } of block.fields) list.append(make("div", "", text("dt", "", label), text("dd", "", value)));
    return list;
  },
  image: (block) => {
    const figure = make("figure", "image");
    if (isShown(block.source)) {
      const image = make("img");
      image.alt = block.label ?? "";
      image.src = block.source;
      figure.append(image);
    } else {
      figure.append(icon("square"));
    }
    figure.append(text("figcaption", "", block.label));
    return figure;
  },
  links: (block, send) => {
    const list = make("ul", "links");
    for (const link of block.links) {
      const button = text("button", "link", link.title);
      button.type = "button";
      button.disabled = !link.event;
      button.append(icon("chevron"));
      button.onclick = () => send(link.event);
      list.append(make("li", "", button));
    }
    return list;
  },
};

export class Detail {
  constructor(send) {
    this.root = byId("detail");
    this.send = send;
    const part = (className) => this.root.querySelector(`.${className}`);
    Object.assign(this, {
      title: part("heading"), subtitle: part("subtitle"), note: part("note"), date: part("date"), badge: part("badge"),
      picture: part("picture"), blocks: part("blocks"), placeholder: part("placeholder"), scroller: part("scroller"),
    });
  }

  draw(model) {
    const { status, selectedCount } = model;
    const isOther = this.model?.id !== model.id;
    if (this.model?.blocks !== model.blocks) {
      this.blocks.replaceChildren(...model.blocks.map((block) => makers[block.kind]?.(block, this.send) ?? ""));
    }
    this.model = model;
    const isMultiple = status === "multiple";
    say(this.title, isMultiple ? `${selectedCount} items selected` : model.title);
    say(this.subtitle, model.subtitle);
    say(this.date, dateText(model.date));
    attribute(this.date, "datetime", model.date);
    say(this.badge, model.badge);
    say(this.note, staleText(status));
    showIcon(this.picture, model.icon);
    showPlaceholder(this.placeholder, model.placeholder);
    if (isOther) this.scroller.scrollTop = 0;
  }

  focus() { (this.title.hidden ? this.placeholder : this.title).focus({ preventScroll: true }); }
}
