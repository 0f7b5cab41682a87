import { byId, dateText, icon, make, part, say, showIcon, showPlaceholder, staleText, textual } from "./dom.js";

// Others would be fetched, which the page may not do.
const isShown = (source) => /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(source);

const makers = {
	text: ({ text }) => textual("p", "text", text),
	fields: ({ fields }) => make("dl", "fields", ...fields.map(({ label, value }) =>
		make("div", "", textual("dt", "", label), textual("dd", "", value)))),
	image: ({ source, label }) => {
		const image = isShown(source) ? Object.assign(make("img"), { alt: label ?? "", src: source }) : icon("");
		return make("figure", "image", image, textual("figcaption", "", label));
	},
	links: ({ links }, send) => make("ul", "links", ...links.map(({ title, event }) => {
		const button = textual("button", "link", title);
		Object.assign(button, { disabled: !event, onclick: () => send(event) }).append(icon("chevron"));
		return make("li", "", button);
	})),
};

export class Detail {
	constructor(send) {
		Object.assign(this, { send, root: byId("detail"), title: byId("detail-title") });
	}

	draw(model) {
		const { root, send } = this;
		if (this.model?.blocks !== model.blocks) {
			part(root, "blocks").replaceChildren(...model.blocks.map((block) => makers[block.kind]?.(block, send) ?? ""));
		}
		if (this.model?.id !== model.id) part(root, "scroller").scrollTop = 0;
		this.model = model;
		say(this.title, model.status === "multiple" ? `${model.selectedCount} items selected` : model.title);
		for (const name of ["subtitle", "badge"]) say(part(root, name), model[name]);
		say(part(root, "date"), dateText(model.date));
		say(part(root, "note"), staleText(model.status));
		showIcon(part(root, "picture"), model.icon);
		showPlaceholder(part(root, "placeholder"), model.placeholder);
	}

	focus() { (this.title.hidden ? part(this.root, "placeholder") : this.title).focus({ preventScroll: true }); }
}
