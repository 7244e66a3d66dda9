import type { CatalogTool } from "../../src/catalog/catalog.ts";
import { ToolError } from "../../src/catalog/errors.ts";
import { type Call, execute } from "../../src/catalog/execute.ts";
import { inlineGrowth, TooMuchInline } from "../../src/catalog/inline.ts";
import { cpuTime } from "./start-cost.ts";

/** The default of `tools.inlineBytes`: the largest body that runs on the event loop. */
export const inlineBytes = 64 * 1024;

/**
 * The most CPU time of a tool on the event loop, in multiples of json-formatter on 64 KiB: some 20 ms on an idle core, where that takes
 * 0.3 ms.
 */
export const mostTimes = 64;

export interface Cost {
  /** Returns the milliseconds of CPU time of this thread. */
  ms: number;
  outcome: string;
}

const context = {
  now: () => Date.parse("2026-01-02T03:04:05.678Z"),
  random: (size: number) => Uint8Array.from({ length: size }, (_, index) => (index * 151 + 89) & 0xff),
  inlineResultBytes: inlineBytes * inlineGrowth,
};

/** Runs one call, from its body to its answer. */
export async function measure(tool: CatalogTool, call: Call): Promise<Cost> {
  const before = cpuTime();
  let outcome = "ok";
  try {
    await execute(tool, call, context);
  } catch (error) {
    if (error instanceof TooMuchInline) outcome = "isolated";
    else if (error instanceof ToolError) outcome = error.code;
    else outcome = `internal: ${String(error)}`;
  }
  return { ms: cpuTime() - before, outcome };
}

/** Returns the least of several runs: other programs make a run cost more, never less. */
export async function leastOf(tool: CatalogTool, call: Call, runs: number): Promise<Cost> {
  let least = await measure(tool, call);
  for (let run = 1; run < runs; run++) {
    const next = await measure(tool, call);
    if (next.ms < least.ms) least = next;
  }
  return least;
}

/** Returns the CPU milliseconds of json-formatter on 64 KiB, from many calls: one is shorter than the resolution of the clock. */
export async function measureReference(formatter: CatalogTool): Promise<number> {
  const bytes = referenceBody();
  const call: Call = { slug: formatter.slug, body: { kind: "json", bytes }, form: "json", check: false };
  const batch = async (): Promise<number> => {
    const before = cpuTime();
    for (let run = 0; run < 40; run++) await execute(formatter, call, context);
    return (cpuTime() - before) / 40;
  };
  let least = Infinity;
  for (let run = 0; run < 15; run++) least = Math.min(least, await batch());
  return least;
}

function referenceBody(): Uint8Array {
  const records: unknown[] = [];
  for (let size = 0; size < 0.83 * inlineBytes;) {
    const id = records.length;
    const record = { id, name: `Customer ${id}`, city: "Zürich", balance: id * 1.37, tags: ["new", "vip"] };
    records.push(record);
    size += JSON.stringify(record).length + 1;
  }
  return Buffer.from(JSON.stringify({ data: JSON.stringify(records) }));
}
