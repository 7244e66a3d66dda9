import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findSecrets, secretRules } from "../../../../src/lib/secrets/find.ts";
import { redact, redactionKinds } from "../../../../src/lib/secrets/redact.ts";
import { leaks, maskable, readLeak } from "./leaks.ts";

const linesOf = (name: string): string[] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
const harmless = linesOf("harmless.txt");
const unreported = linesOf("unreported.txt");
const scan = (text: string): { index: number; end: number }[] => findSecrets(text, secretRules, 100);
const mask = (text: string): string => redact(text, redactionKinds, "[{kind}]");

test("the corpus is large enough for a measurement", () => {
  expect(leaks.length).toBeGreaterThanOrEqual(120);
  expect(harmless.length + unreported.length).toBeGreaterThanOrEqual(200);
  for (const lines of [leaks, maskable, harmless, unreported]) expect(new Set(lines).size).toBe(lines.length);
});

describe("secret-scanner", () => {
  test("recall is 1: every leak is found completely", () => {
    const missed = leaks.filter((line) => {
      const { text, spans } = readLeak(line);
      const found = scan(text);
      return !spans.every(({ index, end }) => found.some((one) => one.index <= index && one.end >= end));
    });
    expect(missed).toEqual([]);
  });

  test("precision is 1: nothing else is reported", () => {
    expect([...harmless, ...unreported].filter((line) => scan(line).length > 0)).toEqual([]);
    const beyond = leaks.filter((line) => {
      const { text, spans } = readLeak(line);
      return scan(text).some((one) => !spans.some(({ index, end }) => one.index < end && one.end > index));
    });
    expect(beyond).toEqual([]);
  });
});

describe("text-redactor", () => {
  test("recall is 1: exactly each credential is masked", () => {
    const wrong = [...leaks, ...maskable]
      .map(readLeak)
      .filter(({ text, masked }) => !masked.test(mask(text)))
      .map(({ text }) => [text, mask(text)]);
    expect(wrong).toEqual([]);
  });

  test("precision is 1: harmless text is unchanged", () => {
    expect(harmless.map(mask)).toEqual(harmless);
  });

  test("masked text contains nothing to mask, for any mask", () => {
    for (const line of [...leaks, ...maskable]) {
      for (const one of ["[{kind}]", "***", "<{kind}>", "REDACTED"]) {
        const once = redact(readLeak(line).text, redactionKinds, one);
        expect(redact(once, redactionKinds, one)).toBe(once);
      }
    }
  });
});

test("finds the same in all lines at once as in each line", () => {
  const lines = [...leaks, ...harmless];
  const count = lines.reduce((sum, line) => sum + scan(readLeak(line).text).length, 0);
  expect(findSecrets(lines.map((line) => readLeak(line).text).join("\n\n"), secretRules, 1e6).length).toBe(
    count,
  );
});

test("the lock file and the sources of this repository contain only examples", () => {
  const root = new URL("../../../../", import.meta.url);
  const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
  expect(scan(read("package-lock.json"))).toEqual([]);
  const reported = sources(root).filter((path) => scan(read(path)).length > 0);
  // In the types of Kubernetes a field `secret` has a type whose name looks like a password, since it contains a digit and both cases.
  const others = reported.filter((path) => !path.startsWith("src/lib/kubernetes/data/types-"));
  expect(others.filter((path) => !path.startsWith("src/tools/"))).toEqual([]);
  expect(others.every((path) => read(path).includes("examples: ["))).toBe(true);
});

const sources = (root: URL): string[] =>
  readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `src/${path}`);
