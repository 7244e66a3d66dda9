import { join } from "node:path";
import type { Admin } from "./admin.ts";
import type { AdminServer } from "./socket.ts";
import { lazy } from "../../lib/lazy.ts";
import type { OperatorDeps } from "./operator.ts";
import { StoreError } from "../storage/errors.ts";

/** Administration within a server: one for the socket and for settings sessions, so that their acts take turns. */
export interface OperatorAccess {
  /** Made when it is first asked for. */
  admin(): Promise<Admin>;
  /** Opens the operator's socket, where only this process can administer the store. */
  start(): void;
  /** Finishes what the socket was asked for. */
  close(): Promise<void>;
}

export interface OperatorAccessDeps extends Omit<OperatorDeps, "outbox" | "backups" | "serves"> {
  outbox(): Promise<OperatorDeps["outbox"]>;
  /** The folder of the store. */
  folder: string;
  /** Of penknife, for backups. */
  release: string;
  onStoreError(error: StoreError): void;
  onFault(error: unknown): void;
  /** Told where there cannot be a socket. */
  onNoSocket(): void;
}

export function createOperatorAccess(deps: OperatorAccessDeps): OperatorAccess {
  const { store, folder, now, random, release, onStoreError, onFault, onNoSocket } = deps;

  async function open(): Promise<Admin> {
    const { createOperator } = await import("./operator.ts");
    const backups = async () => {
      const { createBackups } = await import("./transfer/backup.ts");
      return createBackups({ store, now, random, release });
    };
    return createOperator({ ...deps, serves: true, outbox: await deps.outbox(), backups });
  }

  const access = lazy(open);

  /**
   * Undefined where there cannot be one: some file systems (folders that a desktop shares with its containers) hold
   * none, and a server without one still serves.
   */
  const socket = lazy(async (): Promise<AdminServer | undefined> => {
    try {
      const { serveAdmin } = await import("./socket.ts");
      return await serveAdmin({
        path: join(folder, "penknife.sock"),
        admin: await access(),
        onError: onFault,
      });
    } catch (error) {
      if (error instanceof StoreError) onStoreError(error);
      else onFault(error);
      onNoSocket();
      return undefined;
    }
  });

  return {
    admin: access,
    start() {
      // Beside a server that keeps nothing, or one among many, there is nothing that only it can administer.
      if (store.driver === "file") void socket();
    },
    close: async () => (await socket.made())?.close(),
  };
}
