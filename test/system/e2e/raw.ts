import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  /** The complete, unparsed head. */
  head: string;
  body: string;
}

/**
 * Sends exactly these bytes and reads to the end, or until a WebSocket is open. Empty if nothing arrives. `later` is sent
 * when the first answer starts.
 */
export function sendRaw(
  port: number,
  text: string,
  localAddress = "127.0.0.1",
  later = "",
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    let received = "";
    // The connection may already be closed.
    socket.on("error", (error) => (received === "" ? reject(error) : resolve(toAnswers(received))));
    socket.on("data", (chunk) => {
      if (received === "" && later !== "") socket.write(later, "latin1");
      received += chunk.toString("latin1");
      if (/^HTTP\/1\.1 101 [^]*\r\n\r\n/.test(received)) socket.destroy();
    });
    socket.on("close", () => resolve(toAnswers(received)));
    socket.write(text, "latin1");
  });
}

/** Splits the bytes of one connection into answers by their lengths. */
function toAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest !== "";) {
    const end = rest.indexOf("\r\n\r\n") + 4;
    const head = rest.slice(0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? rest.length - end);
    answers.push({ status: Number(head.slice(9, 12)), head, body: rest.slice(end, end + length) });
    rest = rest.slice(end + length);
  }
  return answers;
}

/** An HTTP/1.1 request with Connection: close. If `host` is undefined, the Host header is the address. */
export function toRequest(
  line: string,
  headers: Record<string, string>,
  body = "",
  host = "127.0.0.1",
): string {
  const lines = Object.entries({
    Host: host,
    Connection: "close",
    ...(body !== "" && { "Content-Length": String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
