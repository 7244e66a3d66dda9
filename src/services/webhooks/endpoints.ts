import { ToolError } from "../../catalog/errors.ts";
import { parseDuration, toInstant } from "../../catalog/duration.ts";
import { eventTypes, isEventType } from "../events/types.ts";
import { refused } from "../../catalog/refused.ts";
import { belongingTo, isSeenBy, requireOwner } from "../access/incarnation.ts";
import type { Lease } from "../../storage/lease.ts";
import type { Seal } from "../../storage/seal.ts";
import { type EndpointRecord, type Owned, recordVersion } from "../../storage/records.ts";
import type { Listing, Store } from "../../storage/storage.ts";
import { unknownType } from "./check-filters.ts";
import { createEndpointBook, type EndpointBook } from "./endpoint-book.ts";
import { type Guard, parseTarget, TargetError } from "./guard.ts";
import { createSecret } from "./secret.ts";
import type { Runtime } from "../../runtime.ts";

/** An endpoint with its secret, which is shown only now. */
export interface NewSecret {
  record: EndpointRecord;
  secret: string;
  /** A sentence for the operator about the URL. */
  warning?: string;
}

export interface EndpointInput {
  account: string;
  /** Refused if its account is no longer the one of that name. */
  caller?: Owned;
  url: string;
  method?: "POST" | "PUT";
  /** Event types; all if absent. */
  events?: readonly string[];
  description?: string;
  retryClientErrors?: boolean;
}

/** Manages endpoints for the operator. Every refusal is a ToolError: `not_found` or `invalid_input`. */
export interface Endpoints extends EndpointBook {
  add(input: EndpointInput): Promise<NewSecret>;
  /** Oldest first. A caller sees none of another account of its name. */
  list(options?: { account?: string; caller?: Owned }): Promise<Listing<EndpointRecord>>;
  get(id: string): Promise<EndpointRecord>;
  /** Removes an endpoint for good and fails its waiting deliveries. */
  remove(id: string): Promise<EndpointRecord>;
  /** Removes the endpoints of an account that was deleted or is being created anew. */
  removeAll(lease: Lease): Promise<void>;
  /** Events published meanwhile wait. */
  pause(id: string): Promise<EndpointRecord>;
  /** Also enables a disabled endpoint, and resets its failures. */
  resume(id: string): Promise<EndpointRecord>;
  /** Signs with a new secret at once, and with the old one too for a day, or `grace`. */
  rotate(id: string, options?: { grace?: string }): Promise<NewSecret>;
}

export interface EndpointsDeps {
  store: Pick<Store, "accounts" | "endpoints" | "deliveries" | "hold">;
  seal: Seal;
  runtime: Runtime;
  /** The guard that also vets targets when something is sent. */
  guard: Guard;
}

/** Enough for everyone, and a bound on the deliveries of one event. */
const maxPerAccount = 20;
const graceMs = 86_400_000;
/** Longest wait for a name server. */
const patienceMs = 3000;

export function createEndpoints(deps: EndpointsDeps): Endpoints {
  const { store, seal, runtime, guard } = deps;
  const { endpoints } = store;
  const book = createEndpointBook({ endpoints, runtime });

  async function get(id: string): Promise<EndpointRecord> {
    const bare = bareId(id);
    const record = bare === undefined ? undefined : await endpoints.get(bare);
    if (record !== undefined) return record;
    // Only an id is echoed: other text may be a secret pasted into the wrong option.
    const what = bare === undefined ? "such endpoint" : `endpoint ${id}`;
    throw new ToolError("not_found", `There is no ${what}. penknife admin webhooks list shows them all.`);
  }

  /** @throws any error of `alter`; not_found if the endpoint is gone. */
  async function change(
    id: string,
    alter: (record: EndpointRecord) => EndpointRecord,
  ): Promise<EndpointRecord> {
    const { id: whole } = await get(id);
    return (await book.change(whole, alter)) ?? get(whole);
  }

  async function list({ account, caller }: { account?: string; caller?: Owned } = {}): Promise<
    Listing<EndpointRecord>
  > {
    const { records, damaged } = await (account === undefined ? endpoints.all() : endpoints.of(account));
    return { records: records.filter((record) => isSeenBy(record, caller)).toSorted(byAge), damaged };
  }

  async function discard({ id }: EndpointRecord, lease?: Lease): Promise<void> {
    await book.remove(id, lease);
    // Nothing else ends the deliveries of an endpoint without a record.
    await (await store.deliveries()).fail(id, "The endpoint was removed.");
    // Otherwise its state would be kept for ever.
    await clear(id);
  }

  /** Resets the failures of an endpoint and releases it. */
  async function clear(id: string): Promise<void> {
    const queue = await store.deliveries();
    await queue.resetHealth(id);
    await queue.hold(id, 0);
  }

  return {
    ...book,
    async add({
      account,
      caller,
      url,
      method = "POST",
      events = ["*"],
      description,
      retryClientErrors = false,
    }) {
      await requireOwner(store.accounts, account, caller);
      // The description is stored in clear and shown in lists.
      if (description !== undefined && /(?:whsec_|svc_[a-z]+_)[0-9A-Za-z+/]{16}/.test(description))
        throw refused(
          "/description",
          "This text contains a secret, which would be stored in clear. Leave it out.",
        );
      const { href, warning } = await vet(guard, url, "/url");
      const types = checkEvents(events);
      return store.hold(account, async (lease) => {
        const owner = belongingTo(await requireOwner(store.accounts, account, caller));
        const { records } = await list({ account, caller: owner });
        if (records.length >= maxPerAccount) {
          throw refused(
            "/account",
            `The account ${account} has ${records.length} endpoints, the maximum is ${maxPerAccount}. Remove one first: penknife admin webhooks remove, or deleteWebhookEndpoint over GraphQL.`,
          );
        }
        const id = `we_${Buffer.from(runtime.random(12)).toString("hex")}`;
        const secret = createSecret(runtime.random);
        const record: EndpointRecord = {
          v: recordVersion,
          id,
          ...owner,
          url: href,
          method,
          events: types,
          secret: seal.close(secret, id),
          state: "active",
          retryClientErrors,
          ...(description !== undefined && { description }),
          createdAt: toInstant(runtime.now()),
        };
        await book.add(record, lease);
        return { record, secret, ...(warning !== undefined && { warning }) };
      });
    },
    list,
    get,
    async remove(id) {
      const record = await get(id);
      await discard(record);
      return record;
    },
    async removeAll(lease) {
      const { records } = await list({ account: lease.account });
      for (const record of records) await discard(record, lease);
    },
    pause: (id) =>
      change(id, (record) => {
        if (record.state === "disabled")
          throw refused("/id", `The endpoint ${record.id} is disabled already.`);
        return { ...record, state: "paused" };
      }),
    async resume(id) {
      await vet(guard, (await get(id)).url, "/id");
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
      const secret = createSecret(runtime.random);
      const record = await change(id, ({ previousSecret: _secret, previousUntil: _until, ...old }) => ({
        ...old,
        secret: seal.close(secret, old.id),
        // Kept in its stored form: a secret that cannot be opened any more signs nothing and does no harm.
        ...(lasting > 0 && { previousSecret: old.secret, previousUntil: toInstant(runtime.now() + lasting) }),
      }));
      // Releases deliveries that waited for a readable secret.
      await (await store.deliveries()).hold(record.id, 0);
      return { record, secret };
    },
  };
}

/** Accepts a name that does not resolve now: it may resolve when there is something to send. */
async function vet(guard: Guard, url: string, pointer: string): Promise<{ href: string; warning?: string }> {
  try {
    const { href } = parseTarget(url);
    // Encoding turns a character into up to nine, and a URL too long to be sent must not be stored.
    if (await isVetted(guard.vet(href))) return { href };
    const { hostname } = new URL(href);
    const warning = `The name server of ${hostname} does not answer. Its addresses are checked before anything is sent.`;
    return { href, warning };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    if (error.code === "name_not_resolved") return { href: new URL(url).href, warning: error.message };
    throw refused(pointer, error.message);
  }
}

/** `*` stands for all types and must be alone. */
function checkEvents(events: readonly string[]): string[] {
  if (events.length === 0)
    throw refused("/events", `Give * for all events, or some of: ${eventTypes.join(", ")}.`);
  const unknown = events.find((type) => type !== "*" && !isEventType(type));
  if (unknown !== undefined) throw unknownType("/events", unknown, ", and * for all");
  return events.includes("*") ? ["*"] : eventTypes.filter((type) => events.includes(type));
}

/**
 * Returns false if vetting takes too long. The operator's commands run one at a time: no name may delay the revocation
 * of a key.
 */
async function isVetted(vetting: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), patienceMs);
  try {
    return await Promise.race([vetting.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const byAge = (a: EndpointRecord, b: EndpointRecord): number =>
  a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);

/** Returns the record id; undefined for a text that is not an endpoint id. */
const bareId = (id: string): string | undefined => /^we_([0-9a-f]{24})$/.exec(id)?.[1];
