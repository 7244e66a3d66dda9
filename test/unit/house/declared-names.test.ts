import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// A cluster sends a script to the server of the names in KEYS, and holds it back while they move to another one. A script that used other names
// would fail in its midst, or take for missing what has moved.

const root = new URL("../../../", import.meta.url);
const paths = globSync("src/storage/redis/*.ts", { cwd: root }).toSorted();

/** Commands without names of keys. */
const nameless = new Set(["time", "publish", "spublish"]);

/** Returns the local variables of scripts that contain a name of KEYS, or one of them in turn. */
function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, left = "", right = ""] of text.matchAll(/\blocal ([\w, ]+?) = ([^\n]+)/g)) {
    const values = right.split(", ");
    const all = right.startsWith("unpack(KEYS)");
    for (const [index, name] of left.split(", ").entries())
      if (all || /^KEYS\[\d+\]$/.test(values[index] ?? "")) names.add(name);
  }
  for (const [, name = "", list = ""] of text.matchAll(/\bfor \w+, (\w+) in ipairs\(([^)]+)\)/g)) {
    const parts = list.replaceAll(/[{}]/g, "").split(", ");
    if (list === "KEYS" || parts.every((part) => names.has(part))) names.add(name);
  }
  return names;
}

/** Scripts of deliveries begin with the text of one file, which has a function for several of the names. */
const common = new Set(["set"]).union(
  namesIn(readFileSync(new URL("src/storage/redis/delivery-lua.ts", root), "utf8")),
);

test.each(paths)("every script in %s uses the names in KEYS alone", (path) => {
  const text = readFileSync(new URL(path, root), "utf8");
  const names = path.includes("/delivery-") ? common.union(namesIn(text)) : namesIn(text);
  const calls = text.matchAll(/redis\.p?call\(\s*'(\w+)'\s*,?\s*([^,)]*)/g);
  const undeclared = [...calls]
    .filter(
      ([, command = "", name = ""]) =>
        !nameless.has(command) && !names.has(name) && !/^KEYS\[\w+(?: \+ \d+)?\]$/.test(name),
    )
    .map(([call]) => call);
  for (const [call, set = ""] of text.matchAll(/\bfirsts\((\w+)/g))
    if (!names.has(set)) undeclared.push(call);
  expect(undeclared).toEqual([]);
});
