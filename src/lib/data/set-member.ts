import type { DocumentFault } from "../fault.ts";
import type { Dictionary } from "./value.ts";

/** The treatment of a key that repeats: refuse it, keep the last value, or make a list of all. */
export type DuplicateKeys = "error" | "last" | "list";

/** Sets a text, or null, that may be set already. @throws the fault that `refuse` returns */
export function setMember(
  map: Dictionary,
  key: string,
  value: string | null,
  duplicateKeys: DuplicateKeys,
  refuse: () => DocumentFault,
): void {
  const before = map.get(key);
  if (before === undefined || duplicateKeys === "last") map.set(key, value);
  else if (duplicateKeys === "error") throw refuse();
  else if (Array.isArray(before)) before.push(value);
  else map.set(key, [before, value]);
}
