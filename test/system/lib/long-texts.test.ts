import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const lib = join(import.meta.dirname, "../../../src/lib");

/** Returns what calls of functions answer, in a process that compiles patterns as V8 does after the first megabytes of them. */
function answersUnoptimized(calls: readonly [file: string, call: string][]): unknown {
  const script = `const answers = [];
const answer = async (file, call) => {
  const module = await import(${JSON.stringify(lib)} + "/" + file);
  try { answers.push(call(module)); } catch (error) { answers.push(error.name); }
};
${calls.map(([file, call]) => `await answer(${JSON.stringify(file)}, ${call});`).join("\n")}
console.log(JSON.stringify(answers));`;
  const out = execFileSync(
    process.execPath,
    ["--no-regexp-optimization", "--input-type=module-typescript", "--eval", script],
    { encoding: "utf8", timeout: 120_000 },
  );
  return JSON.parse(out);
}

// There a repetition takes stack for each character, and the stack holds some millions of them.
test("texts of millions of equal characters are read without a pattern that repeats", () => {
  const text = (unit: string): string => `${JSON.stringify(unit)}.repeat(8_000_000)`;
  expect(
    answersUnoptimized([
      ["x509/pem.ts", `(m) => m.decodeBody(${text("a")}).length`],
      ["x509/pem.ts", `(m) => m.decodeBody(${text(" ")}) ?? null`],
      ["x509/pem.ts", `(m) => m.isPaddedBase64(${text("=")})`],
      ["toml/scalars.ts", `(m) => m.readScalar({ text: ${text("a")}, at: 0 })`],
      ["yaml/write-scalar.ts", `(m) => m.stringText(${text("a")}, { compat: "yaml1.2" }).length`],
      ["checksum.ts", `(m) => m.parseChecksums(${text("a")}).length`],
    ]),
  ).toEqual([6_000_000, null, false, "DocumentFault", 8_000_000, "OptionFault"]);
});
