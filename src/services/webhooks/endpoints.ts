import { ToolError } from "../../catalog/errors.ts";
import { parseDuration, toInstant } from "../../catalog/duration.ts";
import { eventTypes, isEventType } from "../events/types.ts";
import { refused } from "../../catalog/refused.ts";
import { requireAccount } from "../access/require-account.ts";
import type { Seal } from "../storage/seal.ts";
import { type EndpointRecord, recordVersion } from "../storage/records.ts";
import type { Listing, Store } from "../storage/storage.ts";
import { unknownType } from "./check-filters.ts";
import { createEndpointBook, type EndpointBook } from "./endpoint-book.ts";
import { type Guard, parseTarget, TargetError } from "./guard.ts";
import { createSecret } from "./secret.ts";

/** An endpoint with its secret, in the only moment in which that is shown. */
export interface NewSecret {
  record: EndpointRecord;
  secret: string;
  /** What the operator should know of the URL, a sentence. */
  warning?: string;
}

export interface EndpointInput {
  account: string;
  url: string;
  method?: "POST" | "PUT";
  /** Types of events; all where it is not given. */
  events?: readonly string[];
  description?: string;
  retryClientErrors?: boolean;
}

/** Where events are sent to, as the operator manages it. Every refusal is a ToolError: `not_found` or `invalid_input`. */
export interface Endpoints extends EndpointBook {
  add(input: EndpointInput): Promise<NewSecret>;
  /** The oldest first. */
  list(options?: { account?: string }): Promise<Listing<EndpointRecord>>;
  get(id: string): Promise<EndpointRecord>;
  /** For good; what waits for it has failed. */
  remove(id: string): Promise<EndpointRecord>;
  /** Those of an account that is gone, or is made anew. */
  removeAll(account: string): Promise<void>;
  /** What comes meanwhile waits. */
  pause(id: string): Promise<EndpointRecord>;
  /** Also one that was disabled: its failures are forgotten. */
  resume(id: string): Promise<EndpointRecord>;
  /** The new secret at once, the signature of the old one beside it for a day, or `grace`. */
  rotate(id: string, options?: { grace?: string }): Promise<NewSecret>;
}

export interface EndpointsDeps {
  store: Pick<Store, "accounts" | "endpoints" | "deliveries">;
  seal: Seal;
  /** Epoch milliseconds. */
  now(): number;
  random(size: number): Uint8Array;
  /** The same that judges when something is sent. */
  guard: Guard;
}

/** As much as anybody needs, and a bound to what one event becomes. */
const maxPerAccount = 20;
const graceMs = 86_400_000;
/** For a name server. */
const patienceMs = 3000;

export function createEndpoints(deps: EndpointsDeps): Endpoints {
  const { store, seal, now, random, guard } = deps;
  const { endpoints } = store;
  const book = createEndpointBook({ endpoints, now });

  async function get(id: string): Promise<EndpointRecord> {
    const bare = bareId(id);
    const record = bare === undefined ? undefined : await endpoints.get(bare);
    if (record !== undefined) return record;
    // Only an id is repeated: anything else may be a secret on the wrong side of an option.
    const what = bare === undefined ? "such endpoint" : `endpoint ${id}`;
    throw new ToolError("not_found", `There is no ${what}. penknife admin webhooks list shows them all.`);
  }

  /** A name that does not resolve now may do so when there is something to send. */
  async function vet(url: string, pointer: string): Promise<{ href: string; warning?: string }> {
    try {
      const { href } = parseTarget(url);
      // A character may become nine, and what is longer than is sent must not be kept.
      if (await isJudged(guard.vet(href))) return { href };
      const { hostname } = new URL(href);
      const warning = `The name server of ${hostname} does not answer. What the name leads to is judged before something is sent there.`;
      return { href, warning };
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      if (error.code === "name_not_resolved") return { href: new URL(url).href, warning: error.message };
      throw refused(pointer, error.message);
    }
  }

  /** @throws what `alter` throws; not_found where it is gone. */
  async function change(
    id: string,
    alter: (record: EndpointRecord) => EndpointRecord,
  ): Promise<EndpointRecord> {
    const { id: whole } = await get(id);
    return (await book.change(whole, alter)) ?? get(whole);
  }

  async function list({ account }: { account?: string } = {}): Promise<Listing<EndpointRecord>> {
    const { records, damaged } = await endpoints.all();
    const wanted = records.filter((record) => account === undefined || record.account === account);
    return { records: wanted.toSorted(byAge), damaged };
  }

  async function discard({ id }: EndpointRecord): Promise<void> {
    await book.remove(id);
    // Nobody else ends what waits: without a record there is nothing to ask.
    await (await store.deliveries()).fail(id, "The endpoint was removed.");
    // What is known of it would be kept for ever.
    await clear(id);
  }

  /** Its failures are forgotten, and nothing holds it. */
  async function clear(id: string): Promise<void> {
    const queue = await store.deliveries();
    await queue.resetHealth(id);
    await queue.hold(id, 0);
  }

  return {
    ...book,
    async add({ account, url, method = "POST", events = ["*"], description, retryClientErrors = false }) {
      await requireAccount(store.accounts, account);
      // It is shown in lists, and kept as it is.
      if (description !== undefined && /(?:whsec_|svc_[a-z]+_)[0-9A-Za-z+/]{16}/.test(description))
        throw refused(
          "/description",
          "This text has a secret in it, which would be stored in clear. Leave it out.",
        );
      const { href, warning } = await vet(url, "/url");
      const types = checkEvents(events);
      const { records } = await list({ account });
      if (records.length >= maxPerAccount) {
        throw refused(
          "/account",
          `The account ${account} has ${records.length} endpoints, and ${maxPerAccount} is the most. Remove one first: penknife admin webhooks remove, or deleteWebhookEndpoint over GraphQL.`,
        );
      }
      const id = `we_${Buffer.from(random(12)).toString("hex")}`;
      const secret = createSecret(random);
      const record: EndpointRecord = {
        v: recordVersion,
        id,
        account,
        url: href,
        method,
        events: types,
        secret: seal.close(secret, id),
        state: "active",
        retryClientErrors,
        ...(description !== undefined && { description }),
        createdAt: toInstant(now()),
      };
      await book.add(record);
      return { record, secret, ...(warning !== undefined && { warning }) };
    },
    list,
    get,
    async remove(id) {
      const record = await get(id);
      await discard(record);
      return record;
    },
    async removeAll(account) {
      const { records } = await list({ account });
      for (const record of records) await discard(record);
    },
    pause: (id) =>
      change(id, (record) => {
        if (record.state === "disabled")
          throw refused("/id", `The endpoint ${record.id} is disabled already.`);
        return { ...record, state: "paused" };
      }),
    async resume(id) {
      await vet((await get(id)).url, "/id");
      const active = await change(id, ({ disabledReason: _reason, disabledAt: _at, ...record }) => ({
        ...record,
        state: "active",
      }));
      await clear(active.id);
      return active;
    },
    async rotate(id, { grace } = {}) {
      const lasting =
        grace === undefined ? graceMs : /^0[smhdw]?$/.test(grace) ? 0 : parseDuration(grace, "/grace");
      const secret = createSecret(random);
      const record = await change(id, ({ previousSecret: _secret, previousUntil: _until, ...old }) => ({
        ...old,
        secret: seal.close(secret, old.id),
        // As it was kept: one that cannot be opened any more signs nothing, and does no harm.
        ...(lasting > 0 && { previousSecret: old.secret, previousUntil: toInstant(now() + lasting) }),
      }));
      // What waited for a secret that could not be read.
      await (await store.deliveries()).hold(record.id, 0);
      return { record, secret };
    },
  };
}

/** `*` is all of them, and then says so alone. */
function checkEvents(events: readonly string[]): string[] {
  if (events.length === 0)
    throw refused("/events", `Which events? * for all, or of these: ${eventTypes.join(", ")}.`);
  const unknown = events.find((type) => type !== "*" && !isEventType(type));
  if (unknown !== undefined) throw unknownType("/events", unknown, ", and * for all");
  return events.includes("*") ? ["*"] : eventTypes.filter((type) => events.includes(type));
}

/** False where it takes too long. The operator's commands wait for one another: no name may hold up that a key is revoked. */
async function isJudged(judging: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), patienceMs);
  try {
    return await Promise.race([judging.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const byAge = (a: EndpointRecord, b: EndpointRecord): number =>
  a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);

/** Under which the record is kept; undefined for what is no id of an endpoint. */
const bareId = (id: string): string | undefined => /^we_([0-9a-f]{24})$/.exec(id)?.[1];
