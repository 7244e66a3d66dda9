import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createKey } from "../../../src/services/access/key-format.ts";

export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that sends the given responses in order and repeats the last one. */
export async function openScript(...answers: Answer[]): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const answer = answers[Math.min(asked.length, answers.length - 1)];
      asked.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      answer?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

export const json =
  (value: unknown, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

export const problem =
  (status: number, code: string, detail: string, headers = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { "content-type": "application/problem+json", ...headers })
      .end(JSON.stringify({ status, code, detail }));

/** The lines of a stream, which then ends unless it is left open. */
export const events =
  (text: string, { open = false } = {}): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(`retry: 100\n\n${text}`);
    if (!open) response.end();
  };

export const messageId = (number: number): string =>
  `msg_0190d3c5-0000-7000-8000-${String(number).padStart(12, "0")}`;

export const message = (number: number, more: object = {}): object => ({
  id: messageId(number),
  at: "2026-03-01T12:00:00.000Z",
  method: "POST",
  query: "",
  headers: [["Content-Type", "application/json"]],
  type: "order.paid",
  event: null,
  signature: "valid",
  bytes: 2,
  body: "{}",
  ...more,
});

export const event = (number: number, more: object = {}): string =>
  `event: message\nid: ${messageId(number)}\ndata: ${JSON.stringify(message(number, more))}\n\n`;

export const inbox = `in_${"0123456789abcdef".repeat(2)}`;

export const key = createKey((size) => new Uint8Array(size).fill(7));
