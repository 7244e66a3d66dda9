import type { Kind } from "./kinds.ts";
import type { Entry, Source } from "./parts.ts";

/** The comparison of one id. */
export type Finding<T> =
  /** The source's record cannot be read. */
  | { state: "damaged"; id: string; reason: string }
  | { state: "same"; id: string }
  | { state: "missing"; id: string; value: T }
  /** `found` is absent if the target's record cannot be read. */
  | { state: "different"; id: string; value: T; found?: T }
  /** Only the target has it. */
  | { state: "extra"; id: string };

/** Merges two lists that are sorted by id, so that neither has to fit into memory. */
export async function* compare<T>(
  from: Source<T>,
  to: Source<T>,
  same: Kind<T>["same"],
): AsyncIterable<Finding<T>> {
  const theirs = to.entries()[Symbol.asyncIterator]();
  let at = await theirs.next();
  try {
    for await (const entry of from.entries()) {
      while (at.done !== true && at.value.id < entry.id) {
        yield { state: "extra", id: at.value.id };
        at = await theirs.next();
      }
      const other = at.done !== true && at.value.id === entry.id ? at.value : undefined;
      yield compareEntry(entry, other, same);
      if (other !== undefined) at = await theirs.next();
    }
    for (; at.done !== true; at = await theirs.next()) yield { state: "extra", id: at.value.id };
  } finally {
    await theirs.return?.();
  }
}

function compareEntry<T>(entry: Entry<T>, other: Entry<T> | undefined, same: Kind<T>["same"]): Finding<T> {
  const { id } = entry;
  if ("damaged" in entry) return { state: "damaged", id, reason: entry.damaged };
  const { value } = entry;
  if (other === undefined) return { state: "missing", id, value };
  if ("damaged" in other) return { state: "different", id, value };
  return same(value, other.value)
    ? { state: "same", id }
    : { state: "different", id, value, found: other.value };
}
