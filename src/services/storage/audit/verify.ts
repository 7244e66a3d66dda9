import { type AuditHead, genesis, hashAuditLine, parseAuditLine } from "./line.ts";
import type { AuditStore } from "./audit-store.ts";

export interface Verification {
  /** Whole lines that were found. */
  lines: number;
  /** Of the last line; what to note elsewhere, to be compared some other day. */
  head: AuditHead;
  /** Lines that do not fit, the first of them first; more than a hundred are only counted. */
  faults: readonly Fault[];
  faultCount: number;
  /** What is no tampering, a sentence each. */
  notices: readonly string[];
}

export interface Fault {
  /** File and line. */
  place: string;
  message: string;
}

const shown = 100;

/**
 * Each line must have the next number and the hash of the line before it; the last one must be the one that is noted
 * beside the trail. Who can write all of that can make a new trail that fits: only a head noted elsewhere tells.
 */
export async function verifyTrail(store: AuditStore, anchor: AuditHead | undefined): Promise<Verification> {
  const faults: Fault[] = [];
  const notices: string[] = [];
  let faultCount = 0;
  let lines = 0;
  let last: AuditHead = genesis;
  let place = "the beginning";
  const found = new Map<number, string>();
  // Asked first: what is added while we walk comes after it.
  const storedHead = await store.storedHead();
  const wanted = new Set([storedHead?.seq, anchor?.seq]);

  function fault(where: string, message: string): void {
    faultCount += 1;
    if (faults.length < shown) faults.push({ place: where, message });
  }

  for await (const line of store.lines()) {
    if (line.torn) {
      notices.push(
        `${line.place} is not whole: a process was killed while it wrote it. The next act sets it aside.`,
      );
      continue;
    }
    lines += 1;
    const parsed = parseAuditLine(Buffer.from(line.bytes).toString());
    const hash = hashAuditLine(line.bytes);
    if (parsed === undefined) {
      fault(line.place, "is no line of an audit trail: it was changed.");
    } else if (parsed.seq !== last.seq + 1) {
      fault(
        line.place,
        `has the number ${parsed.seq} where ${last.seq + 1} was to come: lines were removed, added or moved.`,
      );
    } else if (parsed.prev !== last.hash) {
      fault(
        line.place,
        last.seq === 0
          ? "does not begin a trail."
          : `does not follow from the line before it (${place}): one of the two was changed.`,
      );
    }
    last = { seq: parsed?.seq ?? last.seq + 1, hash };
    if (wanted.has(last.seq)) found.set(last.seq, hash);
    ({ place } = line);
  }

  if (storedHead === undefined) {
    if (lines > 0)
      fault(
        place,
        "may not be the last line: the note of the last one, which is kept beside the trail, is gone.",
      );
  } else if (storedHead.seq > last.seq) {
    fault(
      place,
      `is not the last line: ${storedHead.seq - last.seq} more were written, up to number ${storedHead.seq}.`,
    );
  } else if (storedHead.seq > 0 && found.get(storedHead.seq) !== storedHead.hash) {
    fault(
      storedHead.seq === last.seq ? place : `line ${storedHead.seq}`,
      "is not the line that was written: the hash that was noted beside the trail is another.",
    );
  }
  if (anchor !== undefined && found.get(anchor.seq) !== anchor.hash) {
    fault(
      `line ${anchor.seq}`,
      "has not the hash that was given: this is not the trail that it was noted of.",
    );
  }
  return { lines, head: last, faults, faultCount, notices };
}
