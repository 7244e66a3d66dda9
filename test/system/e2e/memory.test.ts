import { beforeAll, expect, test } from "vitest";
import { queryBombs } from "../../attacks/documents.ts";
import { languageInputs } from "../../attacks/language-inputs.ts";
import { type Watch, watch } from "../../attacks/watch.ts";
import { limitLikeContainer } from "./container-limits.ts";
import { call, callTool, emptyFolder, issueKey, type Reply, serve, type Server } from "./harness.ts";
import { amount, cases, maxLonger } from "../../support/cases.ts";
import { shapes } from "./memory-inputs.ts";

/** Most memory of the server and its children together, with default options. */
const most = 900 * 1024 * 1024;
const megabytes = 9_400_000;

// `mem_limit` and `pids_limit` of config/compose.yaml, where this machine lets a process set them.
const container = limitLikeContainer(1024 ** 3, 128);
const folder = emptyFolder();
let server: Server;
let key: string;
let memory: Watch;

beforeAll(async () => {
  server = await serve(folder.path, {}, [], undefined, container?.program);
  key = await issueKey(folder.path, "memory", "team", ["--limit", "1000000"]);
  memory = await watch(server.child.pid as number, server.url);
  return async () => {
    await memory.stop();
    await server.stop();
    container?.remove();
    folder.remove();
  };
});

async function expectBounded(): Promise<void> {
  expect(server.child.exitCode).toBeNull();
  // The first sample may come later than the last answer.
  await expect.poll(() => memory.now().highestBytes).toBeGreaterThan(0);
  expect(memory.now().highestBytes).toBeLessThan(most);
}

/** Sends `count` calls, so many at a time. Returns their statuses. */
async function send(count: number, atOnce: number, one: () => Promise<Reply>): Promise<Set<number>> {
  const statuses = new Set<number>();
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) statuses.add((await one()).status);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return statuses;
}

test("many calls of json-formatter with 9,990 open brackets", async () => {
  const input = { data: "[".repeat(9990) };
  expect(await send(amount(15), 1, () => callTool(server, "json-formatter", input, key))).toEqual(
    new Set([422]),
  );
  await expectBounded();
});

test("results of 44 MB, of 4,200 bytes each", async () => {
  const input = { data: "[".repeat(2100) + "]".repeat(2100), indent: 10 };
  const statuses = await send(amount(3), 1, () => callTool(server, "json-formatter", input, key));
  expect([...statuses].filter((status) => ![200, 504].includes(status))).toEqual([]);
  await expectBounded();
}, 120_000);

test.each(cases(queryBombs, maxLonger))("many calls at once of $name", async ({ input }) => {
  const statuses = await send(amount(8), 32, () => callTool(server, "json-query", input, key));
  expect([...statuses].filter((status) => ![200, 400, 422, 503, 504].includes(status))).toEqual([]);
  await expectBounded();
});

test.each(cases(languageInputs, maxLonger))(
  "many calls of $slug in a row: $name",
  async ({ slug, input }) => {
    const body = input();
    memory.reset();
    // As many at a time as there are workers on two cores.
    const statuses = await send(amount(6), 2, () => callTool(server, slug, body, key));
    expect([...statuses].filter((status) => ![200, 400, 422, 503, 504].includes(status))).toEqual([]);
    await expectBounded();
    const { highestBytes, longestSilenceMs, failed } = memory.now();
    process.stdout.write(
      `${slug}, ${Math.round(highestBytes / 1_048_576)} MiB, /healthz silent for ${Math.round(longestSilenceMs)} ms at most: ${[...statuses].join(" ")}\n`,
    );
    expect(failed).toBe(0);
  },
  600_000,
);

test("a small query is answered after them", async () => {
  const input = { data: "[7]", query: "[0]", language: "jmespath" };
  await expect.poll(async () => (await callTool(server, "json-query", input, key)).status).toBe(200);
});

const bodies = amount(8);

test.each(
  cases(
    [
      ["json-formatter?indent=10", "a list of digits", "application/json"],
      ["json-canonicalizer", "a list of empty objects", "text/plain"],
      ["url-encoder", "characters of two bytes", "application/json"],
      ["data-converter?from=json&to=yaml", "a list of digits", "text/plain"],
    ] as const,
    maxLonger,
  ),
)(
  `${bodies} bodies of 9 MB at once for %s: %s`,
  async (path, shape, accept) => {
    const body = Buffer.from((shapes[shape] as (bytes: number) => string)(megabytes));
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "text/plain", Accept: accept };
    const statuses = await send(bodies, bodies, () =>
      call(`${server.url}/api/tools/${path}`, { method: "POST", headers, body }),
    );
    expect([...statuses].filter((status) => ![200, 422, 503, 504].includes(status))).toEqual([]);
    await expectBounded();
  },
  120_000,
);

test.skipIf(container === undefined)(
  "the kernel ends nothing in a container of 1 GiB and 128 processes",
  () => {
    expect(container?.kills()).toBe(0);
  },
);
