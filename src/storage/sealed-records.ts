import { isSealed, type Seal, SealError } from "./seal.ts";

/** The part of a record that says whether and how its secret is sealed. */
export interface Sealed {
  id: string;
  /** In its stored form; undefined for an inbox that verifies no signatures. */
  secret?: string;
}

/** A sentence that says what is wrong and what to do. */
export interface Unreadable {
  message: string;
  action: string;
}

const effects = {
  endpoints: "Nothing is sent to them, and their deliveries keep waiting.",
  inboxes: "They accept nothing.",
} as const;

export type SealedKind = keyof typeof effects;
export const sealedKinds = ["endpoints", "inboxes"] as const satisfies readonly SealedKind[];

/** Describes the records whose secrets cannot be read with the configured key; undefined if all can. */
export function findUnreadable(
  kind: SealedKind,
  records: readonly Sealed[],
  seal: Seal,
): Unreadable | undefined {
  const unreadable = records.filter((record) => !canOpen(record, seal));
  const [first] = unreadable;
  if (first === undefined) return undefined;
  const why = seal.keyed
    ? "are encrypted with another key than storage.encryptionKey, or damaged"
    : "are encrypted, and storage.encryptionKey is not set";
  return {
    message: `The secrets of ${unreadable.length} of ${records.length} ${kind} ${why} (${first.id}${unreadable.length > 1 ? ", …" : ""}). ${effects[kind]}`,
    action: "Set storage.encryptionKey to the key that was used, or give them new secrets.",
  };
}

/** Returns the number of secrets stored in clear. */
export const countClear = (records: readonly Sealed[]): number =>
  records.filter(({ secret }) => secret !== undefined && !isSealed(secret)).length;

function canOpen({ id, secret }: Sealed, seal: Seal): boolean {
  try {
    if (secret !== undefined) seal.open(secret, id);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
