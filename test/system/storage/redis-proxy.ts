import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy between a client and a local server that counts chunks and delays them. */
export interface Proxy {
  readonly port: number;
  readonly url: string;
  /** Chunks sent to the server and back: on an idle line each is a packet. */
  readonly sent: number;
  readonly received: number;
  readonly connections: number;
  /** Delays every answer by this many milliseconds from now on. */
  delay(ms: number): void;
  /** Blocks the current connections without closing them; new ones work. */
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
      // In order, because timers of equal length fire in order.
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
