/** Who carries out an administrative act. It is the caller's own claim: a process that can open the store can claim anything. */
export interface Caller {
  /** `cli:<user name>`. */
  actor: string;
  /** Host and process. */
  from: string;
}

/** Stands for commands of older releases, which do not name their caller. */
export const unknownCaller: Caller = { actor: "cli:unknown", from: "local" };

const longest = 200;

/** Reads a caller that came over the socket; returns `unknownCaller` for anything malformed. */
export function parseCaller(value: unknown): Caller {
  const { actor, from } = (value ?? {}) as { actor?: unknown; from?: unknown };
  if (typeof actor !== "string" || typeof from !== "string" || actor === "") return unknownCaller;
  return { actor: actor.slice(0, longest), from: from.slice(0, longest) };
}
