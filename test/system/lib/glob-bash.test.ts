import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createGlobSet } from "../../../src/lib/glob/glob-set.ts";
import { drawSeed } from "../../support/cases.ts";
import { parseGlob } from "../../../src/lib/glob/parse.ts";

const bash = process.platform === "win32" ? undefined : spawnSync("bash", ["-c", "true"]).status;

test.skipIf(bash !== 0)("matches within a name what bash matches", () => {
  const random = fc.array(
    fc.constantFrom(
      "a",
      "b",
      ".",
      "*",
      "?",
      "[!a]",
      "!(a)",
      "!(a|b*)",
      "!(*.b)",
      "@(a|!(b))",
      "!(!(a)b)",
      "?(a)",
      "+(a|.)",
    ),
    { minLength: 1, maxLength: 4 },
  );
  const texts = ["a", "b", "ab", "ba", "a.b", "a.a", "b.b", "aab", "abb", "a.a.b", "bab", ".", "é"];
  const patterns = fc
    .sample(random, { numRuns: 400, seed: drawSeed() })
    .map((words) => words.join(""))
    // bash skips text behind a star and a group, and takes question marks between them into the star: `*?!(!(a)b)?` matches a, which is
    // too short.
    .filter((glob) => !/\*\?*[!@?+]\(/.test(glob));
  const program =
    "shopt -s extglob; while IFS=$'\\t' read -r name glob; do [[ $name == $glob ]]; echo $?; done";
  const cases = patterns.flatMap((glob) => texts.map((name) => ({ name, glob })));
  const input = cases.map(({ name, glob }) => `${name}\t${glob}\n`).join("");
  const answers = spawnSync("bash", ["-c", program], { input, env: { LC_ALL: "C.UTF-8" } })
    .stdout.toString()
    .trim()
    .split("\n");
  expect(answers).toHaveLength(cases.length);
  const differing = cases.filter(({ name, glob }, at) => {
    const matches = createGlobSet([parseGlob(glob, { dot: true, groups: true, classes: true })]);
    return matches(name).length > 0 !== (answers[at] === "0");
  });
  expect(differing).toEqual([]);
});
