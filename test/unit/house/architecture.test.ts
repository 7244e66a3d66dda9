import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = new URL("../../..", import.meta.url).pathname;
const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

/** The paths that the drawn tree names, folders with a slash at the end; one line may name several folders. */
function drawn(): string[] {
  const tree = /```\n(src\/\n[\s\S]*?)```/.exec(text)?.[1] ?? "";
  const parents: string[] = [];
  return tree
    .trimEnd()
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const [, branch = "", names = ""] = /^((?:│ {3}| {4})*[├└]── )(\S+(?: \S+)*)/.exec(line) ?? [];
      const depth = branch.length / 4;
      const found = names.split(" ").filter((name) => /^[\w.-]+(?:\/|\.ts)$/.test(name));
      parents[depth] = found[0] ?? "";
      return found.map((name) => `src/${parents.slice(1, depth).join("")}${name}`);
    });
}

function foldersOf(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => [`${path}${entry.name}/`, ...foldersOf(`${path}${entry.name}/`)]);
}

it("draws the tree as it is: every folder, and every file at the top", () => {
  const files = readdirSync(join(root, "src"))
    .filter((name) => statSync(join(root, "src", name)).isFile() && !name.endsWith(".d.ts"))
    .map((name) => `src/${name}`);
  expect(drawn().toSorted()).toEqual([...files, ...foldersOf("src/")].toSorted());
});

it("has a line for each main library, with its test", () => {
  for (const library of ["h3", "listhen", "unstorage", "rate-limiter-flexible", "citty", "vitest"]) {
    expect(text).toMatch(new RegExp(`^\\| \`?${library}\`? \\|.*\\btest/`, "m"));
  }
});

it("has a line for each patched library, with its version and an existing test", () => {
  const [, table = ""] = text.split("\n## Patched libraries\n");
  const rows = [...table.matchAll(/^\| `([^`]+)` (\S+) \|.*\| `(test\/[^`]+)` \|.+\|$/gm)];
  const patches = readdirSync(join(root, "config/patches")).filter((name) => name.endsWith(".patch"));
  expect(
    rows.map(([, library, version]) => `${library?.replace("/", "+")}@${version}.patch`).toSorted(),
  ).toEqual(patches.toSorted());
  for (const [, , , test = ""] of rows) expect(statSync(join(root, test)).isFile()).toBe(true);
});
