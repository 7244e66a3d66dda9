import { StoreError } from "../../storage/errors.ts";
import {
  type BackupEnd,
  type BackupHeader,
  backupVersion,
  createBackupSum,
  kindOf,
  splitLines,
} from "./backup-lines.ts";
import { isLasting, type Kind, type KindName, kindNames, kinds } from "./kinds.ts";
import type { Sources } from "./copy.ts";
import type { Entry } from "./parts.ts";

/** A backup that was verified to be complete. */
export interface Backup {
  header: BackupHeader;
  counts: BackupEnd["counts"];
  sources: Sources;
}

type LateEntries = Map<KindName, Map<string, unknown>>;

const hourMs = 3_600_000;
/** Late entries are few: they were created while the backup was made. */
const lateCapacity = 100_000;

/**
 * Reads the whole backup once before anything is done with it. `open` reads the bytes from the beginning each time it
 * is called; `name` is for messages.
 * @throws StoreError if it is not a backup, is truncated, was changed, is of a newer release or contains something
 * unknown to this one.
 */
export async function readBackup(options: {
  name: string;
  open(): AsyncIterable<Uint8Array>;
  /** Epoch milliseconds. */
  now: number;
}): Promise<Backup> {
  const { name, open, now } = options;
  const sum = createBackupSum();
  const last = new Map<KindName, string>();
  const late: LateEntries = new Map(kindNames.map((kind) => [kind, new Map()]));
  const positions = new Map<KindName, number>();
  let header: BackupHeader | undefined;
  let end: BackupEnd | undefined;
  let number = 0;

  function take(bytes: Buffer): void {
    const kind = kindOf(bytes);
    if (kind === "end") {
      end = parseEnd(bytes);
      if (end === undefined) throw broken(`its last line (${number}) is malformed`);
      return;
    }
    if (kind === undefined)
      throw broken(
        `line ${number} is of an unknown kind; restore with the release that wrote it (${header?.release})`,
      );
    const position = positions.get(kind) ?? 0;
    positions.set(kind, position + 1);
    const entry = parseEntry(bytes, kind, position);
    if (entry === undefined)
      throw broken(
        `line ${number} is not a ${kind} of this release; restore with the release that wrote it (${header?.release})`,
      );
    sum.add(bytes, kind);
    const before = last.get(kind);
    if (before === undefined || entry.id > before) return void last.set(kind, entry.id);
    const others = late.get(kind) as Map<string, unknown>;
    if (entry.id === before || others.has(entry.id)) throw broken(`line ${number} repeats an entry`);
    others.set(entry.id, entry.value);
    if (others.size > lateCapacity) throw broken("its entries are not in order");
  }

  function broken(why: string): StoreError {
    return new StoreError(
      "read",
      `${name} cannot be restored: ${why.replace(/[.?]$/, "")}. Nothing was written.`,
    );
  }

  try {
    for await (const { bytes, whole } of splitLines(open())) {
      number += 1;
      if (header === undefined) {
        header = parseHeader(bytes, broken);
        sum.add(bytes);
      } else if (end !== undefined) throw broken("there is data after its last line");
      else if (!whole)
        throw broken(`it is incomplete: it ends in the middle of line ${number}. Take another backup`);
      else take(bytes);
    }
  } catch (error) {
    if (error instanceof StoreError && !error.reason.startsWith(name)) throw broken(error.reason);
    throw error;
  }
  if (header === undefined) throw broken("it is empty");
  if (end === undefined)
    throw broken(`it is incomplete: its last line is missing after line ${number}. Take another backup`);
  const { counts, sha256 } = sum.end();
  if (sha256 !== end.sha256)
    throw broken("it was changed after it was written: its SHA-256 does not match. Take another backup");
  // A backup of an older release does not mention kinds that it did not have.
  if (kindNames.some((kind) => counts[kind] !== (end?.counts[kind] ?? 0)))
    throw broken("its last line does not match the number of its entries");

  const source = (kind: KindName) => ({
    entries: () => readEntries(open, kind, late.get(kind) as Map<string, unknown>, now),
  });
  const sources = Object.fromEntries(kindNames.map((kind) => [kind, source(kind)])) as unknown as Sources;
  return { header, counts, sources };
}

/** Yields the entries of one kind, late ones in their places. */
async function* readEntries(
  open: () => AsyncIterable<Uint8Array>,
  kind: KindName,
  late: ReadonlyMap<string, unknown>,
  now: number,
): AsyncIterable<Entry<unknown>> {
  const waiting = [...late.keys()].toSorted();
  let position = 0;
  for await (const { bytes } of splitLines(open())) {
    if (kindOf(bytes) !== kind) continue;
    const entry = parseEntry(bytes, kind, position++);
    if (entry === undefined || late.has(entry.id)) continue;
    while ((waiting[0] ?? "~") < entry.id) yield* timely(kind, waiting.shift() as string, late, now);
    yield* timely(kind, entry.id, new Map([[entry.id, entry.value]]), now);
  }
  for (const id of waiting) yield* timely(kind, id, late, now);
}

/** Drops windows that have ended, and those that end later than any window can, because a clock was wrong. */
function* timely(
  kind: KindName,
  id: string,
  values: ReadonlyMap<string, unknown>,
  now: number,
): Iterable<Entry<unknown>> {
  const value = values.get(id);
  if (kind !== "window") return yield { id, value };
  const window = value as { resetAt: number; used: number };
  const resetAt = Math.min(window.resetAt, now + hourMs);
  if (isLasting({ ...window, resetAt }, now)) yield { id, value: { ...window, resetAt } };
}

function parseEntry(
  bytes: Buffer,
  kind: KindName,
  position: number,
): { id: string; value: unknown } | undefined {
  const line = parseJson(bytes);
  if (line === undefined || Object.keys(line).length !== 1) return undefined;
  return (kinds[kind] as Kind<unknown>).parse(line[kind], position);
}

function parseHeader(bytes: Buffer, broken: (why: string) => StoreError): BackupHeader {
  const header = parseJson(bytes) as Partial<BackupHeader> | undefined;
  if (header?.penknife !== "backup" || typeof header.v !== "number")
    throw broken("it is not a penknife backup");
  if (header.v > backupVersion) {
    throw broken(
      `it was written by a newer release of penknife (version ${String(header.v)}, this one reads ${backupVersion}). Restore it with that release`,
    );
  }
  if (
    header.v !== backupVersion ||
    typeof header.createdAt !== "string" ||
    typeof header.release !== "string"
  )
    throw broken("its first line is not that of a backup");
  return header as BackupHeader;
}

function parseEnd(bytes: Buffer): BackupEnd | undefined {
  const end = parseJson(bytes)?.["end"] as Partial<BackupEnd> | undefined;
  const whole = typeof end?.sha256 === "string" && typeof end.counts === "object" && end.counts !== null;
  return whole ? (end as BackupEnd) : undefined;
}

function parseJson(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
