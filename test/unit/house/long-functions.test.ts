import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const maxLines = 150;

/** State machines over one text, whose parts share all their variables. */
const exempt = [
  // Strings, numbers and words move one position: apart, each of them would return an object of a value and its end.
  "src/lib/jq/read-json.ts: openJson",
];

/** Functions of a file that are not within another, with their lines: the formatter puts their end at the margin. */
function functionsOf(source: string): { name: string; lines: number }[] {
  const lines = source.split("\n");
  return lines.flatMap((line, at) => {
    const [, name] = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line) ?? [];
    if (name === undefined) return [];
    const length = lines.slice(at).findIndex((one) => one === "}") + 1;
    return [{ name, lines: length }];
  });
}

const long = globSync("src/**/*.{ts,tsx}", { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .flatMap((path) =>
    functionsOf(readFileSync(new URL(path, root), "utf8"))
      .filter(({ lines }) => lines > maxLines)
      .map(({ name }) => `${path}: ${name}`),
  );

test("no function has more than 150 lines", () => {
  expect(long.filter((one) => !exempt.includes(one))).toEqual([]);
});

test("each exemption is still needed", () => {
  expect(exempt.filter((one) => !long.includes(one))).toEqual([]);
});
