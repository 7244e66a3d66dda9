/** When keys and sessions were last used. Times are epoch milliseconds at the beginning of a minute. */
export interface KeyUses {
  /** No later than the first use that was recorded; absent if none was. Earlier uses are unknown. */
  since?: number;
  /** The last use by the id of the key or session. One without an entry has not been used since `since`. */
  last: ReadonlyMap<string, number>;
}

export interface KeyUseStore {
  /** Records uses by id. The newest time wins, whatever the order of writes. @throws StoreError */
  put(uses: ReadonlyMap<string, number>): Promise<void>;
  /** Forgets ids that are not used any more. @throws StoreError */
  remove(ids: readonly string[]): Promise<void>;
  /** Returns the uses of these ids, or all. @throws StoreError */
  read(ids?: readonly string[]): Promise<KeyUses>;
}

export const minuteMs = 60_000;
