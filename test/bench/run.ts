import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { toTable, verdictOf, type Figure } from "./figures.ts";
import { http } from "./http.ts";
import { latency } from "./latency.ts";
import { penknifeCommand } from "./open.ts";
import type { PartOptions } from "./part.ts";
import { redis } from "./redis.ts";
import { cost, json } from "./script-part.ts";
import { tools } from "./tools.ts";

/**
 * `make bench`, or parts of it: `node test/bench/run.ts http latency --quick`. With `--sources`, penknife runs from its sources instead of
 * `dist/penknife`. Prints a table and writes `dist/bench.json`. A missed ratio is printed and does not fail the run; a part that cannot
 * run does.
 */
const parts: Readonly<Record<string, (options: PartOptions) => Promise<Figure[]>>> = {
  json,
  tools,
  cost,
  detection: async (options) => (await import("./detection.ts")).detection(options),
  http,
  latency,
  redis,
  graphql: async (options) => (await import("./graphql.ts")).graphql(options),
  mcp: async (options) => (await import("./mcp.ts")).mcp(options),
  webhooks: async (options) => (await import("./webhooks.ts")).webhooks(options),
  isolation: async (options) => (await import("./isolation.ts")).isolation(options),
  memory: async (options) => (await import("./memory.ts")).memory(options),
  web: async (options) => (await import("./web.ts")).web(options),
  jq: async (options) => (await import("./jq.ts")).jq(options),
  scale: async (options) => (await import("./scale.ts")).scale(options),
  zoo: async (options) => (await import("./zoo.ts")).zoo(options),
  check: async (options) => (await import("./check.ts")).check(options),
  // Needs the builder of executables, which the other parts do not.
  startup: async (options) => (await import("./startup.ts")).startup(options),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, sources: { type: "boolean", default: false } },
});
const names = positionals.length > 0 ? positionals : Object.keys(parts);
const command = penknifeCommand(values.sources);
const machine = {
  node: process.version,
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? "",
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform}-${process.arch}`,
  penknife: command.length === 1 ? "executable" : "sources",
  quick: values.quick,
  /** Besides the number of cores, shows how much else was running: a busy machine makes every figure less reliable. */
  loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
};

const figures: Figure[] = [];
const failures: string[] = [];
for (const name of names) {
  try {
    const part = parts[name];
    if (part === undefined) throw new Error(`Unknown part; the parts are ${Object.keys(parts).join(", ")}`);
    process.stderr.write(`${name}\n`);
    figures.push(
      ...(await part({ quick: values.quick, command, say: (line) => process.stderr.write(`  ${line}\n`) })),
    );
  } catch (error) {
    failures.push(name);
    process.stderr.write(`${name} failed: ${(error as Error).message}\n`);
  }
}

const results = figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) }));
const folder = new URL("../../dist/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL("bench.json", folder),
  `${JSON.stringify({ at: new Date().toISOString(), machine, figures: results, failures }, null, 2)}\n`,
);
process.stdout.write(
  `${Object.entries(machine)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ")}\n\n${toTable(figures)}`,
);
const missed = results.filter(({ verdict }) => verdict === "MISS").length;
process.stdout.write(
  `\n${missed} missed of ${results.filter(({ verdict }) => verdict !== "").length} targets\n`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
