import { StoreError } from "../errors.ts";
import { readSealedLines, wasWhole } from "../log/read-sealed.ts";
import { payloadOf } from "../log/sealed-line.ts";
import type { Segment } from "../log/sealed-log.ts";
import type { Place, Segments } from "../log/segments.ts";
import type { Message } from "./inbox-store.ts";
import type { Indexed } from "./message-index.ts";
import { type MessageLine, parseLine, parseMessage } from "./message-line.ts";

/** A message as its inbox knows it: what it is found by, and where it is. */
export type Entry = Indexed & Place;

/** The content of an inbox's files. */
export interface InboxContent {
  /** In the order in which they were added. */
  entries: Entry[];
  duplicates: number;
  /** Numbers of the files. */
  numbers: number[];
  /** The last file; undefined if there is none. */
  last?: Segment;
  /** When the first message of the last file was received; undefined if it has none. */
  since?: number | undefined;
}

export const linesVersion = 1;

/**
 * Reads an inbox; a missing folder is an empty inbox. Damaged lines are reported and skipped. What a crash leaves at the end of a file, a
 * torn line or a hole, is skipped. @throws StoreError for files of a newer release, and the error of the file
 * system.
 */
export async function readInbox(
  segments: Segments,
  onError: (error: StoreError) => void,
): Promise<InboxContent> {
  const numbers = await segments.list();
  const content: InboxContent = { entries: [], duplicates: 0, numbers };
  for (const segment of numbers) {
    const path = segments.path(segment);
    const before = content.entries.length;
    let damagedAt: number | undefined;
    let isReported = false;
    const report = (): void => {
      if (damagedAt !== undefined && isReported)
        onError(new StoreError("read", `${path} is damaged at byte ${damagedAt}; that part is skipped.`));
      damagedAt = undefined;
      isReported = false;
    };
    const { kept } = await readSealedLines(path, (payload, span, line) => {
      if (payload === undefined) {
        damagedAt ??= span.offset;
        isReported ||= wasWhole(line);
        return;
      }
      isReported = true;
      report();
      take(parseLine(payload), { segment, ...span }, path);
    });
    report();
    content.last = { segment, size: kept };
    content.since = content.entries[before]?.at;
  }
  return content;

  function take(line: ReturnType<typeof parseLine>, place: Place, path: string): void {
    if ("v" in line && line.v !== linesVersion) {
      throw new StoreError(
        "read",
        `${path} was written by another release of penknife (version ${JSON.stringify(line.v)}, this one reads ${linesVersion}). Start that release, or remove the folder: the messages of this inbox are then lost.`,
      );
    }
    if ("duplicates" in line) content.duplicates = Math.max(content.duplicates, line.duplicates);
    else content.entries.push(toEntry(line, place));
  }
}

export const toEntry = ({ id, at, event, type }: MessageLine, place: Place): Entry => ({
  id,
  at,
  event,
  type,
  ...place,
});

/**
 * Reads the messages of these entries. Damaged messages are reported and left out; messages removed meanwhile are left
 * out. @throws the error of the file system.
 */
export async function readMessages(
  segments: Segments,
  entries: readonly Entry[],
  onError: (error: StoreError) => void,
): Promise<Message[]> {
  const lines = await Promise.all(entries.map((entry) => segments.read(entry).catch(goneOrThrow)));
  return lines.flatMap((line, index) => {
    if (line === gone) return [];
    if (line !== undefined) return [parseMessage(payloadOf(line))];
    const { segment, offset } = entries[index] as Entry;
    onError(
      new StoreError("read", `${segments.path(segment)} is damaged at byte ${offset}; a message is lost.`),
    );
    return [];
  });
}

const gone = Symbol("a file that was removed");

function goneOrThrow(error: unknown): typeof gone {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return gone;
  throw error;
}
