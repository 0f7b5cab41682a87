// Small hands for the document. Texts of a catalog only ever become text nodes and attribute values.

export const byId = (id) => document.getElementById(id);

/** A new element. */
export function make(name, className = "", ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Shows a text, or hides the element if there is none. */
export function say(element, text) {
  const now = text ?? "";
  if (element.textContent !== now) element.textContent = now;
  element.hidden = now === "";
}

/** Sets an attribute, or removes it if the value is null. */
export function attribute(element, name, value) {
  if (value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/**
 * Makes `parent` hold one element for each thing, in their order, those that it has already staying what they are.
 *
 * What stays is not moved unless it must be: a moved element would lose its focus.
 */
export function fill(parent, things, key, create, update) {
  const old = new Map();
  for (const element of parent.children) old.set(element.key, element);
  const kept = new Set();
  const elements = things.map((thing, index) => {
    const id = key(thing, index);
    let element = kept.has(id) ? undefined : old.get(id);
    kept.add(id);
    if (!element) {
      element = create(thing);
      element.key = id;
    }
    if (element.thing !== thing || element.place !== index || update.always) {
      update(element, thing, index);
      element.thing = thing;
      element.place = index;
    }
    return element;
  });
  const staying = new Set(elements);
  for (const element of [...parent.children]) if (!staying.has(element)) element.remove();
  let next = parent.firstElementChild;
  for (const element of elements) {
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
}

// Paths on a grid of 24, drawn with a line; a name that isn't here is a small circle.
const shapes = {
  sidebar: "M4 5h16v14H4zM9.5 5v14", chevron: "M9 5l7 7-7 7", back: "M15 5l-7 7 7 7",
  older: "M19 12H5M11 6l-6 6 6 6", newer: "M5 12h14M13 6l6 6-6 6",
  "archive-box": "M3 5h18v4H3zM5 9v11h14V9M10 13h4", amplifier: "M4 4h16v16H4zM12 8.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M7 6h2",
  boat: "M3 15h18l-3 5H6zM12 15V3l7 9h-7", bolt: "M13 3L5 14h6l-1 7 9-12h-7z",
  book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14",
  bowl: "M3 11h18a9 9 0 0 1-18 0zM8 20.5h8M9 3v4M14 4v3", briefcase: "M3 8h18v12H3zM8 8V4h8v4M3 13h18",
  cake: "M4 20h16v-7H4zM4 16.5c3 2 5-2 8 0s5-2 8 0M12 13V8M12 4.5v.5", calendar: "M4 6h16v14H4zM4 10h16M8 3v5M16 3v5",
  columns: "M4 5h16v14H4zM9.3 5v14M14.7 5v14", document: "M6 3h8l4 4v14H6zM14 3v4h4", flag: "M6 21V4h12l-3 4 3 4H6",
  folder: "M3 6h6l2 2h10v11H3z", "fork-knife": "M7 3v18M4 3v5a3 3 0 0 0 6 0V3M17 21V3c-3 2-4 6-4 10h4",
  guitar: "M20 4l-7 7M18 3l3 3M12 9.5c-2-1-4 0-4 2-3-1-6 2-4.5 5s4 4.5 6.5 3c2-1 2-2 1.5-3.5 2 0 3-2 2.5-4",
  hammer: "M13 11l-9 9M9 6l6-2 6 6-2 2-3-1-2 2-5-5 2-2z", house: "M3 12l9-8 9 8M6 10v10h12V10",
  jar: "M7 3h10v3H7zM8 6c-2 1-3 3-3 5v8a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-8c0-2-1-4-3-5",
  leaf: "M5 19C4 9 10 4 20 4c0 10-5 16-15 15zM5 19l8-8", lightbulb: "M9 17c0-3-3-4-3-8a6 6 0 0 1 12 0c0 4-3 5-3 8zM10 21h4",
  magnifier: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
  microphone: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM6 11a6 6 0 0 0 12 0M12 17v4",
  note: "M5 4h14v16H5zM8 9h8M8 13h8M8 17h5",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 2-6 6-6s6 2 6 6M16 4.5a3.5 3.5 0 0 1 0 6M17.5 14c2.5.5 3.5 2.5 3.5 6",
  pin: "M12 21v-7M8 3h8l-1 6 3 5H6l3-5z", prism: "M12 4l9 15H3zM12 4v15", square: "M5 5h14v14H5z",
  star: "M12 3l2.7 5.8 6.3.8-4.6 4.3 1.2 6.2L12 17l-5.6 3.1 1.2-6.2L3 9.6l6.3-.8z",
  suitcase: "M4 7h16v13H4zM9 7V4h6v3M8 7v13M16 7v13",
  sunrise: "M3 18h18M7 14.5a5 5 0 0 1 10 0M12 3v5M9.5 5.5L12 3l2.5 2.5M3.5 11l2 1.2M20.5 11l-2 1.2",
  tram: "M6 5h12v12H6zM6 11h12M9 14h.1M15 14h.1M9 17l-2 4M15 17l2 4M10 2h4", tree: "M12 3l6 8h-3l4 6H5l4-6H6zM12 17v4",
  trumpet: "M3 12h9c4 0 6-3 9-5v12c-3-2-5-5-9-5H8M6 9v8", wave: "M2 10c3-4 5-4 7 0s4 4 6 0 4-4 7 0M2 16c3-4 5-4 7 0s4 4 6 0 4-4 7 0",
};

/** A picture for the name of an icon; it says nothing to a screen reader, the text beside it does. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", Object.hasOwn(shapes, name) ? shapes[name] : "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z");
  svg.append(path);
  return svg;
}

/** Shows an icon in an element whose only content it is, or none if the name is null. */
export function showIcon(element, name) {
  if (element.icon === name) return;
  element.icon = name;
  element.replaceChildren(...(name == null ? [] : [icon(name)]));
  element.hidden = name == null;
}
