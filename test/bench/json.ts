import { existsSync, readFileSync } from "node:fs";
import { formatJson, formatJsonText } from "../../src/lib/json/format.ts";

/** Prints how many times faster than JSON.parse and JSON.stringify the engine is, as ratios of one run. */
const corpus = new URL("../../../shared/corpora/benchmark/", import.meta.url);
const rounds = 21;

interface Case {
  name: string;
  bytes: Buffer;
}

function fileCases(): Case[] {
  if (!existsSync(corpus)) return [];
  return ["twitter", "citm_catalog", "canada"].flatMap((name) => {
    const bytes = readFileSync(new URL(`${name}.json`, corpus));
    const minified = Buffer.from(JSON.stringify(JSON.parse(bytes.toString())));
    return [
      { name, bytes },
      { name: `${name} minified`, bytes: minified },
    ];
  });
}

function sizeCases(): Case[] {
  const sizes = {
    "60 B": 60,
    "1 KB": 1_000,
    "64 KB": 64_000,
    "1 MB": 1_000_000,
    "10 MB": 10_000_000,
  };
  return Object.entries(sizes).flatMap(([name, size]) => {
    const document = documentOf(size);
    return [
      { name: `${name} pretty`, bytes: Buffer.from(JSON.stringify(document, null, 2)) },
      { name: `${name} minified`, bytes: Buffer.from(JSON.stringify(document)) },
    ];
  });
}

function documentOf(size: number): unknown {
  if (size < 100) return { id: 1234, name: "Zoë", tags: ["a", "b"], ok: true, at: null };
  const record = (id: number): unknown => ({
    id,
    name: `Customer ${id}`,
    city: id % 3 ? "Lisbon" : "Zürich",
    balance: id * 1.37,
    tags: ["new", "vip"],
    address: { street: "Main Street", number: id % 200, door: null },
    active: id % 2 === 0,
  });
  return Array.from({ length: Math.ceil(size / 170) }, (_, index) => record(index));
}

/** Returns the speed of `ours` in multiples of that of `theirs`: medians of alternating rounds. */
function ratio(theirs: () => unknown, ours: () => unknown, bytes: number): number {
  const times = { theirs: [] as number[], ours: [] as number[] };
  const repeat = Math.max(1, Math.round(100_000 / bytes));
  const run = (action: () => unknown): number => {
    const start = performance.now();
    for (let count = 0; count < repeat; count++) action();
    return performance.now() - start;
  };
  for (let warm = 0; warm < (bytes > 100_000 ? 3 : 200); warm++) {
    run(theirs);
    run(ours);
  }
  for (let round = 0; round < rounds; round++) {
    times.theirs.push(run(theirs));
    times.ours.push(run(ours));
  }
  return median(times.theirs) / median(times.ours);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function geometricMean(values: number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function measure({ name, bytes }: Case): { name: string; bytes: number; text: number } {
  const text = bytes.toString();
  const row = {
    name,
    bytes: ratio(
      () => Buffer.from(JSON.stringify(JSON.parse(bytes.toString()), null, 2)),
      () => formatJson(bytes, { indent: 2 }),
      bytes.length,
    ),
    text: ratio(
      () => JSON.stringify(JSON.parse(text), null, 2),
      () => formatJsonText(text, { indent: 2 }),
      bytes.length,
    ),
  };
  print(row.name, row.bytes, row.text);
  return row;
}

function print(name: string, bytes: number | string, text: number | string): void {
  const cell = (value: number | string): string =>
    (typeof value === "number" ? value.toFixed(2) : value).padStart(8);
  process.stdout.write(`${name.padEnd(24)}${cell(bytes)}${cell(text)}\n`);
}

print("times JSON.stringify", "bytes", "text");
const files = fileCases().map(measure);
if (files.length > 0) {
  const bytes = geometricMean(files.map((row) => row.bytes));
  print("geometric mean", bytes, geometricMean(files.map((row) => row.text)));
}
for (const each of sizeCases()) measure(each);
