import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A request as received. */
export interface Received {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingMessage["headers"];
  /** The header names as written, in order. */
  rawHeaders: string[];
  body: string;
  /** The number of its connection, from 1. */
  connection: number;
}

/** Handles a request that was read whole; `number` counts requests from 1. */
export type Behaviour = (response: ServerResponse, received: Received, number: number) => void;

export interface Receiver {
  /** `http://127.0.0.1:port` */
  url: string;
  port: number;
  requests: Received[];
  /** Connections opened so far. */
  connections: number;
  /** Connections open now. */
  open(): number;
  close(): Promise<void>;
}

/** Opens a receiver on a loopback address, with TLS if a certificate is given. */
export async function openReceiver(
  behave: Behaviour,
  tls?: { key: string; cert: string },
): Promise<Receiver> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    response.on("error", () => {});
    request.on("end", () => {
      const received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString(),
        connection: numbers.get(request.socket) ?? 0,
      };
      receiver.requests.push(received);
      behave(response, received, receiver.requests.length);
    });
  };
  const server = tls ? createHttps(tls, handle) : createHttp(handle);
  server.keepAliveTimeout = 60_000;
  const numbers = new WeakMap<Socket, number>();
  const receiver = await listen(server, tls ? "https" : "http");
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    numbers.set(socket, receiver.connections);
  });
  return receiver;
}

/** Opens a server that is not HTTP; `behave` handles the sockets. */
export async function openPort(behave: (socket: Socket) => void): Promise<Receiver> {
  return listen(createTcp(behave), "http");
}

async function listen(server: Server, scheme: string): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const receiver: Receiver = {
    url: "",
    port: 0,
    requests: [],
    connections: 0,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.prependListener("connection", (socket: Socket) => {
    receiver.connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `${scheme}://127.0.0.1:${receiver.port}`;
  return receiver;
}

export const answers =
  (status: number, headers: Record<string, string> = {}, body = ""): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** The first behaviour for the first request, and so on; the last for all others. */
export const inTurn =
  (...behaviours: readonly Behaviour[]): Behaviour =>
  (response, received, number) =>
    (behaviours[number - 1] ?? behaviours.at(-1))?.(response, received, number);

/** After this many milliseconds. */
export const late =
  (ms: number, behaviour: Behaviour = answers(200)): Behaviour =>
  (response, received, number) => {
    const timer = setTimeout(() => behaviour(response, received, number), ms);
    response.on("close", () => clearTimeout(timer));
  };

export const neverAnswers: Behaviour = () => {};

/** 200, and then nothing of the promised body. */
export const hangsAfterHeaders: Behaviour = (response) => {
  response.writeHead(200, { "content-length": "10" }).flushHeaders();
};

/** 200, and a byte now and then. */
export const trickles: Behaviour = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write("a"), 20);
  response.on("close", () => clearInterval(timer));
};

/** 200 and an endless body, as fast as it is read; `written` counts its bytes. */
export const endless = (written: { bytes: number } = { bytes: 0 }): Behaviour => {
  const chunk = Buffer.alloc(65_536, "x");
  return (response) => {
    response.writeHead(200);
    const pour = (): void => {
      while (!response.destroyed) {
        written.bytes += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on("drain", pour);
    pour();
  };
};

/** Closes the connection with a reset (RST), without an answer. */
export const resets: Behaviour = (response) => {
  response.socket?.resetAndDestroy();
};

/** Closes the connection cleanly (FIN), without an answer. */
export const closes: Behaviour = (response) => {
  response.socket?.end();
};

/** Promises 100 bytes, sends 5 and closes the connection. */
export const breaksOff: Behaviour = (response) => {
  response.socket?.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nHello");
};

/** Writes bytes that need not be HTTP, and leaves the connection open. */
export const writes =
  (...pieces: readonly string[]): Behaviour =>
  async ({ socket }) => {
    for (const [index, bytes] of pieces.entries()) {
      if (index > 0) await sleep(20);
      socket?.write(bytes);
    }
  };

/** Sends 1xx responses now and then, and never a final one. */
export const onlyInterim: Behaviour = (response) => {
  const socket = response.socket;
  const timer = setInterval(() => socket?.write("HTTP/1.1 102 Processing\r\n\r\n"), 20);
  socket?.on("close", () => clearInterval(timer));
};

/** Sends 1xx responses as fast as they are read. */
export const floodsInterim: Behaviour = (response) => {
  const socket = response.socket;
  const chunk = Buffer.from("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(1000));
  const pour = (): void => {
    while (socket?.destroyed === false) if (!socket.write(chunk)) return;
  };
  socket?.on("drain", pour);
  pour();
};
