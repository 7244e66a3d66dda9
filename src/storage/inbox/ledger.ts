import { ToolError } from "../../catalog/errors.ts";

/** Limits of the bytes, as measured by `sizeOf`, that the inboxes of an account, and of the store, hold together. */
export interface Room {
  account: string;
  accountBytes: number;
  storeBytes: number;
}

/** Bytes that each inbox holds, and the sums by account and of all. */
export interface Ledger {
  /** Counts `growth` more bytes for an inbox. @throws ToolError if its account or the store has no room for them. */
  admit(inbox: string, growth: number, room: Room): void;
  /** Sets the bytes of an inbox. Without `account`, its account stays the same. */
  set(inbox: string, bytes: number, account?: string): void;
  remove(inbox: string): void;
}

interface Share {
  bytes: number;
  account: string | undefined;
}

export function createLedger(): Ledger {
  const inboxes = new Map<string, Share>();
  const accounts = new Map<string, number>();
  let total = 0;

  function count(account: string | undefined, bytes: number): void {
    total += bytes;
    if (account === undefined) return;
    const sum = (accounts.get(account) ?? 0) + bytes;
    if (sum > 0) accounts.set(account, sum);
    else accounts.delete(account);
  }

  function set(inbox: string, bytes: number, account = inboxes.get(inbox)?.account): void {
    const before = inboxes.get(inbox);
    if (before !== undefined) count(before.account, -before.bytes);
    count(account, bytes);
    inboxes.set(inbox, { bytes, account });
  }

  return {
    admit(inbox, growth, { account, accountBytes, storeBytes }) {
      // The account of this inbox was unknown until now.
      set(inbox, inboxes.get(inbox)?.bytes ?? 0, account);
      if (growth <= 0) return;
      if ((accounts.get(account) ?? 0) + growth > accountBytes) throw fullInbox("account", accountBytes);
      if (total + growth > storeBytes) throw fullInbox("store", storeBytes);
      set(inbox, (inboxes.get(inbox)?.bytes ?? 0) + growth);
    },
    set,
    remove(inbox) {
      set(inbox, 0);
      inboxes.delete(inbox);
    },
  };
}

const mebibyte = 1024 * 1024;
/** Seconds after which a sender tries again: messages expire meanwhile, and most senders retry for a day. */
const retryAfter = 3600;

/** The refusal of a message for lack of room: the sender keeps it and tries again. */
export function fullInbox(whose: "account" | "store", limit: number): ToolError {
  const most = `${Math.floor(limit / mebibyte)} MiB`;
  return whose === "account"
    ? new ToolError(
        "quota_exceeded",
        `The inboxes of this account hold ${most}, which is the limit. Remove one of them, or wait until old messages expire.`,
        { limit, retryAfter },
      )
    : new ToolError(
        "overloaded",
        `The inboxes of this server hold ${most}, which is the limit. Try again later.`,
        { retryAfter },
      );
}
