import { toStoreError } from "../errors.ts";
import { type EndedEntry, type EndedLog, toEndedEntry } from "../history/ended-log.ts";
import { timeOfId } from "./delivery-ids.ts";
import type { Attempt, DeliveryDetail, StoredEvent } from "./delivery-queue.ts";
import type { JournalEntry } from "./journal-entries.ts";
import type { Ledger } from "./ledger.ts";
import { payloadOf, toSealedJson } from "../log/sealed-line.ts";
import type { SealedLog } from "../log/sealed-log.ts";
import type { Place, Segments } from "../log/segments.ts";

export interface FileLedgerOptions {
  folder: string;
  journal: SealedLog<EndedEntry>;
  segments: Segments;
  ended: EndedLog;
  /** Epoch milliseconds. */
  openedAt: number;
  close(): Promise<void>;
}

/** Most events with ended deliveries kept in memory; older ones are looked up in the log. */
const maxEndedEvents = 10_000;

/** Most bodies kept in memory, and their longest length in characters. */
const maxBodies = 256;
const rememberedLength = 8_192;

const toLine = (entry: JournalEntry): Buffer => toSealedJson(entry);

/** The journal of waiting deliveries and the log of ended ones. */
export function createFileLedger(options: FileLedgerOptions): Ledger<Place, Place> {
  const { folder, journal, segments, ended } = options;
  const endedEvents = new Set<string>();
  /** The bodies added or read last, which are likely to be read again soon. */
  const bodies = new Map<Place, string>();
  /** An event made after this time has ended deliveries only if it is in `endedEvents`. */
  let knownSince = options.openedAt;

  function rememberEnded(event: string): void {
    endedEvents.add(event);
    const [oldest] = endedEvents;
    if (endedEvents.size <= maxEndedEvents || oldest === undefined) return;
    endedEvents.delete(oldest);
    knownSince = Math.max(knownSince, timeOfId(oldest) ?? 0);
  }

  async function reading<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      throw toStoreError("read", folder, error);
    }
  }

  function rememberBody(place: Place, body: string): void {
    if (body.length > rememberedLength) return;
    bodies.set(place, body);
    const [oldest] = bodies.keys();
    if (bodies.size > maxBodies && oldest !== undefined) bodies.delete(oldest);
  }

  async function readBody(place: Place): Promise<string | undefined> {
    const remembered = bodies.get(place);
    if (remembered !== undefined) return remembered;
    const line = await segments.read(place);
    if (line === undefined) return undefined;
    const body = JSON.parse(payloadOf(line).toString()) as string;
    rememberBody(place, body);
    return body;
  }

  async function readAttempts(place: Place): Promise<readonly Attempt[]> {
    const line = await segments.read(place);
    if (line === undefined) return [];
    const entry = JSON.parse(payloadOf(line).toString()) as JournalEntry;
    if (entry.act === "keep") return entry.log;
    return entry.act === "wait" && entry.attempt !== undefined ? [entry.attempt] : [];
  }

  return {
    add(at, event, arrivals, once, apply) {
      const entry: JournalEntry = {
        at,
        act: "add",
        event: toHead(event),
        to: arrivals.map(({ id, endpoint }) => [id, endpoint]),
        ...(once !== undefined && { once: [once.name, once.until] }),
      };
      return journal.commit({
        lines: [toSealedJson(event.body), toLine(entry)],
        apply([place]) {
          rememberBody(place as Place, event.body);
          return apply(place as Place);
        },
      });
    },
    postpone(at, delivery, next, apply) {
      const { id, receiver } = delivery;
      const entry: JournalEntry = { at, act: "wait", id, endpoint: receiver.name, ...next };
      return journal.commit({
        lines: [toLine(entry)],
        // The earlier attempts may have been moved by then.
        apply: ([place]) =>
          apply(next.attempt === undefined ? delivery.log : [...delivery.log, place as Place]),
      });
    },
    end(at, deliveries, attempt, apply) {
      const [first] = deliveries;
      const entry: JournalEntry = {
        at,
        act: "end",
        ids: deliveries.map(({ id }) => id),
        ...(attempt !== undefined &&
          first !== undefined && {
            endpoint: first.endpoint,
            attempt: { at: attempt.at, outcome: attempt.outcome },
          }),
      };
      return journal.commit({
        lines: [toLine(entry)],
        first: deliveries.map(toEndedEntry),
        apply() {
          for (const { event } of deliveries) rememberEnded(event);
          return apply();
        },
      });
    },
    revive(at, delivery, apply) {
      const lines = [toSealedJson(delivery.body), toLine({ at, ...toKeep(delivery) })];
      return journal.commit({
        lines,
        apply: ([body, kept]) => apply(body as Place, delivery.log.length === 0 ? [] : [kept as Place]),
      });
    },
    note(at, note, apply) {
      const { endpoint } = note;
      const entry: JournalEntry =
        "isReset" in note
          ? { at, act: "health", endpoint, failures: 0, lastFailureAt: 0 }
          : { at, act: "hold", endpoint, until: note.heldUntil === Infinity ? null : note.heldUntil };
      return journal.commit({ lines: [toLine(entry)], apply });
    },

    readBody: (place) => reading(readBody(place)),
    readLog: ({ log }) =>
      log.length === 0
        ? Promise.resolve([])
        : reading(Promise.all(log.map(readAttempts)).then((attempts) => attempts.flat())),

    find: ended.find,
    search: ended.search,
    hasEnded(event) {
      if (endedEvents.has(event)) return true;
      return (timeOfId(event) ?? 0) <= knownSince && ended.has(event);
    },
    forget: ended.forget,
    close: options.close,
  };
}

const toHead = ({ id, type, account }: StoredEvent): Omit<StoredEvent, "body"> => ({ id, type, account });

const toKeep = (detail: DeliveryDetail): Omit<Extract<JournalEntry, { act: "keep" }>, "at"> => ({
  act: "keep",
  event: { id: detail.event, type: detail.type, account: detail.account },
  delivery: {
    id: detail.id,
    endpoint: detail.endpoint,
    attempts: detail.attempts,
    createdAt: detail.createdAt,
    since: detail.since,
    nextAt: detail.nextAt ?? detail.since,
  },
  log: detail.log,
});
