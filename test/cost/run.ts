import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type CatalogTool, createCatalog } from "../../src/catalog/catalog.ts";
import { tools } from "../../src/tools/index.ts";
import { type Candidate, spaceOf, toCall } from "./candidate.ts";
import { found } from "./found.ts";
import { leastOf, measureReference, mostTimes } from "./measure.ts";
import { isFault, search } from "./search.ts";

/**
 * Searches for the inputs that cost each tool on the event loop the most CPU time, starting from the worst known ones
 * (`worst.jsonl`, `found.ts`). `make cost` takes minutes, the test a fraction of a second for each tool. Prints a line of JSON
 * for each tool; `--record` saves new worst inputs. Exits with 1 if a tool costs too much.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** CPU milliseconds for each tool, or CPU seconds for all of them together. */
    budget: { type: "string", default: "300" },
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
    record: { type: "boolean", default: false },
    /** Measures an input once if that shows that it is cheap enough: the costs are upper bounds. */
    bounds: { type: "boolean", default: false },
    /** Leaves the inputs out. */
    brief: { type: "boolean", default: false },
  },
});

export interface Row {
  tool: string;
  /** Cost in multiples of json-formatter on 64 KiB. */
  times: number;
  ms: number;
  outcome: string;
  tooMuch: boolean;
  candidate: Candidate;
}

interface Known {
  tool: string;
  times: number;
  candidate: Candidate;
}

/** A line for each. */
const corpus = new URL("worst.jsonl", import.meta.url);
const lines = readFileSync(corpus, "utf8").split("\n");
let known = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Known);
/** Inputs kept for each tool. */
const keptRows = 3;

const catalog = createCatalog(tools);
const formatter = await catalog.get("json-formatter");
// Twice, because the first run loads and compiles.
await measureReference(formatter);
let reference = await measureReference(formatter);
const inline = (await catalog.all()).filter(
  ({ slug, isolate }) => !isolate && (positionals.length === 0 || positionals.includes(slug)),
);
const budget =
  values.seconds === undefined ? Number(values.budget) : (Number(values.seconds) * 1000) / inline.length;
let failed = false;
for (const tool of inline) {
  const row = await searchTool(tool);
  failed ||= row.tooMuch;
  const { candidate, ...figures } = row;
  process.stdout.write(`${JSON.stringify(values.brief ? figures : { ...figures, candidate })}\n`);
  if (values.record) record(row);
}
process.exitCode = failed ? 1 : 0;

async function searchTool(tool: CatalogTool): Promise<Row> {
  const rows = known.filter((row) => row.tool === tool.slug);
  const worst = await search({
    tool,
    seed: Number(values.seed),
    budget,
    cheapMs: values.bounds ? mostTimes * reference : 0,
    known: [...(found[tool.slug] ?? []), ...rows.map(({ candidate }) => candidate)],
  });
  let { ms, outcome } = worst;
  if (ms > mostTimes * reference) {
    // Measures both again, one after the other, because the machine may have been busy.
    reference = Math.min(reference, await measureReference(formatter));
    ({ ms, outcome } = await leastOf(tool, toCall(spaceOf(tool), worst.candidate), 9));
  }
  const times = Math.round((ms / reference) * 10) / 10;
  return {
    tool: tool.slug,
    times,
    ms: Math.round(ms * 10) / 10,
    outcome,
    tooMuch: times > mostTimes || isFault(outcome),
    candidate: worst.candidate,
  };
}

function record({ tool, times, candidate }: Row): void {
  const others = known.filter(
    (row) => row.tool === tool && JSON.stringify(row.candidate) !== JSON.stringify(candidate),
  );
  const worst = [...others, { tool, times, candidate }].toSorted((a, b) => b.times - a.times);
  known = [...known.filter((row) => row.tool !== tool), ...worst.slice(0, keptRows)];
  const sorted = known.toSorted((a, b) => (a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : b.times - a.times));
  writeFileSync(corpus, sorted.map((row) => `${JSON.stringify(row)}\n`).join(""));
}
