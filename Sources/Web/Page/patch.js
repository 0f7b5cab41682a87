// RFC 6902. What a patch does not touch stays the same object, so that `===` tells what there is to draw.

const keys = (pointer) => pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

function at(value, [key, ...rest]) {
	if (key === undefined) return value;
	if (!Object.hasOwn(Object(value), key)) throw new Error("no such place");
	return at(value[key], rest);
}

/** `value` with `change(container, key)` done to a copy of what holds the place. */
function edit(value, [key, ...rest], change) {
	const copy = Array.isArray(value) ? [...value] : { ...value };
	if (rest.length) copy[key] = edit(at(value, [key]), rest, change);
	else change(copy, key);
	return copy;
}

const add = (value, path, what) => path.length === 0 ? what : edit(value, path, (container, key) => {
	if (!Array.isArray(container)) return void (container[key] = what);
	const index = key === "-" ? container.length : Number(key);
	if (!(index >= 0 && index <= container.length)) throw new Error("no such place");
	container.splice(index, 0, what);
});

const remove = (value, path) => at(value, path) === undefined ? value : edit(value, path, (container, key) =>
	Array.isArray(container) ? container.splice(key, 1) : delete container[key]);

const replace = (value, path, what) => path.length === 0 ? what : edit(value, path, (container, key) => {
	at(container, [key]);
	container[key] = what;
});

/** The value after all operations; throws if one does not fit it. */
export function patched(value, operations) {
	for (const { op, path, from, value: what } of operations) {
		const to = keys(path);
		if (op === "add") value = add(value, to, what);
		else if (op === "remove") value = remove(value, to);
		else if (op === "replace") value = replace(value, to, what);
		else if (op === "move") value = add(remove(value, keys(from)), to, at(value, keys(from)));
		else if (op === "copy") value = add(value, to, at(value, keys(from)));
		else if (op !== "test" || JSON.stringify(at(value, to)) !== JSON.stringify(what)) throw new Error(op);
	}
	return value;
}
