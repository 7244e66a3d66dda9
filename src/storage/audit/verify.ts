import { type AuditHead, genesis, hashAuditLine, parseAuditLine } from "./line.ts";
import type { AuditStore } from "./audit-store.ts";

export interface Verification {
  /** Number of whole lines. */
  lines: number;
  /** The head of the last line: record it elsewhere to compare it later. */
  head: AuditHead;
  /** Lines that do not fit, in order; at most a hundred are listed. */
  faults: readonly Fault[];
  faultCount: number;
  /** Sentences about irregularities that are not tampering. */
  notices: readonly string[];
}

export interface Fault {
  /** File and line. */
  place: string;
  message: string;
}

const shown = 100;

/**
 * Verifies the chain: each line must have the next number and the hash of the previous line, and the last must match
 * the head stored beside the trail. An attacker who can write all of these files can forge a new trail: only a head recorded
 * elsewhere reveals that.
 */
export async function verifyTrail(store: AuditStore, anchor: AuditHead | undefined): Promise<Verification> {
  const faults: Fault[] = [];
  const notices: string[] = [];
  let faultCount = 0;
  let lines = 0;
  let last: AuditHead = genesis;
  let place = "the beginning";
  const found = new Map<number, string>();
  // Read first: lines added during the walk come after it.
  const storedHead = await store.storedHead();
  const wanted = new Set([storedHead?.seq, anchor?.seq]);

  function fault(where: string, message: string): void {
    faultCount += 1;
    if (faults.length < shown) faults.push({ place: where, message });
  }

  for await (const line of store.lines()) {
    if (line.torn) {
      notices.push(
        `${line.place} is incomplete: a process was killed while writing it. The next act moves it away.`,
      );
      continue;
    }
    lines += 1;
    const parsed = parseAuditLine(Buffer.from(line.bytes).toString());
    const hash = hashAuditLine(line.bytes);
    if (parsed === undefined) {
      fault(line.place, "is not a line of an audit trail: it was changed.");
    } else if (parsed.seq !== last.seq + 1) {
      fault(
        line.place,
        `has the number ${parsed.seq} instead of ${last.seq + 1}: lines were removed, added or moved.`,
      );
    } else if (parsed.prev !== last.hash) {
      fault(
        line.place,
        last.seq === 0
          ? "does not start a trail."
          : `does not match the hash of the previous line (${place}): one of the two was changed.`,
      );
    }
    last = { seq: parsed?.seq ?? last.seq + 1, hash };
    if (wanted.has(last.seq)) found.set(last.seq, hash);
    ({ place } = line);
  }

  if (storedHead === undefined) {
    if (lines > 0) fault(place, "may not be the last line: the head stored beside the trail is missing.");
  } else if (storedHead.seq > last.seq) {
    fault(
      place,
      `is not the last line: ${storedHead.seq - last.seq} more were written, up to number ${storedHead.seq}.`,
    );
  } else if (storedHead.seq > 0 && found.get(storedHead.seq) !== storedHead.hash) {
    fault(
      storedHead.seq === last.seq ? place : `line ${storedHead.seq}`,
      "is not the line that was written: its hash differs from the head stored beside the trail.",
    );
  }
  if (anchor !== undefined && found.get(anchor.seq) !== anchor.hash) {
    fault(`line ${anchor.seq}`, "does not have the given hash: this is not the trail of that anchor.");
  }
  return { lines, head: last, faults, faultCount, notices };
}
