import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A proxy that keeps everything that was sent through it. */
export interface Recorder {
  url: string;
  /** Requests with their bodies, and the bytes of upgraded connections, in order. */
  sent: string[];
  close(): Promise<void>;
}

/** Starts a proxy in front of a server. */
export async function startRecorder(target: string): Promise<Recorder> {
  const { hostname, port } = new URL(target);
  const sent: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    const index = sent.push("") - 1;
    const { method, url = "", rawHeaders: headers } = incoming;
    sent[index] = `${method} ${url}\n${headers.join("\n")}\n`;
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      sent[index] += Buffer.concat(chunks).toString();
      const onward = request({ hostname, port, method, path: url, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on("error", () => outgoing.destroy());
      onward.end(Buffer.concat(chunks));
    });
  });
  server.on("upgrade", (incoming, socket, head) => {
    sent.push(`${incoming.method} ${incoming.url}\n${incoming.rawHeaders.join("\n")}\n`);
    const onward = connect(Number(port), hostname);
    const lines: string[] = [];
    for (let at = 0; at < incoming.rawHeaders.length; at += 2)
      lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}\r\n`);
    onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    onward.write(head);
    socket.on("data", (chunk: Buffer) => sent.push(chunk.toString("latin1")));
    socket.pipe(onward).pipe(socket);
    for (const one of [socket, onward])
      one.on("error", () => [socket, onward].forEach((each) => each.destroy()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
