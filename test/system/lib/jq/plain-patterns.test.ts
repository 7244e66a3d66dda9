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
    ]),
  ).toEqual(["X", "x"]);
});
