import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figure, ratios, toFigure } from "./figures.ts";
import { createLoad, type Load } from "./load.ts";
import { installPeers, openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import { body, document, headersOf, path, post, type Post } from "./request.ts";
import type { Server } from "./server.ts";
import { warm } from "./warm.ts";

/** Most microseconds of CPU that a call of an agent takes beyond the same call over REST. */
const atMost = 100;

const rest: Post = { path, body };
const call: Post = {
  path: "/mcp",
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "run_tool", arguments: { slug: "json-formatter", input: { data: document } } },
  }),
};

/** Measures the CPU time of a call of an agent beside the same call over REST, to the same server. */
export async function mcp({ quick, command, say }: PartOptions): Promise<Figure[]> {
  // The load generator is among them.
  await installPeers();
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  let server: Server | undefined;
  try {
    server = await openPenknife(folder, command);
    await verify(server);
    const load = await createLoad(folder);
    const [overRest, overMcp] = await measure(server, load, { quick, say });
    const beyond = overMcp.map((time, round) => time - (overRest[round] ?? Number.NaN));
    return [
      toFigure("mcp", "a call, MCP / REST, by CPU", "×", ratios(overMcp, overRest), { atMost: 2 }),
      toFigure("mcp", "a call beyond REST, CPU", "µs", beyond, { atMost }),
      toFigure("mcp", "a call over REST, CPU", "µs", overRest),
      toFigure("mcp", "a call over MCP, CPU", "µs", overMcp),
    ];
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error if the two calls do not have the same result. */
async function verify({ origin, key }: Server): Promise<void> {
  const read = async (sent: Post): Promise<unknown> => (await post(origin, headersOf(key), sent)).json();
  const { result } = (await read(rest)) as { result?: string };
  const answer = (await read(call)) as { result?: { content: { text: string }[] } };
  if (result === undefined || answer.result?.content[0]?.text !== result)
    throw new Error(`MCP answers ${JSON.stringify(answer)}, REST ${JSON.stringify(result)}`);
}

/** Microseconds of CPU time per call, over REST and over MCP, one number per round. */
async function measure(
  server: Server,
  load: Load,
  { quick, say }: Pick<PartOptions, "quick" | "say">,
): Promise<[rest: number[], mcp: number[]]> {
  const times: [number[], number[]] = [[], []];
  const count = quick ? 3 : 11;
  for (const sent of [rest, call])
    await warm(server, { ...load, run: (one, seconds) => load.run(one, seconds, sent) });
  for (let round = 0; round < count; round++) {
    times[0].push(await runOnce(server, load, rest));
    times[1].push(await runOnce(server, load, call));
    say(
      `round ${round + 1} of ${count}, µs of CPU: REST ${Math.round(times[0].at(-1) ?? 0)}, MCP ${Math.round(times[1].at(-1) ?? 0)}`,
    );
  }
  return times;
}

async function runOnce(server: Server, load: Load, sent: Post): Promise<number> {
  const cpu = server.cpuSeconds();
  const { requests, failures } = await load.run(server, 1, sent);
  const used = server.cpuSeconds() - cpu;
  server.truncateLog();
  if (requests === 0 || failures > 0) throw new Error(`${failures} of ${requests} requests failed`);
  return (used * 1e6) / requests;
}
