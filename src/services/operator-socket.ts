import { join } from "node:path";
import { type AdminServer, serveAdmin } from "./admin-socket.ts";
import { createOperator, type OperatorDeps } from "./operator.ts";
import { StoreError } from "./storage/errors.ts";

export interface OperatorSocketDeps extends Omit<OperatorDeps, "outbox" | "backups"> {
  outbox(): Promise<OperatorDeps["outbox"]>;
  /** The folder of the store. */
  folder: string;
  /** Of penknife, for backups. */
  release: string;
  onStoreError(error: StoreError): void;
  onFault(error: unknown): void;
}

/**
 * Undefined where there cannot be a socket: some file systems (folders that a desktop shares with its containers) hold
 * none, and a server without one still serves.
 */
export async function openOperatorSocket(deps: OperatorSocketDeps): Promise<AdminServer | undefined> {
  const { store, now, random, folder, release, onStoreError, onFault } = deps;
  const backups = async () => {
    const { createBackups } = await import("./transfer/backup.ts");
    return createBackups({ store, now, random, release });
  };
  try {
    const admin = createOperator({ ...deps, outbox: await deps.outbox(), backups });
    return await serveAdmin({ path: join(folder, "penknife.sock"), admin, onError: onFault });
  } catch (error) {
    if (error instanceof StoreError) onStoreError(error);
    else onFault(error);
    return undefined;
  }
}
