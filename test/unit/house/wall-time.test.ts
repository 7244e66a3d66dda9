import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// On a loaded machine anything takes many times as long as on an idle one. A test asserts cost as a count, an order, or CPU time relative
// to a reference (`test/cost/start-cost.ts`); a bound on wall time may only catch a hang.

const root = new URL("../../..", import.meta.url).pathname;
const exclude = ["**/node_modules/**", "test/bench/**"];
const paths = globSync("test/**/*.ts", { cwd: root, exclude });
const hangMs = 60_000;

const bounds: Readonly<Record<string, RegExp>> = {
  "an assertion on elapsed time":
    /expect\(.*\b(?:performance|Date)\.now\(\) - [\w.]+(?:\)\.toBeLessThan(?:OrEqual)?\(| < )([\d_]+)/g,
  "an assertion on a duration": /expect\([\w.]*[dD]urationMs\)\.toBeLessThan(?:OrEqual)?\(([\d_]+)/g,
  "a timeout": /\btimeout: ([\d_]+)\b/g,
  "the deadline of a test": /^(?: {2})?\}, ([\d_]{4,})\);$/gm,
};

test.each(Object.entries(bounds))("%s allows at least a minute", (_, bound) => {
  const short = paths.flatMap((path) => {
    const text = readFileSync(`${root}${path}`, "utf8");
    return [...text.matchAll(bound)]
      .filter(([, ms = ""]) => Number(ms.replaceAll("_", "")) < hangMs)
      .map(({ 0: found, index }) => `${path}:${text.slice(0, index).split("\n").length}: ${found.trim()}`);
  });
  expect(short).toEqual([]);
});

// On a loaded machine fewer things happen within a time. A test waits for an event and asserts what came before it.
test("no test asserts how often an interval has passed", () => {
  const counted = /setInterval\(\(\) => (\w+)(?:\+\+| \+= 1)[^]*expect\(\1\)\.toBe(?:Greater|Less)Than/;
  expect(paths.filter((path) => counted.test(readFileSync(`${root}${path}`, "utf8")))).toEqual([]);
});

// The table of the library's own unit of all characters costs each process two seconds of CPU time.
test("random texts of all characters are made of anyCharacter", () => {
  const made = paths.filter((path) => /unit: ["']binary["']/.test(readFileSync(`${root}${path}`, "utf8")));
  expect(made).toEqual([]);
});
