import { invalidField } from "../../catalog/input.ts";
import { ToolError } from "../../catalog/errors.ts";
import { defined } from "../../lib/defined.ts";
import { toInstant } from "../../catalog/duration.ts";
import { belongingTo, isSeenBy, lookUpOwner, requireOwner } from "../access/incarnation.ts";
import type { Seal } from "../../storage/seal.ts";
import type { Kept } from "../../storage/inbox/inbox-store.ts";
import { type InboxRecord, type Owned, recordVersion } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import { createSecret } from "../webhooks/secret.ts";
import { checkSecret, hasNoBody, type InboxInput } from "./input.ts";
import type { Runtime } from "../../runtime.ts";

/** An inbox, and its secret if the server generated it. */
export interface MadeInbox {
  record: InboxRecord;
  secret?: string;
}

/**
 * The inboxes of an account, or of all accounts if none is given. An inbox of another account is `not_found`, and so is one of
 * another account that has the name of the caller's.
 */
export interface Inboxes {
  create(account: string, input: InboxInput, caller?: Owned): Promise<MadeInbox>;
  /** Oldest first. */
  list(account: string | undefined, caller?: Owned): Promise<InboxRecord[]>;
  get(account: string | undefined, id: string, caller?: Owned): Promise<InboxRecord>;
  change(account: string | undefined, id: string, input: InboxInput, caller?: Owned): Promise<MadeInbox>;
  /** Deletes the inbox and its messages. */
  remove(account: string | undefined, id: string, caller?: Owned): Promise<void>;
  /** Finds an inbox of any account, at most 500 ms stale; undefined if it does not exist or its account is disabled. */
  look(id: string): InboxRecord | undefined | Promise<InboxRecord | undefined>;
  /** Deletes expired messages, in stores that do not expire them by themselves. */
  sweep(): Promise<void>;
}

export interface InboxesDeps {
  store: Pick<Store, "accounts" | "inboxes" | "inbox" | "hold">;
  seal: Seal;
  kept: Kept;
  runtime: Runtime;
}

const maxPerAccount = 100;
const inboxId = /^in_([0-9a-f]{32})$/;

export function createInboxes({ store, seal, kept, runtime }: InboxesDeps): Inboxes {
  const { accounts, inboxes, hold } = store;

  const isOf = (record: InboxRecord, account: string | undefined, caller?: Owned): boolean =>
    (account === undefined || record.account === account) && isSeenBy(record, caller);

  async function list(account: string | undefined, caller?: Owned): Promise<InboxRecord[]> {
    const { records } = await (account === undefined ? inboxes.all() : inboxes.of(account));
    return records.filter((record) => isOf(record, account, caller)).toSorted(byAge);
  }

  async function get(account: string | undefined, id: string, caller?: Owned): Promise<InboxRecord> {
    const bare = inboxId.exec(id)?.[1];
    const record = bare === undefined ? undefined : await inboxes.get(bare);
    if (record !== undefined && isOf(record, account, caller)) return record;
    throw new ToolError(
      "not_found",
      "There is no such inbox. GET /api/inboxes lists those of the account, and so does the GraphQL field inboxes.",
    );
  }

  /** Adds the secret that the scheme needs, generated if it is not given. */
  function withSecret(record: InboxRecord, given: string | undefined): MadeInbox {
    const { secret: before, ...rest } = record;
    if (given !== undefined) {
      checkSecret(record.scheme, given);
      return { record: { ...rest, secret: seal.close(given, record.id) } };
    }
    if (record.scheme === "none") return { record: rest };
    if (before !== undefined) {
      checkSecret(record.scheme, seal.open(before, record.id));
      return { record };
    }
    const secret = createSecret(runtime.random);
    return { record: { ...rest, secret: seal.close(secret, record.id) }, secret };
  }

  /** @throws ToolError invalid_input */
  function alter(record: InboxRecord, { secret, name, body, ...input }: InboxInput): MadeInbox {
    const { name: oldName, body: oldBody, ...rest } = record;
    const newName = name === undefined ? oldName : name;
    const newBody = body === undefined ? oldBody : body;
    const changed: InboxRecord = {
      ...rest,
      ...(defined(input) as Partial<InboxRecord>),
      ...(typeof newName === "string" && { name: newName }),
      ...(typeof newBody === "string" && { body: newBody }),
    };
    if (changed.body !== undefined && hasNoBody(changed.status))
      throw invalidField("status", `An answer of status ${changed.status} has no body; set body to null.`);
    return withSecret(changed, secret);
  }

  async function discard({ id }: InboxRecord): Promise<void> {
    // The record goes first, so that nothing more is received. A sweep removes what a crash in between leaves.
    await inboxes.remove(id.slice(3));
    await (await store.inbox()).remove(id);
  }

  function look(id: string): InboxRecord | undefined | Promise<InboxRecord | undefined> {
    const bare = inboxId.exec(id)?.[1];
    if (bare === undefined) return undefined;
    const record = inboxes.lookup(bare);
    return record instanceof Promise
      ? record.then((found) => ofLiveAccount(bare, found))
      : ofLiveAccount(bare, record);
  }

  function ofLiveAccount(
    bare: string,
    record: InboxRecord | undefined,
  ): InboxRecord | undefined | Promise<InboxRecord | undefined> {
    if (record === undefined) return undefined;
    const account = lookUpOwner(accounts, record, inboxes.readAt(bare));
    const unlessDisabled = (found: typeof account): InboxRecord | undefined =>
      found === undefined || found instanceof Promise || found.disabled ? undefined : record;
    return account instanceof Promise ? account.then(unlessDisabled) : unlessDisabled(account);
  }

  return {
    async create(account, input, caller) {
      await requireOwner(accounts, account, caller);
      return hold(account, async (lease) => {
        const owner = await requireOwner(accounts, account, caller);
        if (owner.plan === "free")
          throw new ToolError(
            "forbidden",
            `The account ${account} is on the free plan; only pro and team accounts have inboxes.`,
          );
        if ((await list(account, belongingTo(owner))).length >= maxPerAccount) {
          throw new ToolError(
            "invalid_input",
            `An account has ${maxPerAccount} inboxes at most. Remove one first: DELETE /api/inboxes/<id>.`,
            { limit: maxPerAccount },
          );
        }
        const made = alter(
          {
            v: recordVersion,
            id: `in_${Buffer.from(runtime.random(16)).toString("hex")}`,
            ...belongingTo(owner),
            scheme: "none",
            onInvalid: "refuse",
            status: 200,
            delayMs: 0,
            createdAt: toInstant(runtime.now()),
          },
          input,
        );
        const { id } = made.record;
        if (!(await inboxes.add(id.slice(3), made.record, lease)))
          throw new Error("an inbox with this id exists");
        return made;
      });
    },
    list,
    get,
    async change(account, id, input, caller) {
      const { id: whole } = await get(account, id, caller);
      let made: MadeInbox | undefined;
      const changed = await inboxes.change(whole.slice(3), (record) => {
        made = alter(record, input);
        return made.record;
      });
      if (changed !== undefined && made !== undefined) return made;
      return { record: await get(account, id, caller) };
    },
    remove: async (account, id, caller) => discard(await get(account, id, caller)),
    look,
    async sweep() {
      const received = await store.inbox();
      // One whose record cannot be read keeps its messages.
      const isKnown = (id: string): Promise<boolean> =>
        inboxes.get(id.slice(3)).then(
          (record) => record !== undefined,
          () => true,
        );
      await received.sweep?.(isKnown, kept);
    },
  };
}

const byAge = (a: InboxRecord, b: InboxRecord): number =>
  a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : 1;
