import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { serveAdmin } from "../../../src/surfaces/socket/socket.ts";
import { openStore, type Store } from "../../../src/storage/storage.ts";
import { createTestOperator, createTestOutbox } from "../../unit/services/setup.ts";
import { type Given, makeFolder, penknife, type Ran } from "./host.ts";
import { testRuntime } from "../../support/runtime.ts";

/** The time of these tests. */
export const start = Date.parse("2026-03-01T12:00:00.000Z");

export interface Place {
  admin(line: string, given?: Given): Promise<Ran>;
  folder: string;
  store?: Store;
}

/** Beside a server that has the store open, and on the store alone: the output must be the same. */
export const places: {
  name: string;
  /** @param prepare Called with the folder before anything opens it. */
  open(onStoreError?: () => void, prepare?: (folder: string) => void): Promise<Place>;
}[] = [
  {
    name: "without a server",
    async open(_, prepare) {
      const folder = join(makeFolder(), "data");
      prepare?.(folder);
      return createPlace(folder);
    },
  },
  {
    name: "beside a server",
    async open(onStoreError, prepare) {
      const folder = join(makeFolder(), "data");
      prepare?.(folder);
      const now = () => start;
      const onError = (error: Error) => expect.unreachable(error.message);
      const store = await openStore({
        driver: "file",
        path: folder,
        runtime: testRuntime({ now }),
        onError: onStoreError ?? onError,
      });
      const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
      const outbox = createTestOutbox(store, now);
      const admin = createTestOperator({
        store,
        outbox,
        sending: "here",
        runtime: testRuntime({ now, random }),
      });
      const server = await serveAdmin({ path: join(folder, "penknife.sock"), admin, onError });
      onTestFinished(async () => {
        await server.close();
        await store.close();
      });
      return { ...createPlace(folder), store };
    },
  },
];

const createPlace = (folder: string): Place => ({
  folder,
  admin: (line, given) =>
    penknife(["admin", ...line.split(" "), "--data", folder], { now: () => start, ...given }),
});

export const json = ({ stdout }: Ran): Record<string, unknown> & { items: Record<string, unknown>[] } =>
  JSON.parse(stdout) as never;
