import * as fc from "fast-check";
import semver from "semver";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/math/semver-comparer.ts";
import { compareExactVersions, type ExactVersion, parseExactVersion } from "../../../../src/lib/semver.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const run = (input: Record<string, unknown>): Promise<string> => runTool(tool, input);

// Semantic Versioning 2.0.0 §11.4, the example.
const ordered = [
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
];

test.each([
  [{ data: "1.2.3", other: "1.2.3" }, "0"],
  [{ data: "1.2.3+a", other: "1.2.3+b" }, "0"],
  [{ data: "1.2.3-rc", other: "1.2.3" }, "-1"],
  [{ data: "9007199254740991.0.0", other: "9007199254740990.0.0" }, "1"],
  [{ data: "v1.2.3", other: "=1.2.4", loose: true }, "-1"],
  [{ data: "1.9.0\nx\n1.10.0\n1.11.0-rc.1\n2.0.0", op: "max", range: "^1" }, "1.10.0"],
  [{ data: "1.9.0\n1.10.0\n1.11.0-rc.1", op: "max", range: "^1", includePrerelease: true }, "1.11.0-rc.1"],
  [{ data: "2.0.0\n1.9.0\n1.9.0+b\n1.10.0", op: "min", range: ">=1" }, "1.9.0"],
  [
    { data: "1.2.3\nv1.2.3\n01.2.3\n1.2\n1.2.3-01\n1.2.3-0a", op: "valid" },
    "true\nfalse\nfalse\nfalse\nfalse\ntrue",
  ],
  [{ data: "v1.2.3", op: "valid", loose: true }, "true"],
  [{ data: "", op: "valid" }, "false"],
  [{ data: "\n", op: "satisfies", range: "*" }, "false"],
  [{ data: "", op: "sort" }, ""],
  [{ data: "2.0.0-rc.1\njunk\n1.9.9", op: "satisfies", range: ">=1.9" }, "false\nfalse\ntrue"],
  [{ data: "2.0.0-rc.1", op: "satisfies", range: ">=1.9", includePrerelease: true }, "true"],
  [{ data: "1.2.3-rc.1", op: "bump", release: "patch" }, "1.2.3"],
  [
    { data: "1.2.3\n2.0.0", op: "bump", release: "preminor", identifier: "rc", identifierBase: "1" },
    "1.3.0-rc.1\n2.1.0-rc.1",
  ],
  [
    { data: "1.2.3", op: "bump", release: "prerelease", identifier: "dev", identifierBase: "none" },
    "1.2.4-dev",
  ],
  [{ data: "~1.2.3 || >2", op: "range" }, ">=1.2.3 <1.3.0-0||>=3.0.0"],
  [{ data: "", op: "range" }, "*"],
  [{ data: "1.0.0+b\n1.0.0+a", op: "sort" }, "1.0.0+b\n1.0.0+a"],
  [{ data: "1.9.0\n1.10.0", op: "sort", order: "desc" }, "1.10.0\n1.9.0"],
])("%j", async (input, result) => {
  expect(await run(input)).toBe(result);
});

test("splits a version into its parts", async () => {
  expect(JSON.parse(await run({ data: "1.2.3-rc.1+build.007", op: "parse" }))).toEqual({
    version: "1.2.3-rc.1",
    major: 1,
    minor: 2,
    patch: 3,
    prerelease: ["rc", 1],
    build: ["build", "007"],
  });
});

describe("refusals", () => {
  test.each([
    [{ data: "v1.2.3", other: "1.2.3" }, "invalid_document", undefined],
    [{ data: "1.2.3", other: "x" }, "invalid_input", "/other"],
    [{ data: "1.2.3" }, "invalid_input", "/other"],
    [{ data: "1.2.3", op: "satisfies" }, "invalid_input", "/range"],
    [{ data: "1.2.3", op: "satisfies", range: "1.x.5" }, "invalid_input", "/range"],
    [{ data: "1.2.3", op: "bump" }, "invalid_input", "/release"],
    [{ data: "", op: "bump", release: "major" }, "invalid_document", undefined],
    [{ data: "1.2.3", op: "bump", release: "release" }, "invalid_input", "/release"],
    [{ data: "1.2.3", op: "bump", release: "prerelease", identifier: "a/b" }, "invalid_input", "/identifier"],
    [{ data: "1.x.5", op: "range" }, "invalid_document", undefined],
    [{ data: `1.2.3-${"a".repeat(256)}`, op: "parse" }, "invalid_document", undefined],
    [{ data: "9007199254740992.0.0", op: "parse" }, "invalid_document", undefined],
  ])("%j", async (input, code, pointer) => {
    expect(await refusalOf(run(input))).toMatchObject({ code, ...(pointer !== undefined && { pointer }) });
  });

  test("reports the place of the line that is not a version", async () => {
    expect(await refusalOf(run({ data: "1.0.0\n\n  1.0", op: "sort" }))).toMatchObject({
      line: 3,
      column: 3,
    });
  });

  test("refuses a range that is longer than the library's limit", async () => {
    const range = Array.from({ length: 100 }, (_, index) => `>${index}`).join(" ");
    expect(await refusalOf(run({ data: "1.2.3", op: "satisfies", range }))).toMatchObject({
      code: "invalid_input",
    });
    expect(await refusalOf(run({ data: "1 || ".repeat(2000), op: "range" }))).toMatchObject({
      code: "invalid_document",
      message: expect.stringContaining("8192"),
    });
  });

  test("handles ranges that make naive expressions backtrack in bounded time", async () => {
    const cost = startCost();
    for (const range of [
      `${" ".repeat(8000)}x`,
      `>=1${" ".repeat(8000)}2`,
      `1 || `.repeat(1600),
      `~>${"1".repeat(8000)}`,
    ])
      await run({ data: "1.2.3", op: "satisfies", range }).catch(() => "");
    expect(cost()).toBeLessThan(100);
  });
});

test("sorts in the order of the specification from any order, and sorting again changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(ordered),
      fc.constantFrom("asc", "desc"),
      async (versions, order) => {
        const sorted = await run({ data: versions.join("\n"), op: "sort", order });
        const wanted = ordered.filter((version) => versions.includes(version));
        expect(sorted).toBe((order === "asc" ? wanted : wanted.toReversed()).join("\n"));
        expect(await run({ data: sorted, op: "sort", order })).toBe(sorted);
      },
    ),
  );
});

test("agrees with the library about whether a version is in a range", async () => {
  const part = fc.constantFrom("0", "1", "2", "3");
  const pre = fc.constantFrom("", "", "", "-0", "-alpha", "-alpha.1", "-rc.1", "-rc.10");
  const version = fc.tuple(part, part, part, pre).map(([a, b, c, tail]) => `${a}.${b}.${c}${tail}`);
  const comparator = fc.oneof(
    fc.tuple(fc.constantFrom("", "=", ">", ">=", "<", "<=", "^", "~"), version).map(([op, of]) => op + of),
    fc.constantFrom("*", "1", "1.x", "2.3", "^0.1", "<0.0.0-0", "1 - 2.1"),
  );
  const range = fc
    .array(fc.array(comparator, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })
    .map((alternatives) => alternatives.map((comparators) => comparators.join(" ")).join(" || "));
  const lines = fc.array(version, { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(lines, range, fc.boolean(), async (versions, wanted, includePrerelease) => {
      fc.pre(semver.validRange(wanted, { includePrerelease }) !== null);
      const found = await run({
        data: versions.join("\n"),
        op: "satisfies",
        range: wanted,
        includePrerelease,
      });
      const expected = versions.map((one) => semver.satisfies(one, wanted, { includePrerelease }));
      expect(found).toBe(expected.join("\n"));
    }),
    { numRuns: 1000, seed: 5 },
  );
});

test("agrees with the library about which lines are versions", async () => {
  const piece = fc.constantFrom(..."0 1 01 10 . .. - -- + a rc v = 9007199254740991".split(" "), " ");
  const line = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join("").trim()),
    fc
      .tuple(fc.constantFrom("1.2.3", "0.0.0", "v1.2.3", "01.2.3"), fc.array(piece, { maxLength: 6 }))
      .map(([start, pieces]) => (start + pieces.join("")).trim()),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 9 }), fc.boolean(), async (lines, loose) => {
      const known = lines.filter(
        (text) => text !== "" && (loose || !/^[v=]/.test(text)) && !/\d{17}|9007199254740992/.test(text),
      );
      fc.pre(known.length > 0);
      const expected = known.map((text) => semver.valid(text, { loose }) !== null);
      expect(await run({ data: known.join("\n"), op: "valid", loose })).toBe(expected.join("\n"));
    }),
    { numRuns: 1000, seed: 5 },
  );
});

test("says that no version is in a range, and which option lets more count", async () => {
  expect(await refusalOf(run({ data: "v1.2.3\n3.0.0", op: "max", range: "^1" }))).toMatchObject({
    code: "invalid_document",
    line: 1,
    message: expect.stringContaining("Versions such as v1.2.3 count with loose.") as string,
  });
  expect((await refusalOf(run({ data: "1.0.0", op: "min" }))).message).toContain("range");
});

describe("numbers above 2^53", () => {
  const [low, high] = ["1.0.9007199254740992", "1.0.9007199254740993"];

  test("are compared, sorted and valid, because the specification has no limit", async () => {
    expect(await run({ data: low, other: high })).toBe("-1");
    expect(await run({ data: `${high}\n1.0.0\n${low}\n${low}-rc.1`, op: "sort" })).toBe(
      `1.0.0\n${low}-rc.1\n${low}\n${high}`,
    );
    expect(await run({ data: `${high}\n1.0.09007199254740993`, op: "valid" })).toBe("true\nfalse");
  });

  test("are told apart in a pre-release", async () => {
    const [lower, higher] = ["1.0.0-9007199254740992", "1.0.0-rc.9007199254740993"];
    expect(await run({ data: "1.0.0-9007199254740993", other: lower })).toBe("1");
    expect(await run({ data: "1.0.0-rc.9007199254740992", other: higher })).toBe("-1");
    expect(await run({ data: `1.0.0-rc.9007199254740992\n${higher}`, op: "max", range: ">=1.0.0-0" })).toBe(
      higher,
    );
  });

  test("are refused where they would become a number of JavaScript", async () => {
    const refusal = await refusalOf(run({ data: high, op: "bump", release: "patch" }));
    expect(refusal).toMatchObject({ code: "invalid_document", column: 1 });
    expect(refusal.message).toContain("at most 2^53 - 1");
  });

  test("agree with the library below it", async () => {
    const number = fc.constantFrom("0", "1", "9", "10", "9007199254740991");
    const pre = fc.array(fc.constantFrom("0", "2", "10", "a", "rc", "-"), { maxLength: 3 });
    const version = fc
      .tuple(number, number, number, pre)
      .map(([a, b, c, rest]) => `${a}.${b}.${c}${rest.length > 0 ? `-${rest.join(".")}` : ""}`);
    fc.assert(
      fc.property(version, version, (a, b) => {
        const [first, second] = [parseExactVersion(a), parseExactVersion(b)];
        expect(first === undefined || second === undefined).toBe(false);
        expect(compareExactVersions(first as ExactVersion, second as ExactVersion)).toBe(
          semver.compare(a, b),
        );
      }),
    );
  });
});

test("a range may join its comparators by commas, as in Cargo", async () => {
  expect(await run({ data: ">=1.2, <1.5", op: "range" })).toBe(">=1.2.0 <1.5.0-0");
  expect(await run({ data: "1.4.9\n1.5.0", op: "satisfies", range: ">=1.2,<1.5" })).toBe("true\nfalse");
});
