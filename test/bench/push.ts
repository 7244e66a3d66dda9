import { Agent, request } from "node:http";
import { parseArgs } from "node:util";
import { documentOf } from "./document.ts";
import { headersOf, path } from "./request.ts";

/** A separate process whose clients send large documents one after another for some seconds. */
export interface PushResult {
  documents: number;
  failures: number;
}

export type PushMode = "json" | "raw";

const { values } = parseArgs({
  options: {
    origin: { type: "string", default: "" },
    key: { type: "string", default: "" },
    mode: { type: "string", default: "json" },
    clients: { type: "string", default: "2" },
    bytes: { type: "string", default: "5000000" },
    seconds: { type: "string", default: "1" },
  },
});
const document = documentOf(Number(values.bytes));
const pretty = JSON.stringify(JSON.parse(document), null, 2);
const raw = values.mode === "raw";
const body = Buffer.from(raw ? document : JSON.stringify({ data: document }));
const answerBytes = Buffer.byteLength(raw ? pretty : JSON.stringify({ result: pretty }));
const type = raw ? "text/plain" : "application/json";
const headers = {
  ...headersOf(values.key),
  "content-type": type,
  accept: type,
  "content-length": body.length,
};
const agent = new Agent({ keepAlive: true });

process.stdout.write("ready\n");
const end = performance.now() + Number(values.seconds) * 1000;
const result: PushResult = { documents: 0, failures: 0 };
await Promise.all(Array.from({ length: Number(values.clients) }, pushUntilEnd));
agent.destroy();
process.stdout.write(`${JSON.stringify(result)}\n`);

async function pushUntilEnd(): Promise<void> {
  while (performance.now() < end && result.failures < 10) {
    const fine = await push().catch(() => false);
    result[fine ? "documents" : "failures"]++;
  }
}

/** Whether the whole answer arrived, by its status and length. */
function push(): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const outgoing = request(values.origin + path, { method: "POST", agent, headers, timeout: 20_000 });
  outgoing.once("timeout", () => outgoing.destroy());
  outgoing.once("error", reject);
  outgoing.once("response", (response) => {
    let bytes = 0;
    response.on("data", (chunk: Buffer) => (bytes += chunk.length));
    response.once("error", reject);
    response.once("end", () => resolve(response.statusCode === 200 && bytes === answerBytes));
  });
  outgoing.end(body);
  return promise;
}
