import { lazy } from "../../lib/lazy.ts";
import { StoreError } from "../../storage/errors.ts";
import { socketOf } from "../../storage/folder-socket.ts";
import type { Store } from "../../storage/storage.ts";
import type { Admin } from "../../operations/admin.ts";
import type { AdminServer } from "./socket.ts";
import type { Runtime } from "../../runtime.ts";

/** The socket through which commands administer the store of a running server. */
export interface OperatorSocket {
  /**
   * Opens the socket of a store in files, which only this process can administer.
   * @param url The URL that the server listens on, which the socket reports.
   */
  start(url: string): void;
  /** Closes the socket after the operations under way. */
  close(): Promise<void>;
}

export interface OperatorSocketDeps {
  store: Pick<Store, "driver">;
  admin(): Promise<Admin>;
  /** The folder of the store. */
  folder: string;
  onStoreError(error: StoreError): void;
  runtime: Runtime;
  /** Called if the socket cannot be opened. */
  onNoSocket(): void;
}

export function createOperatorSocket(deps: OperatorSocketDeps): OperatorSocket {
  const { store, admin, folder, onStoreError, runtime, onNoSocket } = deps;
  let address = "";

  /** Some file systems, such as folders that a desktop shares with its containers, have no sockets: the server still serves. */
  const socket = lazy(async (): Promise<AdminServer | undefined> => {
    try {
      const { serveAdmin } = await import("./socket.ts");
      return await serveAdmin({
        path: socketOf(folder),
        admin: await admin(),
        address: () => address,
        onError: runtime.report,
      });
    } catch (error) {
      if (error instanceof StoreError) onStoreError(error);
      else runtime.report(error);
      onNoSocket();
      return undefined;
    }
  });

  return {
    start(url) {
      address = url;
      if (store.driver === "file") void socket();
    },
    close: async () => (await socket.made())?.close(),
  };
}
