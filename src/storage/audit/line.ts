import { hash } from "node:crypto";
import { toInstant } from "../../catalog/duration.ts";

/** An administrative act, or its end. */
export interface AuditEntry {
  /** `cli:<user name>`, or another form that audit/caller.ts lists. */
  actor: string;
  /** The host and process that the caller gives. */
  from: string;
  /** The operation, such as `keys.issue`. */
  act: string;
  account?: string;
  /** The id of the key concerned. */
  target?: string;
  /** The arguments on the first line of an act, the changes on the last. Never a key or the hash of one. */
  detail?: Readonly<Record<string, unknown>>;
  /** `begun`; on the line that ends the act, `done` or the code of the refusal. */
  result: string;
  /** On the line that ends an act: the number of the line that began it. */
  of?: number;
}

/** A line of the trail. */
export interface AuditLine extends AuditEntry {
  v: 1;
  /** Counts from 1 without a gap. */
  seq: number;
  /** RFC 3339, UTC, milliseconds, by the writer's clock. */
  at: string;
  /** SHA-256 (hex) of the bytes of the previous line, line feed included; zeros for the first. */
  prev: string;
}

/** The number and hash of the last line of a trail. */
export interface AuditHead {
  seq: number;
  hash: string;
}

export const noHash = "0".repeat(64);
/** The head of an empty trail. */
export const genesis: AuditHead = { seq: 0, hash: noHash };

const maxLength = 300;
/** A person must not be confused with another of the same beginning. */
const maxActor = 1000;

/** Returns the line that follows `head`, without its line feed; members always in this order. */
export function toAuditLine(entry: AuditEntry, head: AuditHead, now: number): string {
  const { actor, from, act, account, target, detail, result, of } = entry;
  const line = {
    v: 1,
    seq: head.seq + 1,
    at: toInstant(now),
    actor,
    from,
    act,
    account,
    target,
    detail,
    result,
    of,
  };
  const shown = JSON.stringify(line, (name, value: unknown) =>
    typeof value === "string"
      ? harmless(value, name === "actor" || name === "target" ? maxActor : maxLength)
      : value,
  );
  return `${shown.slice(0, -1)},"prev":${JSON.stringify(head.hash)}}`;
}

/** Hashes a line given without its line feed. */
export const hashAuditLine = (line: string | Uint8Array): string =>
  hash("sha256", Buffer.concat([typeof line === "string" ? Buffer.from(line) : line, lineFeed]), "hex");

const lineFeed = Buffer.from("\n");

/** Returns undefined for a text that is not a line of a trail. */
export function parseAuditLine(text: string): AuditLine | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof line !== "object" || line === null) return undefined;
  const { v, seq, at, actor, from, act, result, prev } = line as Partial<AuditLine>;
  const texts = [at, actor, from, act, result, prev].every((value) => typeof value === "string");
  return v === 1 && Number.isSafeInteger(seq) && texts ? (line as AuditLine) : undefined;
}

/** Refused calls are recorded too, and a text pasted into the wrong argument may be a key. */
const harmless = (text: string, max: number): string => {
  const masked = text.replaceAll(/svc_[a-z]+_[0-9A-Za-z]+/g, "svc_…");
  return masked.length > max ? `${masked.slice(0, max)}…` : masked;
};
