// The keyboard in lists and trees, as the ARIA Authoring Practices have it: arrows move, Enter and Space choose.

/** Handles the keys of the rows in `box`, which belong to `column`. */
export function handleKeys(box, column) {
  let typed = "", timer = 0;

  const go = (row) => { if (row) column.focusRow(row); };
  const rowsOf = () => [...box.querySelectorAll("[data-row]")];
  // At the edge of the window the list brings more rows by itself, because the row there is seen.
  const step = (rows, at, by) => go(rows[Math.min(Math.max(at + by, 0), rows.length - 1)]);

  function inTree(key, row, rows, at) {
    const isForward = key === (getComputedStyle(box).direction === "rtl" ? "ArrowLeft" : "ArrowRight");
    const { disclosure, depth = 0 } = row.row;
    if (disclosure && disclosure.expanded !== isForward) return void column.send(disclosure.event);
    if (isForward) return void (disclosure && step(rows, at, 1));
    for (let index = at - 1; index >= 0; index--) {
      if ((rows[index].row.depth ?? 0) < depth) return go(rows[index]);
    }
  }

  function type(letter, rows, at) {
    clearTimeout(timer);
    timer = setTimeout(() => { typed = ""; }, 700);
    typed += letter.toLocaleLowerCase();
    const from = typed.length > 1 ? at : at + 1;
    const order = [...rows.slice(from), ...rows.slice(0, from)];
    go(order.find((row) => (row.row.title ?? "").toLocaleLowerCase().startsWith(typed)));
  }

  box.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const rows = rowsOf(), row = event.target.closest("[data-row]");
    const at = row ? rows.indexOf(row) : -1;
    const page = Math.max(1, Math.floor(column.scroller.clientHeight / (rows[0]?.offsetHeight || 44)) - 1);
    switch (event.key) {
      case "ArrowDown": step(rows, at, 1); break;
      case "ArrowUp": step(rows, at < 0 ? rows.length : at, -1); break;
      case "PageDown": step(rows, at, page); break;
      case "PageUp": step(rows, at, -page); break;
      case "Home": case "End": {
        const isEnd = event.key === "End";
        column.edge = isEnd ? -1 : 0;
        if (box === column.box && column.list.jump(isEnd)) box.focus({ preventScroll: true });
        else go(rows.at(column.edge));
        break;
      }
      case "ArrowLeft": case "ArrowRight":
        if (!row || box.getAttribute("role") !== "tree") return;
        inTree(event.key, row, rows, at);
        break;
      case "Enter": case " ": if (!row) return; column.send(row.row.event); break;
      default:
        if (event.key.length !== 1) return;
        type(event.key, rows, at);
    }
    event.preventDefault();
  });
}
