import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isServed } from "../../storage/folder-socket.ts";
import { findOwner } from "../../storage/lock.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";

const sqliteBusy = 5;

/** Checks who uses the folder, without taking the lock. */
export async function checkLock(path: string): Promise<Finding[]> {
  const owner = findOwner(path);
  const state = readLock(join(path, "lock"));
  if (typeof state === "object") return [state];
  if (state === "free") {
    if (owner === undefined) return [ok("storage.lock", "No process uses the folder now.")];
    return [
      note(
        "storage.lock",
        `No process uses the folder now; the last one (${owner}) was killed, or the machine went down.`,
        "No action is needed: the next start recovers the folder. The log of that process may say why it ended.",
      ),
    ];
  }
  const who = owner ?? "an unknown process";
  if (await isServed(path))
    return [ok("storage.lock", `A server uses the folder (${who}) and answers penknife admin.`)];
  return [
    warning(
      "storage.lock",
      `The folder is in use (${who}), but no server answers on penknife.sock.`,
      "Wait if it is a command. Stop it if it is a server whose log says that its socket could not be made: penknife admin works again after that.",
    ),
  ];
}

/** A read fails while a server holds the exclusive lock, and leaves no trace. */
function readLock(file: string): "free" | "held" | Finding {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return "free";
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 100 });
    database.exec("SELECT count(*) FROM sqlite_schema");
    return "free";
  } catch (cause) {
    if ((cause as { errcode?: number }).errcode === sqliteBusy) return "held";
    const reason = cause instanceof Error ? cause.message : String(cause);
    return error(
      "storage.lock",
      `${file} cannot be used as a lock: ${reason}.`,
      "Use a local file system that supports locks, and give the folder to the server's user.",
    );
  } finally {
    database?.close();
  }
}
