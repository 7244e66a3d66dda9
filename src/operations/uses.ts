import { toStoreError } from "../storage/errors.ts";
import type { KeyUses } from "../storage/key-uses.ts";
import { toUnavailable } from "../storage/unavailable.ts";
import type { Context } from "./context.ts";

/** Reads when these keys or sessions were last used, or all of them. @throws ToolError storage_unavailable */
export async function readUses(
  { store, flushKeyUses }: Pick<Context, "store" | "flushKeyUses">,
  ids?: readonly string[],
): Promise<KeyUses> {
  await flushKeyUses?.();
  try {
    return await (await store.keyUses()).read(ids);
  } catch (error) {
    throw toUnavailable(toStoreError("read", "The times of the last use", error));
  }
}
