import { Agent } from "node:http";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { call, type Reply, type Server } from "../e2e/harness.ts";

/** One call that did what no call may do. */
export interface Fault {
  slug: string;
  /** What was wrong, in words. */
  what: string;
  /** Enough to send it again. */
  request: { query: string; contentType: string; body: string };
}

export interface FuzzOptions {
  server: Server;
  key: string;
  /** Calls, over all tools; endless where it is not given. */
  runs?: number;
  seed: number;
  /** Milliseconds in which an answer must come: the deadline of the server with room for a busy machine. */
  patience: number;
  onFault(fault: Fault): void;
  /** Told now and then how far it has come. */
  onProgress?(runs: number, residentBytes: number): void;
}

interface FieldSchema {
  type?: string;
  /** The text, or a JSON value. */
  anyOf?: unknown[];
  enum?: unknown[];
  items?: FieldSchema;
}

interface Description {
  slug: string;
  input: { properties: Record<string, FieldSchema> };
  examples: { input: Record<string, unknown> }[];
}

/** What a call may be answered with. 504 is for what runs in a worker; 500 is for nothing. */
const allowed = new Set([200, 400, 413, 415, 422, 503, 504]);
const parallel = 4;
/** Prime to the number of tools, so that none is always passed over. */
const pipelineEvery = 13;
const longestPipeline = 5;

/** Sends every tool random, huge and malformed input over HTTP. */
export async function fuzz({
  server,
  key,
  runs = Infinity,
  seed,
  patience,
  onFault,
  onProgress,
}: FuzzOptions) {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const get = async <T>(path: string) => JSON.parse((await call(server.url + path, { agent })).text) as T;
  const { items } = await get<{ items: { slug: string }[] }>("/api/tools");
  const tools = await Promise.all(items.map(({ slug }) => get<Description>(`/api/tools/${slug}`)));
  const pipelines = pipelineOf(tools);
  let done = 0;

  async function one(number: number): Promise<void> {
    const tool = tools[number % tools.length] as Description;
    const pipelined = number % pipelineEvery === 0;
    const requests = pipelined ? pipelines : requestTo(tool);
    const [request] = fc.sample(requests, { numRuns: 1, seed: seed + number });
    if (request === undefined) return;
    const path = pipelined ? "/api/pipelines/run" : `/api/tools/${tool.slug}`;
    const started = performance.now();
    const reply = await call(`${server.url}${path}${request.query}`, {
      method: "POST",
      agent,
      headers: { "Content-Type": request.contentType, Authorization: `Bearer ${key}` },
      body: request.body,
    }).catch((error: unknown) => error as Error);
    const took = performance.now() - started;
    // Each step has a deadline of its own.
    const late = took > (pipelined ? patience * longestPipeline : patience);
    const what = judge(reply) ?? (late ? `answered after ${Math.round(took)} ms` : undefined);
    if (what !== undefined) {
      const body = request.body.toString("latin1");
      onFault({
        slug: pipelined ? "pipelines/run" : tool.slug,
        what,
        request: { ...request, body: body.slice(0, 2000) },
      });
    }
    if (++done % 200 === 0) onProgress?.(done, residentBytes(server));
  }

  let next = 0;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (next < runs) await one(next++);
    }),
  );
  agent.destroy();
}

/** Bytes of the server's memory that are in use. */
export function residentBytes(server: Server): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/**
 * The same when nothing is going on: threads give back what their last document took after a second (src/worker.ts), and
 * V8 what an ended thread had after half a minute. The least that was seen in `seconds`, or at once where it is `enough`.
 */
export async function settledBytes(server: Server, seconds: number, enough = 0): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let least = residentBytes(server);
  while (least > enough && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    least = Math.min(least, residentBytes(server));
  }
  return least;
}

function judge(reply: Reply | Error): string | undefined {
  if (reply instanceof Error) return `no answer: ${reply.message}`;
  if (!allowed.has(reply.status)) return `status ${reply.status}: ${reply.text.slice(0, 500)}`;
  let answer: { result?: unknown; code?: unknown };
  try {
    answer = JSON.parse(reply.text) as typeof answer;
  } catch {
    return `no JSON: ${reply.text.slice(0, 500)}`;
  }
  if (reply.status === 200) return typeof answer.result === "string" ? undefined : "no result";
  if (typeof answer.code !== "string") return "no code";
  return /\bat .*:\d+:\d+\)?|node_modules|\/src\//.test(reply.text)
    ? `leaks: ${reply.text.slice(0, 500)}`
    : undefined;
}

interface Request {
  query: string;
  contentType: string;
  body: Buffer;
}

function requestTo({ input, examples }: Description): fc.Arbitrary<Request> {
  const fields = Object.entries(input.properties);
  const document = documentLike(examples.map((example) => String(example.input.data ?? "")));
  const value = (name: string, schema: FieldSchema): fc.Arbitrary<unknown> => {
    if (name === "data") return document;
    const given = examples.flatMap((example) => (name in example.input ? [example.input[name]] : []));
    const usual = schema.anyOf === undefined ? given : [...given, ...given.flatMap(toJsonValue)];
    return fc.oneof(
      { weight: 3, arbitrary: valueOf(schema, document) },
      ...usual.map((one) => fc.constant(one)),
      hostile,
    );
  };
  const fieldsOfCall = fc.record(
    Object.fromEntries(fields.map(([name, schema]) => [name, value(name, schema)])),
    {
      requiredKeys: "data" in input.properties ? ["data"] : [],
    },
  );
  const json = fieldsOfCall.map((body) => ({
    query: "",
    contentType: "application/json",
    body: Buffer.from(JSON.stringify(body)),
  }));
  const raw = fc
    .record({
      given: fieldsOfCall,
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 4096 }).map((bytes) => Buffer.from(bytes)),
        document.map((text) => Buffer.from(text)),
      ),
    })
    .map(({ given, bytes }) => ({
      query: toQuery(given),
      contentType: "text/plain",
      body: bytes,
    }));
  const octets = fc
    .uint8Array({ maxLength: 4096 })
    .map((bytes) => ({ query: "", contentType: "application/octet-stream", body: Buffer.from(bytes) }));
  const broken = fc
    .string({ unit: "binary", maxLength: 200 })
    .map((text) => ({ query: "", contentType: "application/json", body: Buffer.from(text) }));
  return fc.oneof({ weight: 8, arbitrary: json }, { weight: 4, arbitrary: raw }, octets, broken);
}

/** Tools in a row, most of them with the options of their examples, so that some get to their end. */
function pipelineOf(tools: readonly Description[]): fc.Arbitrary<Request> {
  const step = fc.constantFrom(...tools).chain(({ slug, examples }) => {
    const usual = examples.map(({ input }) => {
      const { data: _, ...options } = input;
      return { tool: slug, with: options };
    });
    return fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...usual) },
      fc.record({ tool: fc.constant(slug), with: hostile }, { requiredKeys: ["tool"] }),
    );
  });
  const documents = tools.flatMap(({ examples }) => examples.map(({ input }) => String(input.data ?? "")));
  return fc
    .record({
      data: documentLike(documents),
      steps: fc.oneof(
        { weight: 15, arbitrary: fc.array(step, { minLength: 1, maxLength: longestPipeline }) },
        hostile,
      ),
    })
    .map((body) => ({
      query: "",
      contentType: "application/json",
      body: Buffer.from(JSON.stringify(body)),
    }));
}

/** The options of a call as a query, cut so that the request line stays within what Node reads. */
function toQuery(given: Record<string, unknown>): string {
  const options = Object.entries(given).filter(([name]) => name !== "data");
  return `?${new URLSearchParams(options.map(([name, option]) => [name, typeof option === "string" ? option : JSON.stringify(option)]))}`.slice(
    0,
    4000,
  );
}

/** The value of a text that is JSON. */
function toJsonValue(text: unknown): unknown[] {
  try {
    return [JSON.parse(String(text))];
  } catch {
    return [];
  }
}

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    [],
    {},
    -1,
    1e9,
    1.5,
    "",
    "__proto__",
    "\u0000",
    "\ud800",
    true,
    "(a|a)*$",
    "^(a+)+$",
    "../../etc/passwd",
  ),
  fc.anything({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value ?? null)) as unknown),
);

function valueOf(schema: FieldSchema, document: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.oneof(fc.integer({ min: -2, max: 40 }), fc.maxSafeInteger());
    case "number":
      return fc.double();
    case "array":
      return fc.array(valueOf(schema.items ?? {}, document), { maxLength: 5 });
    default:
      return fc.oneof(fc.string({ maxLength: 30 }), document);
  }
}

/** Text near to what a tool reads: its examples, cut, joined, repeated and peppered; and text that is far from it. */
function documentLike(examples: string[]): fc.Arbitrary<string> {
  const seed = fc.constantFrom(...(examples.length > 0 ? examples : [""]));
  const cut = fc
    .tuple(seed, fc.nat(), fc.nat())
    .map(([text, a, b]) => text.slice(a % (text.length + 1), b % (text.length + 1) || undefined));
  const peppered = fc
    .tuple(
      seed,
      fc.nat(),
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 8 }),
        fc.constantFrom(..."{}[]()<>\"'`&,:;|#%*\\\n\r\t\0\ufeff"),
      ),
    )
    .map(
      ([text, at, pepper]) =>
        text.slice(0, at % (text.length + 1)) + pepper + text.slice(at % (text.length + 1)),
    );
  const repeated = fc
    .tuple(seed, fc.integer({ min: 2, max: 2000 }))
    .map(([text, times]) => text.repeat(times).slice(0, 300_000));
  const nested = fc
    .tuple(
      fc.constantFrom("[", '{"a":', "(", "<a>", "- ", "> ", "{{#a}}", "&a [*a,"),
      fc.integer({ min: 10, max: 20_000 }),
    )
    .map(([open, times]) => open.repeat(times));
  const long = fc
    .tuple(
      // A control character is six in JSON, and one beyond Latin-1 makes the whole text twice as large in memory.
      fc.constantFrom("a", "0", " ", "\n", "é", "中", "😀", "\u0001", "\\", "="),
      fc.oneof(
        { weight: 30, arbitrary: fc.integer({ min: 1, max: 200_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1_000_000, max: 4_000_000 }) },
      ),
    )
    .map(([unit, times]) => unit.repeat(times));
  return fc.oneof(
    { weight: 3, arbitrary: seed },
    { weight: 3, arbitrary: cut },
    { weight: 4, arbitrary: peppered },
    repeated,
    nested,
    long,
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
    { weight: 2, arbitrary: fc.json() },
  );
}
