// RFC 6902, as the gateway uses it. What is not touched stays the same object: `===` tells what is to be drawn.

const keys = (pointer) => pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

const at = (value, path) => path.reduce((box, key) => {
	if (!Object.hasOwn(Object(box), key)) throw new Error("no such place");
	return box[key];
}, value);

const changes = {
	add(box, key, what) {
		if (!Array.isArray(box)) box[key] = what;
		else if (key > box.length) throw new Error("no such place");
		else box.splice(key === "-" ? box.length : key, 0, what);
	},
	remove: (box, key) => Array.isArray(box) ? box.splice(key, 1) : delete box[key],
	replace(box, key, what) { box[key] = what; },
};

/** `value` with the change done to a copy of what holds the place. */
function edit(op, value, [key, ...rest], what) {
	if (key === undefined) return what;
	if (rest.length || op !== "add") at(value, [key]);
	const copy = Array.isArray(value) ? [...value] : { ...value };
	if (rest.length) copy[key] = edit(op, copy[key], rest, what);
	else changes[op](copy, key, what);
	return copy;
}

/** The value after all operations; throws if one does not fit it. */
export function patched(value, operations) {
	for (const { op, path, from, value: what } of operations) {
		if (op !== "move") value = edit(op, value, keys(path), what);
		else value = edit("add", edit("remove", value, keys(from)), keys(path), at(value, keys(from)));
	}
	return value;
}
