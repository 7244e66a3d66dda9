import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Accepts every webhook at once, and counts. */
export interface Receiver {
  url: string;
  forget(): void;
  /** Resolves when this many have arrived. @throws Error after `limitMs`. */
  received(count: number, limitMs: number): Promise<void>;
  /** The time between the first and the last arrival. */
  seconds(): number;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  let count = 0;
  let first = 0;
  let last = 0;
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      last = performance.now();
      if (count++ === 0) first = last;
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    forget: () => void (count = 0),
    async received(wanted, limitMs) {
      const deadline = performance.now() + limitMs;
      while (count < wanted) {
        if (performance.now() > deadline) throw new Error(`${count} of ${wanted} deliveries came`);
        await sleep(5);
      }
    },
    seconds: () => (last - first) / 1000,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
