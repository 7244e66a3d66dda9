import { Agent } from "node:http";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { call, type Reply, type Server } from "../system/e2e/harness.ts";
import {
  type Description,
  graphqlTo,
  longestPipeline,
  pipelineOf,
  type Request,
  requestTo,
} from "./requests.ts";

/** A call with a forbidden outcome. */
export interface Fault {
  slug: string;
  /** A description of the fault. */
  what: string;
  /** The request, for reproduction. */
  request: { path: string; headers: Record<string, string>; body: string };
}

export interface FuzzOptions {
  server: Server;
  key: string;
  /** Calls over all tools; unlimited by default. */
  runs?: number;
  seed: number;
  /** Milliseconds until an answer counts as missing: the deadline of the server with room for a busy machine. */
  patience: number;
  onFault(fault: Fault): void;
  /** Called with the progress. */
  onProgress?(runs: number, residentBytes: number): void;
  /** Stops the run early. */
  signal?: AbortSignal;
}

/** Statuses that a call may have. 504 is for tools in workers; 500 is never allowed. */
const allowed = new Set([200, 400, 413, 415, 422, 503, 504]);
const parallel = 4;
/** Coprime to each other and to the number of tools, so that every tool is called over every surface. */
const [pipelineEvery, graphqlEvery] = [13, 5];

/** Sends every tool random, huge and malformed input, over REST, GraphQL and pipelines. */
export async function fuzz(options: FuzzOptions): Promise<void> {
  const { server, key, runs = Infinity, seed, patience, onFault, onProgress, signal } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const get = async <T>(path: string) => JSON.parse((await call(server.url + path, { agent })).text) as T;
  const { items } = await get<{ items: { slug: string }[] }>("/api/tools");
  const tools = await Promise.all(items.map(({ slug }) => get<Description>(`/api/tools/${slug}`)));
  const pipelines = pipelineOf(tools);
  let done = 0;

  function draw(number: number, tool: Description): Request | undefined {
    const requests =
      number % pipelineEvery === 0
        ? pipelines
        : number % graphqlEvery === 0
          ? graphqlTo(tool)
          : requestTo(tool);
    return fc.sample(requests, { numRuns: 1, seed: seed + number })[0];
  }

  async function one(number: number): Promise<void> {
    const tool = tools[number % tools.length] as Description;
    const request = draw(number, tool);
    if (request === undefined) return;
    const { surface, method, path, headers, body } = request;
    const started = performance.now();
    const reply = await call(`${server.url}${path}`, {
      method,
      agent,
      headers: { ...headers, authorization: `Bearer ${key}` },
      body,
    }).catch((error: unknown) => error as Error);
    const took = performance.now() - started;
    // Each step has a deadline of its own.
    const late = took > (surface === "pipeline" ? patience * longestPipeline : patience);
    const what = faultOf(surface, reply) ?? (late ? `answered after ${Math.round(took)} ms` : undefined);
    if (what !== undefined && signal?.aborted !== true) {
      const slug = surface === "pipeline" ? "pipelines/run" : `${surface} ${tool.slug}`;
      onFault({ slug, what, request: { path, headers, body: body.toString("latin1").slice(0, 2000) } });
    }
    if (++done % 200 === 0) onProgress?.(done, residentBytes(server));
  }

  let next = 0;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (next < runs && signal?.aborted !== true) await one(next++);
    }),
  );
  agent.destroy();
}

/** Bytes of the server's memory that are in use. */
export function residentBytes(server: Server): number {
  try {
    const status = readFileSync(`/proc/${server.child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  } catch {
    // The process has ended; every call reports that.
    return 0;
  }
}

/**
 * Returns the least memory seen within `seconds`, or the first value of at most `enough`. Idle threads release the memory of
 * their last document after a second (src/worker.ts), V8 that of an ended thread after half a minute.
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

/** Returns what is wrong with an answer; undefined if it is a result or a proper refusal. */
function faultOf(surface: Request["surface"], reply: Reply | Error): string | undefined {
  if (reply instanceof Error) return `no answer: ${reply.message}`;
  const { status, text } = reply;
  if (!allowed.has(status)) return `status ${status}: ${text.slice(0, 500)}`;
  let answer: Answer;
  try {
    answer = JSON.parse(text) as Answer;
  } catch {
    return `no JSON: ${text.slice(0, 500)}`;
  }
  if (status !== 200 && /\\n\s+at |\.[cm]?[jt]s:\d+:\d+|node_modules|\/src\//.test(text))
    return `leaks: ${text.slice(0, 500)}`;
  return surface === "graphql" ? graphqlFaultOf(answer, text) : restFaultOf(answer, status);
}

interface Answer {
  result?: unknown;
  code?: unknown;
  data?: unknown;
  errors?: { extensions?: { code?: unknown } }[];
}

function restFaultOf({ result, code }: Answer, status: number): string | undefined {
  if (status === 200) return typeof result === "string" ? undefined : "no result";
  return typeof code === "string" ? undefined : "no code";
}

/** 200 with data and errors, each with its code; a document that cannot run at all has errors alone. */
function graphqlFaultOf({ data, errors = [], code }: Answer, text: string): string | undefined {
  if (data === undefined && errors.length === 0 && code === undefined)
    return `neither data nor errors: ${text.slice(0, 500)}`;
  const codes = errors.map(({ extensions }) => extensions?.code);
  if (codes.some((one) => typeof one !== "string")) return `an error without a code: ${text.slice(0, 500)}`;
  return codes.includes("internal") ? `an internal error: ${text.slice(0, 500)}` : undefined;
}
