import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "../../lib/counted.ts";
import { checkHeader } from "../../storage/deliveries/file-header.ts";
import { StoreError } from "../../storage/errors.ts";
import { error, type Finding, fromReason, ok } from "./finding.ts";

const headerBytes = 64;

/** Checks whether a server can open the webhook queue, which it does only after its start. */
export async function checkDeliveries(path: string): Promise<Finding[]> {
  const folder = join(path, "webhooks");
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => /^queue-.*\.log$/.test(name)).toSorted();
  for (const name of files) {
    const file = join(folder, name);
    try {
      checkHeader(file, await readFirstLine(file));
    } catch (cause) {
      const action = "Give it to the server's user, or move it away: its deliveries are then not sent.";
      return [
        cause instanceof StoreError
          ? fromReason("storage.deliveries", cause.reason, action)
          : error("storage.deliveries", `${file} cannot be read: ${(cause as Error).message}.`, action),
      ];
    }
  }
  if (files.length === 0) return [];
  return [ok("storage.deliveries", `The webhook queue is readable (${counted(files.length, "file")}).`)];
}

async function readFirstLine(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    return buffer.toString("utf8", 0, bytesRead).split("\n")[0] ?? "";
  } finally {
    await handle.close();
  }
}
