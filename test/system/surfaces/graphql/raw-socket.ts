import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

/** A frame from the server. */
export interface Frame {
  fin: boolean;
  opcode: number;
  payload: Buffer;
}

export interface RawSocket {
  socket: Socket;
  /** The answer to the handshake, with its body if it was refused. */
  head: string;
  /** The data received so far. */
  frames: Frame[];
  /** Sends a message. */
  send(message: object | string): void;
  write(bytes: Uint8Array): void;
  /** The next unread frame, except pings. */
  next(): Promise<Frame>;
  /** The next message, reassembled. */
  message(): Promise<Record<string, unknown>>;
  /** Code and reason of the close frame; 1006 if there was none before the end. */
  closed(): Promise<{ code: number; reason: string }>;
  /** Resolves when the connection has ended. */
  ended(): Promise<void>;
}

export interface Handshake {
  path?: string;
  protocol?: string;
  headers?: Record<string, string>;
  /** Header lines to leave out. */
  without?: string[];
  method?: string;
  /** Sent directly after the handshake. */
  behind?: Uint8Array;
  socket?: Socket;
}

/** A frame from the client (RFC 6455 §5.2). */
export function toFrame(
  payload: string | Uint8Array,
  { opcode = 1, fin = true, masked = true, reserved = 0 } = {},
): Uint8Array {
  const data = typeof payload === "string" ? Buffer.from(payload) : payload;
  const long = data.length > 65_535;
  const head = Buffer.alloc(data.length < 126 ? 2 : long ? 10 : 4);
  head[0] = (fin ? 0x80 : 0) | reserved | opcode;
  head[1] = (masked ? 0x80 : 0) | (data.length < 126 ? data.length : long ? 127 : 126);
  if (long) head.writeBigUInt64BE(BigInt(data.length), 2);
  else if (data.length >= 126) head.writeUInt16BE(data.length, 2);
  if (!masked) return Buffer.concat([head, data]);
  const mask = randomBytes(4);
  const hidden = Buffer.from(data);
  for (let index = 0; index < hidden.length; index++)
    hidden[index] = (hidden[index] as number) ^ (mask[index & 3] as number);
  return Buffer.concat([head, mask, hidden]);
}

/** A WebSocket without a library, which can send what none would. Resolves with the answer to the handshake. */
export async function openRawSocket(port: number, handshake: Handshake = {}): Promise<RawSocket> {
  const { path = "/graphql", protocol = "graphql-transport-ws", method = "GET", without = [] } = handshake;
  const socket = handshake.socket ?? connect(port, "127.0.0.1");
  const frames: Frame[] = [];
  let looked = 0;
  let head = "";
  let rest = Buffer.alloc(0);
  let over = false;
  const sleepers = new Set<() => void>();
  const wake = (): void => {
    for (const one of sleepers) one();
  };

  const lines: Record<string, string> = {
    Host: `127.0.0.1:${port}`,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
    "Sec-WebSocket-Protocol": protocol,
    ...handshake.headers,
  };
  for (const name of without) delete lines[name];
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    Buffer.concat([
      Buffer.from(`${method} ${path} HTTP/1.1\r\n${text.join("")}\r\n`),
      handshake.behind ?? Buffer.alloc(0),
    ]),
  );

  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    const end = rest.indexOf("\r\n\r\n");
    if (head === "" && end !== -1) {
      head = rest.toString("latin1", 0, end + 4);
      rest = rest.subarray(end + 4);
    }
    if (head.startsWith("HTTP/1.1 101")) readFrames();
    wake();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    over = true;
    wake();
  });

  function readFrames(): void {
    while (rest.length >= 2) {
      const short = (rest[1] as number) & 0x7f;
      const from = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (rest.length < from) return;
      const length =
        short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
      if (rest.length < from + length) return;
      const first = rest[0] as number;
      frames.push({
        fin: first >= 0x80,
        opcode: first & 15,
        payload: Buffer.from(rest.subarray(from, from + length)),
      });
      rest = rest.subarray(from + length);
    }
  }

  function until<Value>(look: () => Value | undefined, what: string): Promise<Value> {
    return new Promise((resolve, reject) => {
      const again = (): void => {
        const found = look();
        if (found === undefined && !over) return;
        sleepers.delete(again);
        if (found === undefined) reject(new Error(`The connection ended before ${what}`));
        else resolve(found);
      };
      sleepers.add(again);
      again();
    });
  }

  async function next(): Promise<Frame> {
    for (;;) {
      const frame = await until(() => frames[looked], "a frame came");
      looked++;
      if (frame.opcode !== 9) return frame;
    }
  }

  await until(() => (head === "" ? undefined : true), "the handshake was answered");
  if (!head.startsWith("HTTP/1.1 101")) {
    await new Promise<void>((resolve) => (over ? resolve() : socket.once("close", () => resolve())));
    head += rest.toString();
  }
  return {
    socket,
    head,
    frames,
    send: (message) =>
      void socket.write(toFrame(typeof message === "string" ? message : JSON.stringify(message))),
    write: (bytes) => void socket.write(bytes),
    next,
    async message() {
      const parts: Buffer[] = [];
      for (;;) {
        const { fin, payload, opcode } = await next();
        if (opcode === 8)
          throw new Error(`Closed with ${payload.readUInt16BE(0)} ${payload.toString("utf8", 2)}`);
        if (opcode > 2) continue;
        parts.push(payload);
        if (fin) return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
      }
    },
    async closed() {
      const found = await until(() => {
        const frame = frames.find(({ opcode }) => opcode === 8);
        return frame ?? (over ? null : undefined);
      }, "it was closed");
      if (found === null) return { code: 1006, reason: "" };
      return { code: found.payload.readUInt16BE(0), reason: found.payload.toString("utf8", 2) };
    },
    async ended() {
      if (!over) await new Promise<void>((resolve) => socket.once("close", () => resolve()));
    },
  };
}
