import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectAdmin } from "../../../src/operations/client.ts";

/** The operations of a running server, as an operator. */
export interface Socket {
  call<T>(operation: string, args?: object): Promise<T>;
  close(): void;
}

/** Opens the admin socket of the server in `cwd`; undefined if none has opened it after `patienceMs`: a server answers callers before. */
export async function openSocketWithin(cwd: string, patienceMs: number): Promise<Socket | undefined> {
  const path = join(cwd, "penknife-data/penknife.sock");
  const caller = { actor: "cli:ops", from: "build-7 pid 1" };
  for (let waited = 0; ; waited += 25) {
    let client = await connectAdmin(path);
    let usedAt = performance.now();
    let running = 0;
    if (client !== undefined) {
      return {
        async call<T>(operation: string, args: object = {}) {
          // The server ends a connection that is idle for a minute; on a loaded machine, a step of a test takes longer.
          if (running === 0 && performance.now() - usedAt > 30_000) {
            client?.close();
            client = await connectAdmin(path);
          }
          if (client === undefined) throw new Error(`no socket of the operator at ${path}`);
          running++;
          try {
            return (await client.perform(operation, args, caller)) as T;
          } finally {
            running--;
            usedAt = performance.now();
          }
        },
        close: () => client?.close(),
      };
    }
    if (waited >= patienceMs) return undefined;
    await sleep(25);
  }
}
