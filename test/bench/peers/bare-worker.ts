import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { format, hostname, path, port } from "./work.ts";

/** The bare server with one worker thread, which receives bodies over 64 KiB as bytes. */
const largest = 65_536;

interface Job {
  id: number;
  raw: boolean;
  body: Uint8Array<ArrayBuffer>;
}

interface Answer {
  id: number;
  body?: Uint8Array<ArrayBuffer>;
}

if (isMainThread) serve();
else parentPort?.on("message", work);

function serve(): void {
  const worker = new Worker(new URL(import.meta.url));
  const waiting = new Map<number, ServerResponse>();
  let last = 0;

  worker.on("message", ({ id, body }: Answer) => {
    const response = waiting.get(id);
    waiting.delete(id);
    if (response === undefined) return;
    if (body === undefined) response.writeHead(400).end();
    else send(response, response.req.headers["content-type"] ?? "", body);
  });

  createServer((request, response) => {
    if (request.method !== "POST" || request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    const raw = request.headers["content-type"] === "text/plain";
    readBytes(request, (body) => {
      if (body.length > largest) {
        const id = ++last;
        waiting.set(id, response);
        worker.postMessage({ id, raw, body } satisfies Job, [body.buffer]);
        return;
      }
      try {
        send(response, request.headers["content-type"] ?? "", answer(body, raw));
      } catch {
        response.writeHead(400).end();
      }
    });
  }).listen(port, hostname);
}

function work({ id, raw, body }: Job): void {
  try {
    const result = answer(body, raw);
    parentPort?.postMessage({ id, body: result } satisfies Answer, [result.buffer]);
  } catch {
    parentPort?.postMessage({ id } satisfies Answer, []);
  }
}

function answer(body: Uint8Array, raw: boolean): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(body);
  if (raw) return new TextEncoder().encode(format(text));
  const { data } = JSON.parse(text) as { data: string };
  return new TextEncoder().encode(JSON.stringify({ result: format(data) }));
}

function send(response: ServerResponse, type: string, body: Uint8Array): void {
  response.writeHead(200, { "content-type": type, "content-length": body.length }).end(body);
}

function readBytes(request: IncomingMessage, done: (body: Uint8Array<ArrayBuffer>) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => done(joined(chunks)));
}

/** A buffer of its own: Buffer.concat may return a slice of the shared pool, which cannot be transferred. */
function joined(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
