/** Who carries out an administrative act, as they say themselves: whoever can open the store could say anything. */
export interface Caller {
  /** `cli:<user name>`. */
  actor: string;
  /** Host and process. */
  from: string;
}

/** Of a command of an older release, which does not say. */
export const unknownCaller: Caller = { actor: "cli:unknown", from: "local" };

const longest = 200;

/** What came over a socket, as a caller; what is no caller is an unknown one. */
export function parseCaller(value: unknown): Caller {
  const { actor, from } = (value ?? {}) as { actor?: unknown; from?: unknown };
  if (typeof actor !== "string" || typeof from !== "string" || actor === "") return unknownCaller;
  return { actor: actor.slice(0, longest), from: from.slice(0, longest) };
}
