import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { scaffold } from "../../../config/scaffold.ts";

const { PATH = "", NODE_COMPILE_CACHE } = process.env;
const root = new URL("../../..", import.meta.url).pathname;
const index = "src/tools/index.ts";
/** The folders that a refusal and a new line in the list need; running the new test needs `whole`. */
const copied = ["config", "src/tools", "test/unit/tools"];
const whole = [
  "package.json",
  "tsconfig.json",
  "src",
  "test/unit/catalog",
  "test/unit/corpora/corpus.ts",
  "test/unit/house/imports.ts",
  "test/run",
  "test/support",
];
let copy: string;
let list: string;

/** @param only The one category of tools that is copied, if not all are. */
function makeCopy(paths: readonly string[], only?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "penknife-scaffold-"));
  const isLeftOut = (path: string): boolean => {
    const [, category = only] = /^(?:src|test\/unit)\/tools\/([^/.]+)$/.exec(path.slice(root.length)) ?? [];
    return only !== undefined && category !== only;
  };
  for (const path of paths)
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !isLeftOut(from) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

beforeAll(() => {
  copy = makeCopy(copied);
  list = readFileSync(join(copy, index), "utf8");
  return () => rmSync(copy, { recursive: true, force: true });
});

/** Writes a new tool, which is removed after the test. */
const scaffoldOnce = (name: string): string[] => {
  onTestFinished(() => remove(name));
  return scaffold(copy, name);
};

function remove(name: string): void {
  for (const path of [`src/tools/${name}.ts`, `test/unit/tools/${name}.test.ts`]) rmSync(join(copy, path));
  writeFileSync(join(copy, index), list);
}

const files = (): string[] =>
  ["src/tools", "test/unit/tools"].flatMap((folder) =>
    readdirSync(join(copy, folder), { recursive: true, encoding: "utf8" }).toSorted(),
  );

interface Report {
  numPassedTests: number;
  numFailedTests: number;
}

test.each([
  ["json/aaa-formatter", "Aaa formatter"],
  ["json/json-replacer", "JSON replacer"],
  ["web/zzz-to-url", "Zzz to URL"],
])("%s has its line in alphabetical order", (name, title) => {
  const before = readFileSync(join(copy, index), "utf8").split("\n");
  const [category = "", slug = ""] = name.split("/");
  const written = scaffoldOnce(name);
  expect(written).toEqual([`src/tools/${name}.ts`, `test/unit/tools/${name}.test.ts`, index]);
  expect(readFileSync(join(copy, `src/tools/${name}.ts`), "utf8")).toContain(`title: "${title}",`);
  const after = readFileSync(join(copy, index), "utf8").split("\n");
  const line = `    "${slug}": () => import("./${name}.ts"),`;
  expect(after.filter((one) => one !== line)).toEqual(before);
  const block = after.slice(after.indexOf(`  ${category}: {`) + 1);
  const slugs = block.slice(0, block.indexOf("  },")).flatMap((one) => /^ {4}"([^"]+)"/.exec(one)?.[1] ?? []);
  expect(slugs).toContain(slug);
  expect(slugs).toEqual(slugs.toSorted());
});

test("writes formatted files that pass what every tool must pass", { timeout: 120_000 }, () => {
  // The other categories would be copied and loaded for nothing.
  const cwd = makeCopy([...copied, ...whole], "json");
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  let json = list;
  for (const [block, category = ""] of list.matchAll(/^ {2}(\w+): \{\n[^]*?^ {2}\},\n/gm)) {
    if (category !== "json") json = json.replace(block, "");
  }
  writeFileSync(join(cwd, index), json);
  const written = scaffold(cwd, "json/json-replacer");
  const run = (tool: string, ...words: string[]): string =>
    execFileSync(process.execPath, [join(root, "node_modules", tool), ...words], {
      cwd,
      encoding: "utf8",
      env: { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) },
    });
  run("oxfmt/bin/oxfmt", "--config", "config/oxfmt.json", "--check", ...written);
  const tests = ["test/unit/catalog/tools.test.ts", "test/unit/tools/json/json-replacer.test.ts"];
  const names = "json-replacer|the list is the folder|is .* with";
  run("vitest/vitest.mjs", "run", "--config", "config/vitest.ts", "--maxWorkers=1", "-t", names, ...tests);
  const report = JSON.parse(readFileSync(join(cwd, "dist/test-results.json"), "utf8")) as Report;
  const { numPassedTests, numFailedTests } = report;
  expect(numFailedTests).toBe(0);
  expect(numPassedTests).toBeGreaterThan(15);
});

test.each([
  ["", "is no category/slug"],
  ["json-replacer", "is no category/slug"],
  ["json/", "is no category/slug"],
  ["json/normalizer", "is no category/slug"],
  ["json/JSON-normalizer", "is no category/slug"],
  ["json/json_normalizer", "is no category/slug"],
  ["json/json--normalizer", "is no category/slug"],
  ["json/../json-replacer", "is no category/slug"],
  ["../json/json-replacer", "is no category/slug"],
  ['json/json-"-normalizer', "is no category/slug"],
  [`json/json-${"x".repeat(64)}`, "is no category/slug"],
  ["jsn/json-replacer", "There is no category jsn; there are cert, "],
  ["json/json-formatter", "json-formatter is a tool already, in json"],
  ["data/json-formatter", "json-formatter is a tool already, in json"],
])("%j is refused, and nothing is written", (name, message) => {
  const before = [files(), readFileSync(join(copy, index), "utf8")];
  expect(() => scaffold(copy, name)).toThrow(message);
  expect([files(), readFileSync(join(copy, index), "utf8")]).toEqual(before);
});

test("as a command reports an error in one line, with exit status 2", () => {
  const command = join(copy, "config/scaffold.ts");
  expect(() => execFileSync(process.execPath, [command, "json/x"], { stdio: "pipe" })).toThrow(
    expect.objectContaining({ status: 2, stderr: expect.toSatisfy((text) => /^.+\n$/.test(String(text))) }),
  );
  onTestFinished(() => remove("json/json-replacer"));
  const out = execFileSync(process.execPath, [command, "json/json-replacer"], { encoding: "utf8" });
  expect(out).toBe(`src/tools/json/json-replacer.ts\ntest/unit/tools/json/json-replacer.test.ts\n${index}\n`);
});
