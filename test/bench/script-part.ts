import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { toFigure, type Figure, type Target } from "./figures.ts";
import type { PartOptions } from "./part.ts";

/** Runs a standalone benchmark that prints a table, and returns its output. */
async function runScript(file: string, args: readonly string[], say: PartOptions["say"]): Promise<string> {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { timeout: 1_200_000 });
  for (const line of stdout.trimEnd().split("\n")) say(line);
  return stdout;
}

interface Row {
  name: string;
  bytes: number;
  text: number;
}

/** The rows of json.ts: how many times faster than JSON.parse and JSON.stringify, bytes to bytes and text to text. */
export async function json({ say }: PartOptions): Promise<Figure[]> {
  const rows = toRows(await runScript("json.ts", [], say));
  if (rows.length === 0) throw new Error("json.ts printed no figures");
  // json.ts leaves this row out without the corpus; a target that was not measured is not met.
  if (!rows.some(({ name }) => name === "geometric mean"))
    rows.push({ name: "geometric mean", bytes: Number.NaN, text: Number.NaN });
  return rows.flatMap(({ name, bytes, text }) => {
    const targets = targetsOf(name);
    return [
      toFigure("json", `${name}, bytes to bytes`, "×", [bytes], targets.bytes),
      toFigure("json", `${name}, text to text`, "×", [text], targets.text),
    ];
  });
}

function toRows(text: string): Row[] {
  return [...text.matchAll(/^(\S.*?)\s+(\d+\.\d+)\s+(\d+\.\d+)$/gm)].map(([, name = "", ...values]) => ({
    name,
    bytes: Number(values[0]),
    text: Number(values[1]),
  }));
}

function targetsOf(name: string): { bytes?: Target; text?: Target } {
  if (name === "geometric mean") return { bytes: { atLeast: 1.6 }, text: { atLeast: 1.3 } };
  if (/^(?:twitter|citm_catalog|canada)\b/.test(name)) return { text: { atLeast: 1 } };
  const atLeast = name.startsWith("60 B") ? 1.2 : 1;
  return { bytes: { atLeast }, text: { atLeast } };
}

/** The CPU milliseconds of each tool's worst known input on the event loop, and the limit for every tool. */
export async function cost({ quick, say }: PartOptions): Promise<Figure[]> {
  const rows = (await runScript("../cost/run.ts", ["--budget", quick ? "100" : "1000", "--brief"], say))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { tool: string; ms: number });
  return rows
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ tool, ms }) => toFigure("cost", `${tool}, worst 64 KiB`, "ms", [ms], { atMost: 20 }));
}
