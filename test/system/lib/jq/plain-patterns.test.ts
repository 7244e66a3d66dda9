import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../../../../src/lib/jq");

/** Returns the results of filters, in a process that compiles patterns as V8 does after the first megabytes of them. */
function runUnoptimized(filters: readonly string[]): unknown {
  const script = `import { compileJq } from ${JSON.stringify(join(source, "run.ts"))};
import { noLimits } from ${JSON.stringify(join(source, "meter.ts"))};
const world = { input: () => undefined, now: () => 0, message: () => {}, filename: () => null };
const results = [];
for (const filter of ${JSON.stringify(filters)}) {
  const compiled = await compileJq(filter, { variables: new Map(), files: false, limits: noLimits });
  try { results.push(compiled.run(null, world).next()); } catch (error) { results.push(String(error)); }
}
console.log(JSON.stringify(results));`;
  const out = execFileSync(
    process.execPath,
    ["--no-regexp-optimization", "--input-type=module-typescript", "--eval", script],
    { encoding: "utf8", timeout: 120_000 },
  );
  return JSON.parse(out);
}

// Such a pattern takes stack for each character of a match.
test("texts of millions of characters cost no stack in a process with many patterns", () => {
  expect(
    runUnoptimized([
      '"x" * 6000000 | ascii_upcase | .[5999999:]',
      '"X" * 6000000 | ascii_downcase | .[5999999:]',
      '"1" * 7000000 | (tonumber, fromjson, ("." + . | tonumber)) | tojson | length',
      '"0" * 7000000 | tonumber',
      '"x" | test("x"; "g" * 7000000)',
      '" " * 7000000 + "1" | strptime("%m") | .[1]',
      '" " * 7000000 + "[1]" | fromjson',
      '"-" * 7000000 | try fromjson catch "no"',
      '"%" * 3000000 as $format | 0 | strftime($format) | length',
      '"=" * 7000000 | @base64d',
      '"x" * 7000000 | [@uri, @html, @sh, @csv "\\([.])", @base64, @json] | map(length)',
      '" " * 7000000 | [trim, ltrim, rtrim]',
      '"," * 7000000 | [rindex(","), length]',
      '"x" * 7000000 | test("^x+$")',
    ]),
  ).toEqual([
    "X",
    "x",
    7_000_000,
    0,
    true,
    0,
    [1],
    "no",
    1_500_000,
    "",
    [7_000_000, 7_000_000, 7_000_002, 7_000_002, 9_333_336, 7_000_002],
    ["", "", ""],
    [6_999_999, 7_000_000],
    true,
  ]);
});
