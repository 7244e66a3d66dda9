import { afterAll, beforeAll, expect, test } from "vitest";
import { describeGrown, drawCall, type GrowthCall, growths, sendGrowth } from "../attacks/growth.ts";
import { maxBytes } from "../attacks/siege.ts";
import { type Watch, watch } from "../attacks/watch.ts";
import { createDraw } from "../cost/seeds.ts";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { tools } from "../../src/tools/index.ts";
import { emptyFolder, issueKey, serve, type Server } from "../system/e2e/harness.ts";

// Searches for the calls that take the most memory: every tool with documents of 10 MB, each of a shape, form and options drawn from a
// seed. The worst calls are then sent 32 at once, and 100 times in a row. What the search finds for tools on threads belongs in the list of
// threads.test.ts.

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
/** Shapes drawn for each tool. There are about 85, times four forms, times the options. */
const shapesPerTool = 12;
const worstCalls = 10;

const catalog = createCatalog(tools);
const folder = emptyFolder();
let server: Server;
let key: string;
let watching: Watch;

beforeAll(async () => {
  server = await serve(folder.path, { PENKNIFE_LOG_LEVEL: "warn" });
  key = await issueKey(folder.path, "ci", "team", ["--limit", "100000000"]);
  watching = await watch(server.child.pid ?? 0, server.url);
}, 120_000);
afterAll(async () => {
  await watching.stop();
  await server.stop();
  folder.remove();
});

interface Outcome {
  bytes: number;
  call: GrowthCall;
}

const describeCall = ({ path, type, accept, growth, slug }: GrowthCall): string =>
  `${slug} at ${path} as ${type}, answered as ${accept}: ${growth}`;

/** Sends a call so often, so many at a time. Returns the failures: no answer, or status 500. */
async function send(one: GrowthCall, count: number, atOnce: number): Promise<string[]> {
  const lost: string[] = [];
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const outcome = await sendGrowth(server, key, one).then(({ status }) => status, String);
      if (typeof outcome === "string" || outcome === 500) lost.push(`${outcome}: ${describeCall(one)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return lost;
}

test(`no tool, document or form ends a server or takes it beyond its memory (seed ${seed})`, async () => {
  const draw = createDraw(seed);
  const outcomes: Outcome[] = [];
  const lost: string[] = [];
  for (const slug of catalog.slugs) {
    const tool = await describeGrown(server, slug);
    if (!tool.takesData && tool.texts.length === 0) continue;
    for (let count = 0; count < shapesPerTool; count++) {
      const one = drawCall(tool, draw.of(growths), 10_000_000, draw);
      watching.reset();
      // Two at a time, for two cores: one worker each.
      lost.push(...(await send(one, 2, 2)));
      outcomes.push({ bytes: watching.now().highestBytes, call: one });
      if (lost.length >= 10) break;
    }
  }
  const worst = outcomes.toSorted((a, b) => b.bytes - a.bytes).slice(0, worstCalls);
  const toMiB = (bytes: number): number => Math.round(bytes / 1_048_576);
  const report = [`${outcomes.length} pairs of calls`];
  for (const { call, bytes } of worst) {
    watching.reset();
    lost.push(...(await send(call, 32, 32)));
    const atOnce = watching.now().highestBytes;
    watching.reset();
    lost.push(...(await send(call, 100, 1)));
    const inARow = watching.now().highestBytes;
    report.push(`${toMiB(bytes)} ${toMiB(atOnce)} ${toMiB(inARow)} MiB ${describeCall(call)}`);
    for (const highest of [bytes, atOnce, inARow]) {
      if (highest >= maxBytes) lost.push(`${toMiB(highest)} MiB: ${describeCall(call)}`);
    }
  }
  process.stdout.write(`${report.join("\n")}\n`);
  expect(lost).toEqual([]);
  expect(server.child.exitCode ?? server.child.signalCode).toBeNull();
}, 7_200_000);
