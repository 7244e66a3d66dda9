import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIgnoreRules } from "../../../src/lib/glob/git.ts";
import { createGlobSet } from "../../../src/lib/glob/glob-set.ts";
import { parseGlob } from "../../../src/lib/glob/parse.ts";
import { createPathSet } from "../../../src/lib/glob/path-set.ts";
import type { GlobNode } from "../../../src/lib/glob/program.ts";
import { amount } from "../../support/cases.ts";
import { startCost } from "../../cost/start-cost.ts";

/** Returns the ends of a node that begins at one of some indexes, by its definition: without steps, words or memory. */
function naiveEnds(node: GlobNode, text: readonly string[], starts: ReadonlySet<number>): Set<number> {
  switch (node.kind) {
    case "one":
      return new Set(
        [...starts].filter((at) => at < text.length && node.test(text[at] as string)).map((at) => at + 1),
      );
    case "visible":
      return new Set([...starts].filter((at) => text[at] !== "." || (at > 0 && text[at - 1] !== "/")));
    case "sequence":
      return node.items.reduce((ends, item) => naiveEnds(item, text, ends), new Set(starts));
    case "choice":
      return new Set(node.items.flatMap((item) => [...naiveEnds(item, text, starts)]));
    case "not":
      return new Set(
        [...starts].flatMap((start) =>
          Array.from({ length: text.length - start + 1 }, (_, length) => start + length).filter((end) => {
            const part = text.slice(start, end);
            if (!node.crosses && part.includes("/")) return false;
            if (node.hides && part.some((character, at) => character === "/" && text[start + at + 1] === "."))
              return false;
            return !naiveMatch(node.item, part.join(""));
          }),
        ),
      );
    case "repeat": {
      const ends = new Set(node.min === 0 ? starts : []);
      let next = naiveEnds(node.item, text, starts);
      while ([...next].some((at) => !ends.has(at))) {
        for (const at of next) ends.add(at);
        if (node.many) next = naiveEnds(node.item, text, next);
      }
      return ends;
    }
  }
}

const naiveMatch = (node: GlobNode, text: string): boolean =>
  naiveEnds(node, [...text], new Set([0])).has([...text].length);

const parts = ["a", "b", "é", ".", "*", "?", "**", "/", "/**/", "**/", "[!b]", "{a,b/c}", "{1..3}"];
const groups = [
  "!(a)",
  "!(*b|.a)",
  "!(a/*|@(b|!(c)))",
  "!({a,[!b]}*)",
  "@(a|b)",
  "+(a|*b)",
  "?(.a)",
  "*(a|/)",
  "\\*",
  "*a*",
  "longer-name",
  "😀",
];
const globs = fc
  .array(fc.constantFrom(...parts, ...groups), { minLength: 1, maxLength: 8 })
  .map((words) => words.join(""));
const names = ["a", "b", ".a", "é", "😀", "ab", "2", "*", "aab", "longer-name", ".", "c.a"];
const paths = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 })
  .map((words) => words.join("/"));

describe("a set of patterns", () => {
  test.each([true, false])("matches what each pattern matches by its definition, with dot %j", (dot) => {
    fc.assert(
      fc.property(
        fc.array(globs, { minLength: 1, maxLength: 30 }),
        fc.array(paths, { minLength: 1, maxLength: 10 }),
        (patterns, texts) => {
          const nodes = patterns.map((glob) => parseGlob(glob, { dot, groups: true, classes: true }));
          const matching = createGlobSet(nodes);
          // Texts that begin alike share their states; the order must not matter.
          for (const text of [...texts, ...texts.toSorted(), ""]) {
            const expected = [...nodes.keys()].filter((index) => naiveMatch(nodes[index] as GlobNode, text));
            expect([text, matching(text)]).toEqual([text, expected]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("finds by an index what the definition of each pattern finds", () => {
    const simple = fc.constantFrom(
      "a",
      "**/a",
      "**/*.a",
      "a/**",
      "**/*",
      "**/ab",
      "**/b/c.a",
      "**",
      "a/b/**/*",
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(simple, globs), { maxLength: 20 }),
        fc.array(paths),
        (patterns, texts) => {
          const nodes = patterns.map((glob) => parseGlob(glob, { dot: true, groups: true, classes: true }));
          const matching = createPathSet(patterns);
          for (const text of texts) {
            const expected = [...nodes.keys()].filter((index) => naiveMatch(nodes[index] as GlobNode, text));
            expect([text, matching(text)]).toEqual([text, expected]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("remembers no more of a pattern that leads everywhere", () => {
    const matching = createGlobSet([
      parseGlob("?(a)".repeat(5000), { dot: true, groups: true, classes: true }),
    ]);
    expect(matching("a".repeat(50))).toEqual([0]);
    expect(matching("b")).toEqual([]);
  });
});

/** As deep as files of a large repository, and no two alike. */
const tree = Array.from(
  { length: 300 },
  (_, index) => `src/module${index % 17}/component-${index}/deep/some-file-name-${index}.test.ts`,
);

describe.each(["**/*a*q{}*e*", "**/[a-z]*{}x*", "src/*/x{}/*.ts"])(
  "three hundred files and a thousand patterns or more, such as %s",
  (pattern) => {
    const patterns = Array.from({ length: amount(1250) }, (_, index) => pattern.replace("{}", String(index)));
    const most = (600 * patterns.length) / 5000;

    // Five thousand patterns cost 1,000 to 6,000 units if each of them is on its own.
    test("cost no more than the words that their steps fill", () => {
      const cost = startCost();
      const matching = createPathSet(patterns);
      for (const path of tree) matching(path);
      expect(cost()).toBeLessThan(most);
    });

    test("cost no more in a .gitignore", () => {
      const cost = startCost();
      const decide = createIgnoreRules(patterns.join("\n"));
      for (const path of tree) decide(path);
      expect(cost()).toBeLessThan(most);
    });
  },
);
