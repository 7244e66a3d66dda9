import type { Principal } from "../../catalog/principal.ts";
import type { Owned } from "../../storage/records.ts";
import { isPersonActor, toPersonActor } from "../../storage/person.ts";

/** The caller of an administrative act, by its own claim: a process that can open the store can claim anything. */
export interface Caller {
  /**
   * `cli:<user name>`, `person:<issuer>#<subject>`, `session:<id>` for a session that began with a code, `code:<id>` for such a
   * beginning, `key:<id>`, or `anonymous`.
   */
  actor: string;
  /** Host and process of a command; the client's address of a request, for a person followed by the id of the session. */
  from: string;
  /** The account that the caller was authenticated for, if it acts for one. Not recorded: the act names its account. */
  owner?: Owned;
}

/** Returns the caller of a request for the audit trail. */
export function toCaller(principal: Principal, ip: string): Caller {
  const { person, sessionId, keyId, account, incarnation } = principal;
  const owner = account !== undefined && { owner: { account, ...(incarnation && { incarnation }) } };
  if (person !== undefined) {
    const from = sessionId === undefined ? ip : `${ip} ${sessionId}`;
    return { actor: toPersonActor(person), from, ...owner };
  }
  const actor =
    sessionId !== undefined ? `session:${sessionId}` : keyId !== undefined ? `key:${keyId}` : "anonymous";
  return { actor, from: ip, ...owner };
}

/** Stands for commands of older releases, which do not name their caller. */
export const unknownCaller: Caller = { actor: "cli:unknown", from: "local" };

const maxLength = 200;

/** Reads a caller that came over the socket; returns `unknownCaller` for anything malformed, and for a person: only a server names one. */
export function parseCaller(value: unknown): Caller {
  const { actor, from } = (value ?? {}) as { actor?: unknown; from?: unknown };
  if (typeof actor !== "string" || typeof from !== "string" || actor === "" || isPersonActor(actor))
    return unknownCaller;
  return { actor: actor.slice(0, maxLength), from: from.slice(0, maxLength) };
}
