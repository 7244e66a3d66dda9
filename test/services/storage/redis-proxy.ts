import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server on this machine, counts what goes by, and holds it up. */
export interface Proxy {
  readonly port: number;
  readonly url: string;
  /** Chunks that went to the server and came back: on an idle line each is a packet. */
  readonly sent: number;
  readonly received: number;
  readonly connections: number;
  /** Milliseconds by which every answer is held up from now on. */
  delay(ms: number): void;
  /** Nothing goes through the connections of now any more, and nothing closes them; others work. */
  forget(): void;
  close(): Promise<void>;
}

export async function startProxy(target: () => number): Promise<Proxy> {
  let [sent, received, delayMs, forgotten] = [0, 0, 0, 0];
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer((near) => {
    opened += 1;
    const number = opened;
    const isDead = (): boolean => number <= forgotten;
    const far = connect(target(), "127.0.0.1");
    near.setNoDelay(true);
    far.setNoDelay(true);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        if (!isDead()) other.destroy();
      });
    }
    near.on("data", (chunk) => {
      sent += 1;
      if (!isDead()) far.write(chunk);
    });
    far.on("data", (chunk) => {
      received += 1;
      if (isDead()) return;
      // In order, because timers of one length end in order.
      if (delayMs === 0) near.write(chunk);
      else setTimeout(() => near.destroyed || near.write(chunk), delayMs);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `redis://127.0.0.1:${port}/0`,
    get sent() {
      return sent;
    },
    get received() {
      return received;
    },
    get connections() {
      return sockets.size / 2;
    },
    delay: (ms) => void (delayMs = ms),
    forget: () => void (forgotten = opened),
    async close() {
      forgotten = 0;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
