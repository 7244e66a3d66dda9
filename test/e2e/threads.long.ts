import { afterAll, beforeAll, expect, test } from "vitest";
import { describeGrown, drawCall, growths, sendGrowth } from "../attacks/growth.ts";
import { mostBytes } from "../attacks/siege.ts";
import { watch } from "../attacks/watch.ts";
import { createDraw } from "../cost/seeds.ts";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { tools } from "../../src/tools/index.ts";
import { emptyFolder, issueKey, serve, type Server } from "./harness.ts";

// Searches for what threads.test.ts lists: every tool that runs on threads, with every shape of document at 10 MB, in
// a body and a form drawn from a seed.

const seed = Date.now() % 1_000_000;
const catalog = createCatalog(tools);
const folder = emptyFolder();
let server: Server;
let key: string;

beforeAll(async () => {
  server = await serve(folder.path, { PENKNIFE_LOG_LEVEL: "warn" });
  key = await issueKey(folder.path, "ci", "team", ["--limit", "100000000"]);
}, 120_000);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

test(`no document ends a server by a tool on a thread (seed ${seed})`, async () => {
  const draw = createDraw(seed);
  const onThreads = [];
  for (const slug of catalog.slugs) {
    const { isolate } = await catalog.get(slug);
    if (isolate !== "process") onThreads.push(await describeGrown(server, slug));
  }
  const cases = onThreads
    .filter(({ takesData, texts }) => takesData || texts.length > 0)
    .flatMap((tool) => growths.map((growth) => ({ tool, growth })))
    .values();
  const watching = await watch(server.child.pid ?? 0, server.url);
  const lost: string[] = [];
  const lane = async (): Promise<void> => {
    for (const { tool, growth } of cases) {
      const one = drawCall(tool, growth, 10_000_000, draw);
      const what = `${one.path} as ${one.type}, answered as ${one.accept}: ${growth.name}`;
      const outcome = await sendGrowth(server, key, one).then(({ status }) => status, String);
      if (typeof outcome === "string" || outcome === 500) lost.push(`${outcome}: ${what}`);
      if (lost.length >= 10) return;
    }
  };
  await Promise.all([lane(), lane()]);
  const { highestBytes } = await watching.stop();
  expect(lost).toEqual([]);
  expect(server.child.exitCode ?? server.child.signalCode).toBeNull();
  expect(highestBytes).toBeLessThan(mostBytes);
}, 7_200_000);
