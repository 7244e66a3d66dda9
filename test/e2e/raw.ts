import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  /** The whole head, as it came. */
  head: string;
  body: string;
}

/**
 * Sends these very bytes and reads what comes until the end, or until a WebSocket is open. Empty where nothing comes.
 * `later` is sent when the first answer begins.
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
    // The connection may be closed by then.
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

/** Splits what came on one connection by the lengths that the answers have. */
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

/** A request in HTTP/1.1 after which the connection is closed. `host` undefined sends the address. */
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
