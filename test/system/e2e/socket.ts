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
    const client = await connectAdmin(path);
    if (client !== undefined) {
      return {
        call: async <T>(operation: string, args: object = {}) =>
          (await client.perform(operation, args, caller)) as T,
        close: client.close,
      };
    }
    if (waited >= patienceMs) return undefined;
    await sleep(25);
  }
}
