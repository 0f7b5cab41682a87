import { rowsOf } from "./dom.js";

// Keys in lists and trees, as in the ARIA Authoring Practices: arrows move, Enter and Space choose.

export function handleKeys(box, column) {
	const go = (row) => row && column.focusRow(row);
	const step = (rows, to) => go(rows[Math.min(Math.max(to, 0), rows.length - 1)]);

	let typed = "", last = 0;

	function inTree(key, rows, at) {
		const { disclosure, depth } = rows[at].row;
		const isInward = key === (getComputedStyle(box).direction === "rtl" ? "ArrowLeft" : "ArrowRight");
		if (disclosure && disclosure.expanded !== isInward) column.send(disclosure.event);
		else if (isInward) disclosure && step(rows, at + 1);
		else go(rows.slice(0, at).findLast(({ row }) => row.depth < depth));
	}

	box.addEventListener("keydown", (event) => {
		const { key, target } = event;
		if (event.altKey || event.ctrlKey || event.metaKey) return;
		const rows = rowsOf(box), at = rows.indexOf(target.closest(".row"));
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
		else if (key.length === 1) {
			typed = (event.timeStamp - last < 1000 ? typed : "") + key.toLowerCase();
			last = event.timeStamp;
			const start = typed.replace(/^(.)\1+$/, "$1");
			go([...rows.slice(at + (start.length < 2)), ...rows].find(({ row }) => row.title?.toLowerCase().startsWith(start)));
		}
		else return;
		event.preventDefault();
	});
}
