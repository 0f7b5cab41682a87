// Runs before the page's own scripts: keeps what comes over the WebSocket, by an applier of patches of its own, and looks
// at the document.
const test = window.test = { view: null, sent: [], shift: 0, subscription: null };

(() => {
  const apply = (document, operations) => {
    let root = { "": structuredClone(document) };
    for (const { op, path, from, value } of operations) {
      const find = (pointer) => {
        const keys = pointer.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
        const last = keys.pop();
        return [keys.reduce((container, key) => container[key], keys.length ? root : { "": root[""] }), last];
      };
      const take = (pointer) => {
        const [container, key] = pointer === "" ? [root, ""] : find(pointer);
        const taken = container[key];
        if (Array.isArray(container)) container.splice(key, 1); else delete container[key];
        return taken;
      };
      const put = (pointer, what, isNew) => {
        const [container, key] = pointer === "" ? [root, ""] : find(pointer);
        if (Array.isArray(container) && isNew) container.splice(key === "-" ? container.length : key, 0, what);
        else container[key] = what;
      };
      if (op === "add") put(path, value, true);
      else if (op === "replace") put(path, value, false);
      else if (op === "remove") take(path);
      else if (op === "move") put(path, take(from), true);
      else throw new Error(op);
    }
    return root[""];
  };
  const asked = new Map();
  let frames = 0;
  const Real = window.WebSocket;
  window.WebSocket = class extends Real {
    constructor(...words) {
      super(...words);
      test.socket = this;
      this.addEventListener("message", ({ data }) => {
        frames = 0;
        const message = JSON.parse(data);
        const { params, result } = message;
        if (message.method === "view.changed" && params.subscription === test.subscription) {
          test.view = params.view ?? (params.patch ? apply(test.view, params.patch) : test.view);
        } else if (asked.get(message.id) === "view.subscribe" && result) {
          test.subscription = result.subscription;
          performance.mark("view-first");
          test.view = result.view;
        }
        asked.delete(message.id);
      });
    }
    send(text) {
      const { id, method } = JSON.parse(text);
      asked.set(id, method);
      frames = 0;
      test.sent.push(JSON.parse(text));
      super.send(text);
    }
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) test.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });

  // Nothing is asked that is not answered, and two frames have passed since something came.
  const count = () => {
    frames = asked.size === 0 ? frames + 1 : 0;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  test.isQuiet = () => test.view !== null && frames > 3;

  const shown = (element) => element.checkVisibility();
  const own = (element) => (element && shown(element) ? element.textContent : null);
  test.find = (selector, text) => [...document.querySelectorAll(selector)]
    .find((element) => shown(element) && (text == null || element.textContent.includes(text)));
  test.columns = () => {
    const isMirrored = document.documentElement.dir === "rtl";
    return [...document.querySelectorAll(".column")].filter(shown).map((element) => {
      const frame = element.getBoundingClientRect();
      return { column: element.id, x: isMirrored ? innerWidth - frame.right : frame.left, width: frame.width,
               overlay: element.classList.contains("overlay") };
    });
  };
  test.rows = (column, part = ".box") => [...document.querySelectorAll(`#${column} ${part} .row`)].map((row) => ({
    title: row.querySelector(".title").textContent, subtitle: own(row.querySelector(".subtitle")),
    badge: own(row.querySelector(".badge")), selected: row.getAttribute("aria-selected") === "true",
    expanded: row.getAttribute("aria-expanded"), level: row.getAttribute("aria-level"),
    position: Number(row.getAttribute("aria-posinset")), size: Number(row.getAttribute("aria-setsize")),
    top: row.getBoundingClientRect().top,
  }));
  test.titles = () => Object.fromEntries([...document.querySelectorAll(".column")].filter(shown)
    .map((element) => [element.id, own(element.querySelector(".heading"))]));
  test.focus = () => {
    const element = document.activeElement;
    return { tag: element.localName, role: element.getAttribute("role"), id: element.id,
             text: element.querySelector(".title")?.textContent ?? element.textContent,
             column: element.closest(".column")?.id ?? null, shown: shown(element) };
  };
})();

/** All that is seen, as far as the view decides it. */
test.screen = () => {
  const own = (element) => (element?.checkVisibility() ? element.textContent : null);
  const placeholder = (root) => {
    const element = root.querySelector(".placeholder");
    return element.checkVisibility()
      ? { title: own(element.querySelector(".title")), hint: own(element.querySelector(".hint")) } : null;
  };
  const row = (element) => ({
    title: own(element.querySelector(".title")), subtitle: own(element.querySelector(".subtitle")),
    date: own(element.querySelector(".date")), badge: own(element.querySelector(".badge")),
    selected: element.getAttribute("aria-selected") === "true", expanded: element.getAttribute("aria-expanded"),
    hasIcon: element.querySelector(".picture").checkVisibility(),
  });
  const blocks = (element) => {
    switch (element.className) {
      case "text": return { kind: "text", text: element.textContent };
      case "fields": return { kind: "fields", fields: [...element.querySelectorAll("dt")].map((label) => (
        { label: label.textContent, value: label.nextElementSibling.textContent })) };
      case "image": return { kind: "image", source: element.querySelector("img")?.getAttribute("src") ?? null,
                             label: element.querySelector("figcaption").textContent };
      default: return { kind: "links", links: [...element.querySelectorAll("button")].map((link) => (
        { title: link.textContent, isEnabled: !link.disabled })) };
    }
  };
  const column = (root) => {
    if (!root.checkVisibility()) return null;
    const shared = { title: own(root.querySelector(".heading")), placeholder: placeholder(root) };
    if (root.id === "detail") {
      return { ...shared, subtitle: own(root.querySelector(".subtitle")), date: own(root.querySelector("article .date")),
               badge: own(root.querySelector("article .badge")), note: own(root.querySelector(".note")),
               blocks: [...root.querySelector(".blocks").children].map(blocks) };
    }
    const search = root.querySelector(".search"), sort = root.querySelector(".sort");
    return {
      ...shared, note: own(root.querySelector(".note")), role: root.querySelector(".box").getAttribute("role"),
      search: search.checkVisibility() ? search.value : null,
      sort: sort.checkVisibility()
        ? { options: [...sort.options].map((one) => one.textContent), chosen: sort.selectedIndex } : null,
      folders: [...root.querySelectorAll(".folders .row")].map(row),
      groups: [...root.querySelectorAll(".group")].map((group) => ({
        title: own(group.querySelector(".section")), rows: [...group.querySelectorAll(".row")].map(row) })),
      levels: [...root.querySelectorAll(".box .row")].map((one) => one.getAttribute("aria-level")),
      positions: [...root.querySelectorAll(".box .row")].map((one) => Number(one.getAttribute("aria-posinset"))),
    };
  };
  const id = (name) => document.getElementById(name);
  return {
    columns: test.columns(), sidebar: column(id("sidebar")), content: column(id("content")), detail: column(id("detail")),
    toggle: id("toggle").checkVisibility(), dismiss: id("dismiss").checkVisibility(),
    back: own(id("back").lastChild), older: !id("older").disabled, newer: !id("newer").disabled, where: own(id("where")),
  };
};
