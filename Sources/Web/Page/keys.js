// The keyboard in lists and trees, as the ARIA Authoring Practices have it: arrows move, Enter and Space choose.

/** Handles the keys of the rows in `box`, which belong to `column`. */
export function handleKeys(box, column) {
  let typed = "", timer = 0;

  const go = (row) => row && column.focusRow(row);
  // At the edge of the window the list brings more rows by itself, because the row there is seen.
  const step = (rows, to) => go(rows[Math.min(Math.max(to, 0), rows.length - 1)]);

  function inTree(key, rows, at) {
    const { disclosure, depth } = rows[at].row;
    const isInward = key === (getComputedStyle(box).direction === "rtl" ? "ArrowLeft" : "ArrowRight");
    if (disclosure && disclosure.expanded !== isInward) column.send(disclosure.event);
    else if (isInward) disclosure && step(rows, at + 1);
    else go(rows.slice(0, at).findLast(({ row }) => row.depth < depth));
  }

  function type(letter, rows, at) {
    clearTimeout(timer);
    timer = setTimeout(() => { typed = ""; }, 700);
    typed += letter.toLowerCase();
    const from = typed.length > 1 ? at : at + 1;
    go([...rows.slice(from), ...rows.slice(0, from)].find(({ row }) => row.title?.toLowerCase().startsWith(typed)));
  }

  box.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const rows = [...box.querySelectorAll("[data-row]")], at = rows.indexOf(target.closest("[data-row]"));
    const page = Math.max(1, Math.floor(column.scroller.clientHeight / (rows[0]?.offsetHeight || 44)) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (steps[key]) step(rows, at + steps[key]);
    else if (key === "Home" || key === "End") {
      column.edge = key === "End" ? -1 : 0;
      if (box === column.box && column.list.jump(key === "End")) box.focus({ preventScroll: true });
      else go(rows.at(column.edge));
    } else if (at < 0) return;
    else if (key === "ArrowLeft" || key === "ArrowRight") box.role === "tree" && inTree(key, rows, at);
    else if (key === "Enter" || key === " ") column.send(rows[at].row.event);
    else if (key.length === 1) type(key, rows, at);
    else return;
    event.preventDefault();
  });
}
