// RFC 6902 on values that are never changed: what a patch does not touch stays the same object, so that who draws can
// see by `===` what there is to draw.

/** The parts of a JSON pointer. */
const parts = (pointer) =>
  pointer === "" ? [] : pointer.slice(1).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

function at(value, path) {
  for (const part of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, part)) throw new Error("no such place");
    value = value[part];
  }
  return value;
}

/** `value` with what is at `path` changed by `change(container, key)`, which works on a copy. */
function edit(value, path, change) {
  if (value === null || typeof value !== "object") throw new Error("no such place");
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  if (path.length === 1) {
    change(copy, path[0]);
  } else {
    if (!Object.hasOwn(value, path[0])) throw new Error("no such place");
    copy[path[0]] = edit(value[path[0]], path.slice(1), change);
  }
  return copy;
}

const add = (value, path, what) =>
  path.length === 0 ? what : edit(value, path, (container, key) => {
    if (!Array.isArray(container)) return void (container[key] = what);
    const index = key === "-" ? container.length : Number(key);
    if (!Number.isInteger(index) || index < 0 || index > container.length) throw new Error("no such place");
    container.splice(index, 0, what);
  });

const remove = (value, path) => edit(value, path, (container, key) => {
  if (!Object.hasOwn(container, key)) throw new Error("no such place");
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
});

/** The value after all operations; throws if one of them does not fit it. */
export function patched(value, operations) {
  for (const { op, path, from, value: what } of operations) {
    const to = parts(path);
    switch (op) {
      case "add": value = add(value, to, what); break;
      case "remove": value = remove(value, to); break;
      case "replace":
        at(value, to);
        value = to.length === 0 ? what : edit(value, to, (container, key) => { container[key] = what; });
        break;
      case "move": {
        const moved = at(value, parts(from));
        value = add(remove(value, parts(from)), to, moved);
        break;
      }
      case "copy": value = add(value, to, at(value, parts(from))); break;
      case "test": if (JSON.stringify(at(value, to)) !== JSON.stringify(what)) throw new Error("a test failed"); break;
      default: throw new Error(`no operation ${op}`);
    }
  }
  return value;
}
