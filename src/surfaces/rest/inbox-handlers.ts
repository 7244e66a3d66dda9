import type { Principal } from "../../catalog/principal.ts";
import { parseEnvelope } from "../../catalog/envelope.ts";
import { ToolError } from "../../catalog/errors.ts";
import { defined } from "../../lib/defined.ts";
import { isObject } from "../../lib/is-object.ts";
import { isMessageId, type MessageQuery } from "../../services/inbox/read.ts";
import type { InboxService } from "../../services/inbox/service.ts";
import { parseInboxInput } from "../../services/inbox/input.ts";
import type { InboxRecord } from "../../storage/records.ts";
import { prefer } from "../http/accept.ts";
import { hasBody } from "../http/body.ts";
import type { InboxAccess } from "../../services/inbox/access.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { originOf } from "../http/origin.ts";
import { kindOf } from "./call-parts.ts";
import { createReceive } from "./inbox-receive.ts";
import { createStreams } from "./inbox-stream.ts";
import { createTurns } from "./inbox-turns.ts";
import { toInboxView, toItems, toMessageView } from "../../services/inbox/view.ts";
import { fromString, invalidField, unknownField } from "../../catalog/input.ts";
import { mustBeWithin } from "../../lib/must.ts";
import { parseQuery } from "../http/query.ts";

type PageQuery = ReturnType<typeof parseMessageQuery>;

export interface InboxHandlers {
  /** `POST /inbox/<id>` */
  receive: Handler;
  list: Handler;
  create: Handler;
  show: Handler;
  change: Handler;
  remove: Handler;
  messages: Handler;
  message: Handler;
  body: Handler;
}

const json = "application/json";
const fresh = ["Cache-Control", "no-store"];
const forms = [
  [json, "json"],
  ["text/event-stream", "stream"],
] as const;

/** Most pages made at a time. */
const maxPages = { all: 4, account: 2 };

/** Most bytes of an inbox's settings. */
const settingsBody = { bytes: 65_536 };

export async function createInboxHandlers(
  http: Http,
  deps: Pick<HttpDeps, "authenticate" | "runtime" | "options">,
  access: Pick<InboxAccess, "open" | "maxBytes">,
): Promise<InboxHandlers> {
  const service = await access.open();
  const { inboxes, reader } = service;
  const { admit, body, reply } = http;
  const { basePath, inlineBytes } = deps.options;
  const streams = createStreams(http, deps, service);
  const turns = createTurns(maxPages);

  /** Authenticates and counts the call. @throws ToolError missing_key, forbidden, and the errors of counting. */
  async function callerOf(exchange: Exchange): Promise<Principal & { account: string }> {
    const { principal } = await admit(exchange);
    const { account } = principal;
    if (account !== undefined) return { ...principal, account };
    if (principal.operator === true) {
      throw new ToolError(
        "forbidden",
        "An operator's session has no account. Send a key or a session of the account, or use /graphql.",
      );
    }
    throw new ToolError(
      "missing_key",
      "Inboxes belong to accounts: send Authorization: Bearer svc_live_… with a key of your account.",
    );
  }

  /** @throws ToolError not_found, also for other accounts' inboxes. */
  async function inboxOf(exchange: Exchange): Promise<InboxRecord> {
    const caller = await callerOf(exchange);
    return inboxes.get(caller.account, idOf(exchange), caller);
  }

  async function viewOf(exchange: Exchange, record: InboxRecord): Promise<object> {
    return toInboxView(record, `${originOf(exchange)}${basePath}/inbox/${record.id}`, await statsOf(record));
  }

  const statsOf = ({ id }: InboxRecord): ReturnType<InboxService["reader"]["stats"]> => reader.stats(id);

  async function readInput(exchange: Exchange): Promise<ReturnType<typeof parseInboxInput>> {
    if (!hasBody(exchange)) return {};
    if (kindOf(exchange) !== "json") {
      throw new ToolError("unsupported_media_type", 'Send application/json: {"scheme": "github"}.');
    }
    const raw = parseEnvelope(await body.read(exchange, inlineBytes, settingsBody));
    if (isObject(raw)) return parseInboxInput(raw);
    const message = 'The body must be an object, such as {"scheme": "github"}.';
    throw new ToolError("invalid_input", message, { errors: [{ message, pointer: "" }] });
  }

  function messageOf({ params }: Exchange): string {
    const id = params?.["message"] ?? "";
    if (isMessageId(id)) return id;
    throw new ToolError("not_found", "There is no such message.");
  }

  const send = (exchange: Exchange, status: number, value: unknown): void | Promise<void> =>
    sendText(exchange, status, JSON.stringify(value));

  const sendText = (exchange: Exchange, status: number, text: string): void | Promise<void> =>
    reply.sendCompressed(exchange, status, json, `${text}\n`, fresh);

  async function sendPage(exchange: Exchange, { id, account }: InboxRecord, query: PageQuery): Promise<void> {
    const turn = turns.ask(account);
    try {
      await turn.come;
      const { messages, more } = await reader.page(id, query);
      await sendText(exchange, 200, `{"items":[${await toItems(messages)}],"more":${more}}`);
    } finally {
      turn.leave();
    }
  }

  return {
    receive: createReceive(http, deps, service, { bytes: access.maxBytes, option: "inbox.maxBytes" }),

    async list(exchange) {
      const caller = await callerOf(exchange);
      const records = await inboxes.list(caller.account, caller);
      const items: object[] = [];
      for (const record of records) items.push(await viewOf(exchange, record));
      await send(exchange, 200, { items });
    },

    async create(exchange) {
      const caller = await callerOf(exchange);
      const { record, secret } = await inboxes.create(caller.account, await readInput(exchange), caller);
      await send(exchange, 201, { ...(await viewOf(exchange, record)), secret: secret ?? null });
    },

    async show(exchange) {
      await send(exchange, 200, await viewOf(exchange, await inboxOf(exchange)));
    },

    async change(exchange) {
      const caller = await callerOf(exchange);
      const { id } = await inboxes.get(caller.account, idOf(exchange), caller);
      const { record, secret } = await inboxes.change(caller.account, id, await readInput(exchange), caller);
      const view = await viewOf(exchange, record);
      await send(exchange, 200, secret === undefined ? view : { ...view, secret });
    },

    async remove(exchange) {
      const caller = await callerOf(exchange);
      await inboxes.remove(caller.account, idOf(exchange), caller);
      reply.sendEmpty(exchange, 204);
    },

    async messages(exchange) {
      const inbox = await inboxOf(exchange);
      const query = parseMessageQuery(exchange.query);
      const { accept = "*/*" } = exchange.req.headers;
      const form = prefer(accept, forms);
      if (form === undefined)
        throw new ToolError("not_acceptable", "Accept must allow application/json or text/event-stream.");
      if (form === "stream" && exchange.req.method === "GET") return streams.run(exchange, inbox.id, query);
      await sendPage(exchange, inbox, query);
    },

    async message(exchange) {
      const { id } = await inboxOf(exchange);
      await send(exchange, 200, toMessageView(await reader.get(id, messageOf(exchange))));
    },

    async body(exchange) {
      const { id } = await inboxOf(exchange);
      const message = await reader.get(id, messageOf(exchange));
      // Whatever type its sender declared, the body must not become a page of this server.
      const headers = [...fresh, "Content-Disposition", `attachment; filename="${message.id}"`];
      reply.send(exchange, 200, "application/octet-stream", new Uint8Array(message.body), headers);
    },
  };
}

const idOf = ({ params }: Exchange): string => params?.["id"] ?? "";

const names = ["after", "limit", "type"] as const;

const limits = { usual: 100, max: 500 };

/** Parses the query of a list of messages. @throws ToolError invalid_input, unknown_field. */
function parseMessageQuery(query: string): MessageQuery & { limit: number } {
  const given = new Map<string, string>();
  for (const [name, value] of parseQuery(query)) {
    if (!(names as readonly string[]).includes(name)) throw unknownField(name, names);
    if (given.has(name)) throw invalidField(name, `${name} is given more than once; give it once.`);
    given.set(name, value);
  }
  const after = given.get("after");
  const type = given.get("type");
  if (after !== undefined && after !== "newest" && !isMessageId(after)) {
    throw invalidField("after", "Must be the id of a message, such as msg_01890a5d-…, or newest.");
  }
  if (type === "") throw invalidField("type", "Must be a type such as push; omit it for all types.");
  return { limit: parseLimit(given.get("limit")), ...defined({ after, type }) };
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return limits.usual;
  const limit = fromString({ name: "limit", type: "integer" }, text) as number;
  if (Number.isInteger(limit) && limit >= 1 && limit <= limits.max) return limit;
  throw invalidField("limit", mustBeWithin(1, limits.max, limit));
}
