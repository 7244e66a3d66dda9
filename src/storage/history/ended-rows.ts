import { crc32 } from "node:zlib";
import type { SqliteFile } from "../sqlite/open-file.ts";
import type { Damage } from "./calls.ts";

/** The columns by which ended deliveries are found. */
export const endedColumns = ["account", "endpoint", "event", "type", "state"] as const;
export type EndedColumn = (typeof endedColumns)[number];

/** A delivery that has ended. */
export interface EndedRow extends Record<EndedColumn, string> {
  /** The bytes of the UUID in its id, which begin with the time at which it was added: the order of ids is that of age. */
  id: Uint8Array;
  endedAt: number;
  /** JSON: the delivery without attempts and body, which lists need. */
  text: string;
  /** JSON: attempts and body. */
  rest: string;
}

export interface EndedText {
  /** Undefined if it is damaged. */
  text: string | undefined;
  rest: string | undefined;
}

/** The rows of a page: those with these values, from the newest below `below` down to `from`. */
export interface EndedBounds {
  values: Partial<Record<EndedColumn, string>>;
  below: Uint8Array;
  from: Uint8Array;
  limit: number;
}

export interface EndedPage extends Damage {
  texts: string[];
  /** The start of the next page; undefined if this is the last one. */
  next: Uint8Array | undefined;
}

export interface EndedRows {
  /** A delivery that was sent again has ended twice: the later row replaces the earlier. */
  add(rows: readonly EndedRow[]): null;
  get(id: Uint8Array): EndedText | undefined;
  /** Newest first. The values must be those of one of `endedIndexes`. */
  page(bounds: EndedBounds): EndedPage;
  has(event: string): boolean;
  forget(until: number): boolean;
}

/** The look-ups whose cost does not depend on other rows: each list of columns is followed by the id. */
export const endedIndexes: readonly (readonly EndedColumn[])[] = [
  ["event"],
  ["state"],
  ["type", "state"],
  ...(["account", "endpoint"] as const).flatMap((owner): EndedColumn[][] => [
    [owner],
    [owner, "state"],
    [owner, "type", "state"],
  ]),
];

const nameOf = (columns: readonly EndedColumn[]): string => `ended_by_${columns.join("_")}`;

export const endedSchema = `
CREATE TABLE ended (
  id BLOB NOT NULL UNIQUE, ended_at INTEGER NOT NULL, account TEXT NOT NULL, endpoint TEXT NOT NULL, event TEXT NOT NULL,
  type TEXT NOT NULL, state TEXT NOT NULL, text TEXT NOT NULL, text_sum INTEGER NOT NULL, rest TEXT NOT NULL, rest_sum INTEGER NOT NULL
) STRICT;
CREATE INDEX ended_by_end ON ended (ended_at);
${endedIndexes.map((columns) => `CREATE INDEX ${nameOf(columns)} ON ended (${[...columns, "id"].join(", ")});`).join("\n")}
`;

/** Most rows removed at once. */
const rowsRemoved = 200;

export function createEndedRows({ prepared, run }: SqliteFile): EndedRows {
  return {
    add(rows) {
      for (const { id, endedAt, account, endpoint, event, type, state, text, rest } of rows)
        run(
          `INSERT INTO ended VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
            ended_at = excluded.ended_at, state = excluded.state,
            text = excluded.text, text_sum = excluded.text_sum, rest = excluded.rest, rest_sum = excluded.rest_sum`,
          id,
          endedAt,
          account,
          endpoint,
          event,
          type,
          state,
          text,
          sumOf(id, text),
          rest,
          sumOf(id, rest),
        );
      return null;
    },
    get(id) {
      const found = prepared("SELECT text, text_sum, rest, rest_sum FROM ended WHERE id = ?").get(id);
      if (found === undefined) return undefined;
      return {
        text: checked(id, found["text"], found["text_sum"]),
        rest: checked(id, found["rest"], found["rest_sum"]),
      };
    },
    page({ values, below, from, limit }) {
      const columns = Object.keys(values) as EndedColumn[];
      const found = prepared(
        `SELECT id, text, text_sum FROM ended ${columns.length === 0 ? "" : `INDEXED BY ${nameOf(columns)}`}
         WHERE ${[...columns.map((column) => `${column} = ?`), "id < ?", "id >= ?"].join(" AND ")}
         ORDER BY id DESC LIMIT ?`,
      ).all(...Object.values(values), below, from, limit);
      const damaged: string[] = [];
      const texts = found.flatMap((row) => {
        const id = row["id"] as Uint8Array;
        const text = checked(id, row["text"], row["text_sum"]);
        if (text === undefined) damaged.push(`the ended delivery ${Buffer.from(id).toString("hex")}`);
        return text ?? [];
      });
      return {
        texts,
        damaged,
        next: found.length < limit ? undefined : (found.at(-1)?.["id"] as Uint8Array),
      };
    },
    has: (event) => prepared("SELECT 1 FROM ended WHERE event = ? LIMIT 1").get(event) !== undefined,
    forget(until) {
      const { changes } = prepared(
        "DELETE FROM ended WHERE rowid IN (SELECT rowid FROM ended WHERE ended_at <= ? LIMIT ?)",
      ).run(until, rowsRemoved);
      return Number(changes) < rowsRemoved;
    },
  };
}

const checked = (id: Uint8Array, text: unknown, sum: unknown): string | undefined =>
  sumOf(id, String(text)) === sum ? String(text) : undefined;

const sumOf = (id: Uint8Array, text: string): number => crc32(text, crc32(id));
