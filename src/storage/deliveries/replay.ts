import { readSealedLines, type SealedFile, type Span } from "../log/read-sealed.ts";
import { isText } from "../log/sealed-line.ts";
import type { Place } from "../log/segments.ts";
import { checkHeader } from "./file-header.ts";
import type { JournalEntry } from "./journal-entries.ts";
import type { Arrival, WaitingSet } from "./waiting.ts";

/**
 * Applies the entries of a segment to `set`. Lines that are not whole are skipped. @throws StoreError for a segment of
 * a newer release.
 */
export async function replay(
  path: string,
  segment: number,
  set: WaitingSet<Place, Place>,
): Promise<SealedFile> {
  let body: Place | undefined;
  let event: string | undefined;
  const redoLine = (json: Buffer | undefined, span: Span): void => {
    const place = { segment, ...span };
    if (json === undefined) body = undefined;
    else if (isText(json)) body = place;
    else {
      const entry = JSON.parse(json.toString()) as JournalEntry;
      if (entry.act === "add" || entry.act === "keep") {
        // If the body of this event is damaged, the body of another event must not stand in for it.
        if (event !== undefined && event !== entry.event.id) body = undefined;
        event = entry.event.id;
      }
      redo(entry, place, body, set);
      return;
    }
    event = undefined;
  };
  return readSealedLines(path, redoLine, checkHeader);
}

function redo(
  entry: JournalEntry,
  place: Place,
  body: Place | undefined,
  set: WaitingSet<Place, Place>,
): void {
  const { at } = entry;
  set.observe(at);
  switch (entry.act) {
    case "add":
      if (entry.once !== undefined) set.remember({ name: entry.once[0], until: entry.once[1] });
      for (const [id, endpoint] of entry.to)
        put({ id, endpoint, attempts: 0, createdAt: at, since: at, nextAt: at, log: none });
      return;
    case "keep":
      return put({ ...entry.delivery, log: entry.log.length === 0 ? none : [place] });
    case "wait": {
      if (entry.attempt !== undefined) set.count(entry.endpoint, entry.attempt, at);
      const item = set.get(entry.id);
      if (item === undefined) return;
      item.attempts = entry.attempts;
      if (entry.attempt !== undefined) item.log = [...item.log, place];
      set.reschedule(item, entry.nextAt, at);
      return;
    }
    case "end":
      if (entry.attempt !== undefined && entry.endpoint !== undefined)
        set.count(entry.endpoint, entry.attempt, at);
      for (const id of entry.ids) {
        const item = set.get(id);
        if (item !== undefined) set.remove(item, at);
      }
      return;
    case "hold":
      return set.hold(entry.endpoint, entry.until ?? Infinity, at);
    case "health":
      return set.mend(entry.endpoint, entry, at);
    case "once":
      return set.remember(entry);
  }

  function put(arrival: Arrival<Place>): void {
    if (body === undefined || (entry.act !== "add" && entry.act !== "keep")) return;
    // A kept delivery may be known from segments that this one replaces.
    const known = entry.act === "keep" ? set.get(arrival.id) : undefined;
    if (known !== undefined) set.remove(known, at);
    set.insert({ ...entry.event, body }, arrival, at);
  }
}

const none: readonly Place[] = [];
