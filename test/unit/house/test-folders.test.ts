import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { tools } from "../../../src/tools/index.ts";
import { readImports, withoutComments } from "./imports.ts";

// The folder of a test says how it runs: the files of test/unit share one process, so that they neither start programs nor
// change the process; a file of test/system has a process of its own, and may do both.

const root = new URL("../../..", import.meta.url).pathname;
const glob = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ["**/node_modules/**"] }).toSorted();
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const unit = glob("test/unit/**/*.test.ts");

/** A test and everything below `test/` that it imports, directly or not. */
function reachedFrom(path: string): Set<string> {
  const found = new Set([path]);
  for (const one of found) {
    for (const { from, typeOnly } of readImports(read(one))) {
      const next = from.startsWith(".") ? relative(root, join(root, dirname(one), from)) : "";
      if (!typeOnly && /^test\/.*\.ts$/.test(next) && existsSync(join(root, next))) found.add(next);
    }
  }
  return found;
}

/** Code that a file of test/unit and its helpers must not have. `test/support/worker-command.ts` starts worker processes. */
const forbidden: Readonly<Record<string, RegExp>> = {
  "starts a program": /["'](?:node:)?(?:child_process|cluster)["']|\/worker-command\.ts["']/,
  "changes the environment":
    /process\.env(?:\.\w+|\[[^\]]+\])\s*(?:\?\?|\|\|)?=[^=]|delete process\.env|\bvi\.stubEnv\b/,
  "changes the process": /process\.(?:chdir|umask|exit|abort|setuid|title\s*=)\b|process\.(?:on|once)\(/,
  "replaces modules, globals or timers":
    /\bvi\.(?:mock|doMock|stubGlobal|useFakeTimers|setSystemTime)\b|\bvi\.spyOn\((?:process|globalThis|console|Date|Math)\b|globalThis(?:\.\w+|\[[^\]]+\])\s*=[^=]/,
};

const reached = new Map(unit.map((path) => [path, reachedFrom(path)]));

describe.each(Object.entries(forbidden))("no file of test/unit %s", (_, pattern) => {
  test("neither itself nor through a helper", () => {
    const faulty = new Set(
      [...new Set([...reached.values()].flatMap((files) => [...files]))].filter((path) =>
        pattern.test(withoutComments(read(path))),
      ),
    );
    const found = [...reached].flatMap(([path, files]) =>
      [...files].filter((file) => faulty.has(file)).map((file) => `${path}: ${file}`),
    );
    // This file contains the patterns.
    expect(found.filter((line) => !line.includes("house/test-folders.test.ts"))).toEqual([]);
  });
});

describe("one file for each tool", () => {
  const slugs = Object.entries(tools).flatMap(([category, group]) =>
    Object.keys(group).map((slug) => `${category}/${slug}`),
  );

  test("named after it, in the folder of its category", () => {
    const missing = slugs.filter((slug) => !unit.includes(`test/unit/tools/${slug}.test.ts`));
    expect(missing).toEqual([]);
  });

  test("imports the tool", () => {
    const others = slugs.filter(
      (slug) => !read(`test/unit/tools/${slug}.test.ts`).includes(`src/tools/${slug}.ts`),
    );
    expect(others).toEqual([]);
  });

  test("a further file of a category begins with the name of its tool; rules of several tools stand in test/unit/tools", () => {
    const files = [...glob("test/unit/tools/*/*.test.ts"), ...glob("test/system/oracles/*.test.ts")];
    const nameless = files.filter((path) => {
      const [, category, name = ""] = /(\w+)\/([\w-]+)\.test\.ts$/.exec(path) ?? [];
      return !slugs.some((slug) => {
        const [folder, own = ""] = slug.split("/");
        return (
          (folder === category || category === "oracles") && (name === own || name.startsWith(`${own}-`))
        );
      });
    });
    expect(nameless).toEqual([]);
  });
});

test("every test stands in test/unit, test/system or test/long", () => {
  const elsewhere = glob("test/**/*.test.ts").filter((path) => !/^test\/(?:unit|system|long)\//.test(path));
  expect(elsewhere).toEqual([]);
});

// A test that repeats, samples or measures more in `make test-long` is run there by a file that imports it.
test("each test whose amount of work depends on make test-long has a file in test/long, and no other has one", () => {
  const sized =
    /import \{[^}]*\b(?:isLong|cases|repeats|propertyRuns|amount)\b[^}]*\} from "[./]*support\/cases\.ts"/;
  const wanted = [...unit, ...glob("test/system/**/*.test.ts")].filter(
    // That one tests these functions.
    (path) =>
      path !== "test/system/config/run.test.ts" &&
      [...reachedFrom(path)].some((one) => sized.test(read(one))),
  );
  const found = glob("test/long/{unit,system}/**/*.test.ts").map((path) => {
    const [, from = ""] = /^import "([^"]+)";\n$/.exec(read(path)) ?? [];
    return [path, relative(root, join(root, dirname(path), from))];
  });
  expect(found).toEqual(wanted.map((path) => [path.replace("test/", "test/long/"), path]).toSorted());
});
