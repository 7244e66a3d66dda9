import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

// `make docs`: writes every file that is derived from the source and kept in the repository. Tests compare each with what
// its generator returns. A generator that fails leaves its file as it was and ends the run.
const root = new URL("..", import.meta.url).pathname;

const run = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });

/** Files that a command prints. */
const printed: Record<string, string[]> = {
  "docs/schema.graphql": ["src/main.ts", "tools", "--graphql"],
};

/** Scripts that write their file themselves. */
const scripts = [
  "config/tool-pages.ts",
  "config/page-types.ts",
  "config/operations-page.ts",
  "config/build/json-printer/generate.ts",
  "test/unit/catalog/outputs.ts",
];

for (const [path, args] of Object.entries(printed)) writeFileSync(`${root}${path}`, run(...args));
for (const script of scripts) run(script);
