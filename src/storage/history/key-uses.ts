import { toStoreError } from "../errors.ts";
import { type KeyUseStore, minuteMs } from "../key-uses.ts";
import type { Damage, Use } from "./calls.ts";
import type { HistoryPlace } from "./place.ts";
import type { UsePage } from "./use-rows.ts";

/** Most uses of one call, and so of one transaction: other calls wait for it. */
const usesAtOnce = 2_000;

/** Last uses in the history of a folder. */
export function createHistoryKeyUses({ file, call, report, requireRoom }: HistoryPlace): KeyUseStore {
  async function* pages(ids: readonly string[] | undefined): AsyncIterable<UsePage> {
    if (ids !== undefined) {
      for (let at = 0; at === 0 || at < ids.length; at += usesAtOnce)
        yield (await call({ act: "uses", ids: ids.slice(at, at + usesAtOnce), after: "" })) as UsePage;
      return;
    }
    for (let after: string | undefined = ""; after !== undefined;) {
      const page = (await call({ act: "uses", ids, after })) as UsePage;
      yield page;
      after = page.next;
    }
  }

  return {
    async put(uses) {
      const all = Array.from(uses, ([id, at]): Use => [id, Math.floor(at / minuteMs)]);
      try {
        requireRoom();
        for (let at = 0; at < all.length; at += usesAtOnce)
          report((await call({ act: "putUses", uses: all.slice(at, at + usesAtOnce) })) as Damage);
      } catch (error) {
        throw toStoreError("write", file, error);
      }
    },
    async remove(ids) {
      try {
        for (let at = 0; at < ids.length; at += usesAtOnce)
          await call({ act: "removeUses", ids: ids.slice(at, at + usesAtOnce) });
      } catch (error) {
        throw toStoreError("write", file, error);
      }
    },
    async read(ids) {
      const last = new Map<string, number>();
      let since: number | null = null;
      try {
        for await (const page of pages(ids)) {
          report(page);
          since = page.since;
          for (const [id, minute] of page.uses) last.set(id, minute * minuteMs);
        }
      } catch (error) {
        throw toStoreError("read", file, error);
      }
      return { ...(since !== null && { since: since * minuteMs }), last };
    },
  };
}
