import assert from "node:assert/strict";
import { randomFillSync } from "node:crypto";
import { parseArgs } from "node:util";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { type Body, type Call, execute } from "../../src/catalog/execute.ts";
import { createRunner } from "../../src/catalog/run.ts";
import type { ToolContext } from "../../src/catalog/tool.ts";
import { tools } from "../../src/tools/index.ts";
import type { Contest, Times } from "./contest.ts";
import { testRuntime } from "../support/runtime.ts";

/**
 * `node test/bench/run-contest.ts csv-to-json [--rounds 15] [--ms 120]`. Each tool has a process of its own, so that what V8 learned from
 * one neither helps nor harms another. Prints `Times` as JSON.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "15" }, ms: { type: "string", default: "120" } },
});
const [slug = ""] = positionals;
const module = (await import(`./peers/contests/${slug}.ts`)) as { default: Contest };
const contest = module.default;

const context: ToolContext = {
  now: () => Date.now(),
  random: (size) => randomFillSync(new Uint8Array(size)),
};
const catalog = createCatalog(tools);
/** Like a server's runner, except that every call runs on this thread. */
const runner = createRunner({
  catalog,
  admit: async (principal) => ({ principal }),
  isolate: async (call) => execute(await catalog.get(call.slug), call, context),
  context,
  inlineBytes: Number.POSITIVE_INFINITY,
  runtime: testRuntime({ monotonic: () => performance.now() }),
  observe: () => {},
});
const tool = await catalog.get(slug);
const { runBytes } = tool;

async function run(body: Body, form: Call["form"]): Promise<string | Uint8Array> {
  const ticket = await runner.admit({ kind: "local" });
  return (await runner.run({ tool, body, form, check: false }, ticket)).body;
}

const options = Object.entries(contest.fields ?? {});
const toRaw = (bytes: Uint8Array): Body => ({ kind: "raw", bytes, text: runBytes === undefined, options });
const envelope = Buffer.from(
  JSON.stringify({ data: Buffer.from(contest.data).toString(), ...contest.fields }),
);
const entrants = [
  { name: "raw", run: () => run(toRaw(contest.data), "bytes") },
  { name: "envelope", run: () => run({ kind: "json", bytes: envelope }, "json") },
  ...contest.contestants.map((one) => ({ name: one.name, run: () => one.run(contest.data) })),
].map((entrant) => ({ ...entrant, repeat: 1, times: [] as number[] }));

await verify();
for (const entrant of entrants) await warm(entrant);
for (let round = 0; round < Number(values.rounds); round++)
  // The order rotates, because each entrant leaves garbage for the next.
  for (let at = 0; at < entrants.length; at++) {
    const entrant = entrants[(at + round) % entrants.length] as Entrant;
    entrant.times.push(await time(entrant));
  }

const [raw, enveloped, ...others] = entrants.map(({ times }) => times) as [number[], number[], ...number[][]];
const result: Times = {
  raw,
  envelope: enveloped,
  contestants: contest.contestants.map(({ name, used }, at) => ({ name, used, times: others[at] ?? [] })),
};
process.stdout.write(`${JSON.stringify(result)}\n`);

/** Checks that all entrants give the same result for the same document before any is timed. */
async function verify(): Promise<void> {
  const bytes = await run(toRaw(contest.data), "bytes");
  const meaning = contest.toMeaning(bytes);
  const { result: text } = JSON.parse(String(await entrants[1]?.run())) as { result: string };
  const wrapped = typeof bytes === "string" ? text : Buffer.from(text);
  assert.deepStrictEqual(contest.toMeaning(wrapped), meaning, "envelope");
  for (const { name, run: call, toMeaning } of contest.contestants)
    assert.deepStrictEqual(toMeaning(await call(contest.data)), meaning, name);
  if (contest.broken === undefined) return;
  assert.equal(meaning, true);
  assert.equal(contest.toMeaning(await run(toRaw(contest.broken), "bytes")), false);
  for (const { name, run: call, toMeaning } of contest.contestants)
    assert.equal(toMeaning(await call(contest.broken)), false, name);
}

type Entrant = (typeof entrants)[number];

/**
 * Warms up, then sets how many runs a round takes: a single short run cannot be timed, and an entrant that produces garbage must also pay
 * for collecting it.
 */
async function warm(entrant: Entrant): Promise<void> {
  const start = performance.now();
  let runs = 0;
  for (; runs < 3 || performance.now() < start + 4 * Number(values.ms); runs++) finish(await entrant.run());
  const each = (performance.now() - start) / runs;
  entrant.repeat = Math.max(1, Math.round(Number(values.ms) / each));
}

/** Returns the milliseconds per run. */
async function time({ run: call, repeat }: Entrant): Promise<number> {
  const start = performance.now();
  for (let count = 0; count < repeat; count++) {
    const pending = call();
    // Awaits only promises, so that a synchronous entrant does not pay for a turn of the event loop.
    finish(pending instanceof Promise ? await pending : pending);
  }
  return (performance.now() - start) / repeat;
}

/** Flattens a concatenated string, which V8 does only when it is read; sending it would do the same. */
function finish(answer: unknown): void {
  if (typeof answer === "string") Buffer.byteLength(answer);
}
