import { hash } from "node:crypto";
import { toInstant } from "../../../catalog/duration.ts";

/** What is told of one administrative act, or of its end. */
export interface AuditEntry {
  /** Who, as they say themselves: `cli:<user name>`. */
  actor: string;
  /** From where, as they say themselves: host and process. */
  from: string;
  /** The operation, such as `keys.issue`. */
  act: string;
  account?: string;
  /** The id of the key that it is about. */
  target?: string;
  /** On the first line what was asked for, on the last what has changed. Never a key, never a hash of one. */
  detail?: Readonly<Record<string, unknown>>;
  /** `begun`, and on the line that ends the act `done` or the code of the refusal. */
  result: string;
  /** On the line that ends an act, the number of the line that began it. */
  of?: number;
}

/** A line as it lies in the trail. */
export interface AuditLine extends AuditEntry {
  v: 1;
  /** From 1, without a gap. */
  seq: number;
  /** RFC 3339, UTC, milliseconds; by the clock of whoever wrote it. */
  at: string;
  /** SHA-256 (hex) of the bytes of the line before it, line feed included; zeros where there is none. */
  prev: string;
}

/** The last line of a trail: its number and its hash. */
export interface AuditHead {
  seq: number;
  hash: string;
}

export const noHash = "0".repeat(64);
/** Before the first line. */
export const genesis: AuditHead = { seq: 0, hash: noHash };

const longest = 300;

/** The text of the line that follows `head`, without its line feed; the members always in this order. */
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
  const shown = JSON.stringify(line, (_, value: unknown) =>
    typeof value === "string" ? harmless(value) : value,
  );
  return `${shown.slice(0, -1)},"prev":${JSON.stringify(head.hash)}}`;
}

/** Of a line without its line feed. */
export const hashAuditLine = (line: string | Uint8Array): string =>
  hash("sha256", Buffer.concat([typeof line === "string" ? Buffer.from(line) : line, lineFeed]), "hex");

const lineFeed = Buffer.from("\n");

/** Undefined for what is no line of a trail. */
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

/** A refused call is written down too, and what was pasted into the wrong place may be a key. */
const harmless = (text: string): string => {
  const masked = text.replaceAll(/svc_[a-z]+_[0-9A-Za-z]+/g, "svc_…");
  return masked.length > longest ? `${masked.slice(0, longest)}…` : masked;
};
