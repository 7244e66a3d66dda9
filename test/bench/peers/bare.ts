import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { format, hostname, path, port } from "./work.ts";

/** A bare node:http server: the JSON work and nothing else, no key, no limit, no log. */
createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(400).end());
}).listen(port, hostname);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST" || request.url !== path) {
    response.writeHead(404).end();
    return;
  }
  const body = await readText(request);
  if (request.headers["content-type"] === "text/plain") {
    send(response, "text/plain", format(body));
  } else {
    const { data } = JSON.parse(body) as { data: string };
    send(response, "application/json", JSON.stringify({ result: format(data) }));
  }
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks).toString()));
    request.on("error", reject);
  });
}
