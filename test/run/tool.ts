import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nearest } from "../../src/lib/nearest.ts";
import { tools } from "../../src/tools/index.ts";
import { readImports } from "../unit/house/imports.ts";

// `make test-tool SLUG=json-formatter`: everything that tests one tool, on the sources: the files that import it, the rules and promises
// of the catalogue for it, and its examples over every surface. The files below read TEST_TOOL (`isChosen` in test/support/cases.ts).
const shared = [
  // The parts that every tool must have, and its examples as JSON, text and bytes.
  "test/unit/catalog/tools.test.ts",
  // Recorded outputs, aliases, options that messages name, and readers of what it writes.
  "test/unit/catalog/outputs.test.ts",
  "test/unit/catalog/found/aliases.test.ts",
  "test/unit/catalog/named-options.test.ts",
  "test/unit/catalog/writers.test.ts",
  // The offers of detection for the documents of its examples.
  "test/unit/catalog/detected-examples.test.ts",
  "test/unit/surfaces/graphql/examples.test.ts",
  "test/system/surfaces/examples.test.ts",
];
const root = new URL("../..", import.meta.url).pathname;

const given = process.argv[2] ?? "";
const slug = findSlug(given);
if (slug === undefined) {
  const all = slugs();
  const near = nearest(
    given.split("/").at(-1) ?? "",
    all.map((one) => one.split("/")[1] ?? ""),
  );
  const hint = near === undefined ? "" : ` The nearest is ${all.find((one) => one.endsWith(`/${near}`))}.`;
  process.stderr.write(
    given === ""
      ? "Name a tool: make test-tool SLUG=json-formatter.\n"
      : `There is no tool ${JSON.stringify(given)}.${hint} src/tools/index.ts lists all of them.\n`,
  );
  process.exit(2);
}
const [, name = ""] = slug.split("/");
const files = [
  ...globSync("test/{unit,system/bounds,system/corpora}/**/*.test.ts", { cwd: root }).filter((path) =>
    readImports(readFileSync(join(root, path), "utf8")).some(({ from }) =>
      from.endsWith(`/src/tools/${slug}.ts`),
    ),
  ),
  // Comparisons of this tool with other programs. Those of other tools take as long as all the rest.
  ...globSync(`test/system/oracles/${name}{,-*}.test.ts`, { cwd: root }),
];
const args = ["run", "--config", "config/vitest.ts", "--maxWorkers=2", ...new Set([...files, ...shared])];
const { TEST_EXECUTABLE: _, ...env } = process.env;
const { status } = spawnSync("vitest", args, {
  cwd: root,
  stdio: "inherit",
  env: { ...env, TEST_TOOL: name },
});
process.exitCode = status ?? 1;

/** Returns category and slug, for a slug with or without its category. */
function findSlug(text: string): string | undefined {
  return slugs().find((one) => one === text || one.endsWith(`/${text}`));
}

function slugs(): string[] {
  return Object.entries(tools).flatMap(([category, group]) =>
    Object.keys(group).map((one) => `${category}/${one}`),
  );
}
