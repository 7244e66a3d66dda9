import { crc32 } from "node:zlib";
import type { SqliteFile } from "../sqlite/open-file.ts";
import type { Damage, Use } from "./calls.ts";

export interface UsePage extends Damage {
  uses: Use[];
  /** The minute of the first use that was recorded; null if none was. */
  since: number | null;
  /** The id after which the next page begins; undefined if this is the last one. */
  next: string | undefined;
}

export interface UseRows {
  /** The newest use wins. */
  put(uses: readonly Use[]): Damage;
  remove(ids: readonly string[]): null;
  of(ids: readonly string[]): UsePage;
  page(after: string): UsePage;
}

export const usesSchema = `
CREATE TABLE uses (id TEXT PRIMARY KEY, minute INTEGER NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID, STRICT;
`;

const usesOfPage = 5_000;

export function createUseRows({ prepared, run }: SqliteFile): UseRows {
  const get = (id: string): Found | undefined =>
    prepared("SELECT id, minute, sum FROM uses WHERE id = ?").get(id);

  function since(): number | null {
    const mark = prepared("SELECT value FROM marks WHERE name = 'since'").get();
    return mark === undefined ? null : Number(mark["value"]);
  }

  function toPage(found: readonly Found[], next?: string): UsePage {
    const damaged: string[] = [];
    const uses = found.flatMap((row) => {
      const use = toUse(row);
      if (use === undefined) damaged.push(`the last use of ${String(row["id"])}`);
      return use === undefined ? [] : [use];
    });
    return { uses, damaged, since: since(), next };
  }

  return {
    put(uses) {
      const first = Math.min(since() ?? Infinity, ...uses.map(([, minute]) => minute));
      if (first < (since() ?? Infinity))
        run("INSERT OR REPLACE INTO marks VALUES ('since', ?)", String(first));
      const damaged: string[] = [];
      for (const [id, minute] of uses) {
        const found = get(id);
        const known = found === undefined ? -1 : toUse(found)?.[1];
        if (known === undefined) damaged.push(`the last use of ${id}`);
        if (minute > (known ?? -1))
          run("INSERT OR REPLACE INTO uses VALUES (?, ?, ?)", id, minute, sumOf([id, minute]));
      }
      return { damaged };
    },
    remove(ids) {
      for (const id of ids) run("DELETE FROM uses WHERE id = ?", id);
      return null;
    },
    of: (ids) =>
      toPage(
        ids.flatMap((id): Found[] => {
          const found = get(id);
          return found === undefined ? [] : [found];
        }),
      ),
    page(after) {
      const found = prepared("SELECT id, minute, sum FROM uses WHERE id > ? ORDER BY id LIMIT ?").all(
        after,
        usesOfPage,
      );
      return toPage(found, found.length < usesOfPage ? undefined : String(found.at(-1)?.["id"]));
    },
  };
}

type Found = Record<string, unknown>;

function toUse({ id, minute, sum }: Found): Use | undefined {
  const use: Use = [String(id), Number(minute)];
  return sum === sumOf(use) ? use : undefined;
}

const sumOf = (use: Use): number => crc32(use.join(" "));
