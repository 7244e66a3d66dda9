import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { fromJson } from "../../../../../src/lib/data/from-json.ts";
import { DocumentFault } from "../../../../../src/lib/fault.ts";
import { createSeededRandom } from "../../../../../src/lib/seeded-random.ts";
import { parseExpression } from "../../../../../src/lib/spdx/expression.ts";
import { deprecatedIds, exceptionIds, licenseIds } from "../../../../../src/lib/spdx/identifiers.ts";
import { readPackages } from "../../../../../src/lib/spdx/packages.ts";
import { findObstacles, readTerms } from "../../../../../src/lib/spdx/terms.ts";
import { amount, drawSeed } from "../../../../support/cases.ts";

// Three programs that read licences: a parser and an evaluator of expressions, and one that reads them from installed packages.
const require = createRequire(import.meta.url);
const parse = require("spdx-expression-parse") as (text: string) => unknown;
const satisfies = require("spdx-satisfies") as (text: string, allowed: string[]) => boolean;
const list = require("spdx-license-list/simple") as Set<string>;
const root = new URL("../../../../../", import.meta.url).pathname;

const accepts = (work: () => unknown): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof DocumentFault || error instanceof Error) return false;
    throw error;
  }
};

test("each licence of spdx-license-list is known here, current or deprecated", () => {
  const known = new Set([...licenseIds, ...deprecatedIds]);
  expect([...list].filter((id) => !known.has(id.replace(/\+$/, "")))).toEqual([]);
  expect(list.size).toBeGreaterThan(700);
  // What is newer here than there; the lists of two packages are not made on one day.
  expect([...known].filter((id) => !list.has(id)).length).toBeLessThan(40);
});

const bytes = createSeededRandom(String(drawSeed()));
const draw = (): number => Buffer.from(bytes(4)).readUInt32LE() / 2 ** 32;
const pick = <T>(items: readonly T[]): T => items[Math.floor(draw() * items.length)] as T;

/** Licences without versions, for which the two evaluators agree on what "or later" means: nothing. */
const plain = ["MIT", "ISC", "Zlib", "0BSD", "Unlicense", "BSL-1.0", "BSD-3-Clause"];

function drawExpression(depth: number, leaf: () => string): string {
  if (depth === 0 || draw() < 0.3) return leaf();
  const one = `${drawExpression(depth - 1, leaf)} ${pick(["AND", "OR"])} ${drawExpression(depth - 1, leaf)}`;
  return draw() < 0.5 ? `(${one})` : one;
}

test("spdx-expression-parse accepts the same expressions, faulty ones among them", () => {
  const leaf = (): string => {
    const exception = draw() < 0.2 ? ` WITH ${pick(exceptionIds)}` : "";
    const id = pick(draw() < 0.9 ? licenseIds : deprecatedIds);
    return draw() < 0.05 ? `LicenseRef-${id}` : `${id}${draw() < 0.1 ? "+" : ""}${exception}`;
  };
  const known = new Set(require("spdx-license-ids") as string[]);
  let [valid, faulty] = [0, 0];
  const different: string[] = [];
  for (let round = 0; round < amount(2000); round++) {
    let text = drawExpression(4, leaf);
    // A token less, one twice, or another one.
    if (draw() < 0.5) {
      const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
      const at = Math.floor(draw() * tokens.length);
      tokens.splice(
        at,
        1,
        ...pick([[], [tokens[at] ?? "", tokens[at] ?? ""], ["("], [")"], ["AND"], ["WITH"], ["+"], ["mit-"]]),
      );
      text = tokens.join(" ");
    }
    const [ours, theirs] = [accepts(() => parseExpression(text)), accepts(() => parse(text))];
    // Their list is another release; a + of its own, or before WITH, is a token there.
    const isOfList = (text.match(/[A-Za-z0-9.-]+/g) ?? []).some(
      (id) => licenseIds.includes(id) && !known.has(id),
    );
    if (isOfList || / \+/.test(text)) continue;
    if (ours) valid++;
    else faulty++;
    if (ours !== theirs) different.push(text);
  }
  expect(different).toEqual([]);
  expect(Math.min(valid, faulty)).toBeGreaterThan(300);
});

test("spdx-satisfies finds the same expressions acceptable", () => {
  const different: string[] = [];
  const verdicts = { true: 0, false: 0 };
  for (let round = 0; round < amount(1000); round++) {
    const text = drawExpression(3, () => pick(plain));
    const allow = plain.filter(() => draw() < 0.5);
    if (allow.length === 0) continue;
    const ours = findObstacles(parseExpression(text), readTerms({ allow, deny: [] })) === undefined;
    verdicts[`${ours}`]++;
    if (ours !== satisfies(text, allow)) different.push(`${text} with ${allow.join(", ")}`);
  }
  expect(different).toEqual([]);
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(100);
});

test("versions: what spdx-satisfies accepts by a version is accepted here", () => {
  const pairs: [string, string][] = [
    ["GPL-2.0-or-later", "GPL-3.0-only"],
    ["GPL-2.0-only", "GPL-2.0-or-later"],
    ["GPL-2.0-only", "GPL-3.0-only"],
    ["GPL-3.0-only", "GPL-2.0-or-later"],
    ["Apache-1.1+", "Apache-2.0"],
    ["Apache-2.0", "Apache-1.1"],
    ["LGPL-2.1-only", "LGPL-3.0-only"],
    ["MIT", "ISC"],
  ];
  for (const [text, allowed] of pairs)
    expect([
      text,
      allowed,
      findObstacles(parseExpression(text), readTerms({ allow: [allowed], deny: [] })) === undefined,
    ]).toEqual([text, allowed, satisfies(text, [allowed])]);
});

test("twenty choices joined by AND take a pass here, and do not end there by the memory that there is", () => {
  const text = Array(24).fill("(MIT OR ISC)").join(" AND ");
  const before = process.cpuUsage();
  for (let round = 0; round < 100; round++)
    findObstacles(parseExpression(text), readTerms({ allow: ["MIT"], deny: [] }));
  const ours = process.cpuUsage(before).user;
  const middle = process.cpuUsage();
  // Twelve choices, not twenty-four: each doubles what it takes.
  satisfies(Array(12).fill("(MIT OR ISC)").join(" AND "), ["MIT"]);
  expect(ours / 100).toBeLessThan(process.cpuUsage(middle).user);
});

describe("real lock files, beside license-checker over the installed packages", () => {
  test.each(["", "test/system/lib/spdx/oracle/", "test/system/reports/"])("%spackage-lock.json", (folder) => {
    const start = `${root}${folder}`;
    expect(existsSync(`${start}node_modules`)).toBe(true);
    const bin = require.resolve("license-checker/bin/license-checker");
    const output = execFileSync(process.execPath, [bin, "--json", "--start", start], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const theirs = JSON.parse(output) as Record<string, { licenses: string | string[] }>;
    const found = readPackages(fromJson(readFileSync(`${start}package-lock.json`, "utf8")));
    if (!("packages" in found)) throw new Error(found.message);
    const ours = new Map(
      found.packages.map(({ name, version, statements }) => [`${name}@${version}`, statements[0]?.text]),
    );
    const different: string[] = [];
    let compared = 0;
    for (const [name, { licenses }] of Object.entries(theirs)) {
      const text = ours.get(name);
      const stated = Array.isArray(licenses) ? `(${licenses.join(" OR ")})` : licenses;
      // A star marks what was guessed from a file, which a lock file does not have; the project itself is no dependency.
      if (text === undefined || /\*$|^UNKNOWN$|^Custom:/.test(stated)) continue;
      compared++;
      if (text.replace(/^\((.*)\)$/, "$1") !== stated.replace(/^\((.*)\)$/, "$1"))
        different.push(`${name}: ${text}, ${stated}`);
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(10);
    // All that is installed is in the lock file.
    const own = `${(JSON.parse(readFileSync(`${start}package.json`, "utf8")) as { name: string }).name}@`;
    expect(Object.keys(theirs).filter((name) => !ours.has(name) && !name.startsWith(own))).toEqual([]);
  });
});
