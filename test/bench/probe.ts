import { Agent, request } from "node:http";
import { parseArgs } from "node:util";
import { body, expected, headersOf, path } from "./request.ts";

/**
 * A separate process that sends small requests at a steady rate over 64 connections, whether or not earlier ones were answered. Latency
 * counts from the time at which the request was due, so that a server that stalls pays for every request it delays.
 */
export interface ProbeResult {
  /** Milliseconds, one per request. */
  times: number[];
  failures: number;
}

const { values } = parseArgs({
  options: {
    origin: { type: "string", default: "" },
    key: { type: "string", default: "" },
    rate: { type: "string", default: "100" },
    seconds: { type: "string", default: "1" },
    warmSeconds: { type: "string", default: "1" },
  },
});
/** The first ones open the connections and are not counted. */
const uncounted = Number(values.rate) * Number(values.warmSeconds);
const count = uncounted + Number(values.rate) * Number(values.seconds);
const intervalMs = 1000 / Number(values.rate);
const headers = { ...headersOf(values.key), "content-length": Buffer.byteLength(body) };
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const result: ProbeResult = { times: [], failures: 0 };

const start = performance.now();
const sent: Promise<void>[] = [];
while (sent.length < count) {
  while (sent.length < count && performance.now() >= start + sent.length * intervalMs)
    sent.push(send(sent.length));
  await new Promise((resolve) => setTimeout(resolve, 1));
}
await Promise.all(sent);
agent.destroy();
process.stdout.write(`${JSON.stringify(result)}\n`);

async function send(index: number): Promise<void> {
  const fine = await post().catch(() => false);
  if (!fine) result.failures++;
  else if (index >= uncounted) result.times.push(performance.now() - (start + index * intervalMs));
}

function post(): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const outgoing = request(values.origin + path, { method: "POST", agent, headers, timeout: 20_000 });
  outgoing.once("timeout", () => outgoing.destroy());
  outgoing.once("error", reject);
  outgoing.once("response", (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.once("error", reject);
    response.once("end", () =>
      resolve(response.statusCode === 200 && Buffer.concat(chunks).toString() === expected),
    );
  });
  outgoing.end(body);
  return promise;
}
