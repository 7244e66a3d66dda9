import { isUtf8 } from "node:buffer";
import { ToolError } from "../../../catalog/errors.ts";
import { invalidField } from "../../../catalog/input.ts";
import type { MadeInbox } from "../../../services/inbox/inboxes.ts";
import { isMessageId } from "../../../services/inbox/read.ts";
import type { InboxService } from "../../../services/inbox/service.ts";
import { parseInboxInput } from "../../../services/inbox/input.ts";
import type { InboxStats, Message } from "../../../storage/inbox/inbox-store.ts";
import { type InboxRecord, inboxSchemes } from "../../../storage/records.ts";
import type { GraphqlContext } from "../context.ts";
import { lookUpOnce } from "../look-up.ts";
import { lazy } from "../../../lib/lazy.ts";
import { accountOf, accountOrAll, trace } from "../scope.ts";
import { given } from "./given.ts";
import { maxMessages, typeDefs } from "./inboxes-sdl.ts";
import { requireKnown, sizeOf } from "./own.ts";
import type { Part, Resolver } from "./part.ts";
import { inTurn } from "./turns.ts";

/** Inboxes; as over REST, keys may use them too. */
export const inboxes: Part = {
  typeDefs,
  enums: {
    InboxScheme: inboxSchemes,
    InvalidSignature: ["refuse", "record"],
    SignatureState: ["valid", "invalid", "unchecked"],
  },
  resolvers: {
    Query: {
      async inboxes(_, { account }: { account?: string | null }, context) {
        const whose = accountOrAll(context, account);
        const service = await openInboxes(context);
        await requireKnown(context, whose);
        const records = await lookUpOnce(context, ["inboxes", whose], () =>
          service.inboxes.list(whose, context.principal),
        );
        return records.map((record) => toInbox(context, service, record));
      },
      async inbox(_, { id }: { id: string }, context) {
        const { service, record } = await findInbox(context, id);
        return toInbox(context, service, record);
      },
    },
    Mutation: {
      async createInbox(_, { input: { account, ...input } }: { input: CreateInput }, context) {
        const whose = accountOf(context, account);
        const service = await openInboxes(context);
        await requireKnown(context, whose);
        const settings = parseInboxInput(given(input));
        const made = await trace(context, "inboxes.create", { account: whose }, async () => {
          const { record, ...more } = await service.inboxes.create(whose, settings, context.principal);
          return { ...more, record, id: record.id };
        });
        return toNewInbox(context, service, made);
      },
      async updateInbox(_, { id, input }: { id: string; input: object }, context) {
        const { service, record } = await findInbox(context, id);
        // Validation accepts plain objects only, and GraphQL's have no prototype.
        const settings = parseInboxInput({ ...input });
        const change = () => service.inboxes.change(record.account, record.id, settings, context.principal);
        return toNewInbox(context, service, await trace(context, "inboxes.change", aboutOf(record), change));
      },
      async deleteInbox(_, { id }: { id: string }, context) {
        const { service, record } = await findInbox(context, id);
        const stats = await service.reader.stats(record.id);
        await trace(context, "inboxes.remove", aboutOf(record), () =>
          service.inboxes.remove(record.account, record.id, context.principal),
        );
        return toInbox(context, service, record, stats);
      },
    },
    Inbox: {
      messageCount: ofStats(({ messages }) => messages),
      duplicateCount: ofStats(({ duplicates }) => duplicates),
      newestAt: ofStats(({ newestAt }) => newestAt),
      newestId: ofStats(({ newestId }) => newestId),
      messages: ({ service, id }: Inbox, args: PageArgs, context) => readPage(context, service, id, args),
      async message({ service, id }: Inbox, args: { id: string }, context) {
        if (!isMessageId(args.id)) throw new ToolError("not_found", "There is no such message.");
        const message = await service.reader.get(id, args.id);
        context.takeResult(message.body.length);
        return message;
      },
    },
    InboxMessage: {
      headers: ({ headers }: Message) => headers.map(([name, value]) => ({ name, value })),
      bytes: ({ body }: Message) => body.length,
      body: ({ body }: Message) => (isUtf8(body) ? bufferOf(body).toString() : null),
      bodyBase64: ({ body }: Message) => bufferOf(body).toString("base64"),
    },
  },
};

interface CreateInput {
  account?: string | null;
}

interface PageArgs {
  first: number;
  after?: string | null;
  type?: string | null;
}

const aboutOf = ({ account, id }: InboxRecord): { account: string; id: string } => ({ account, id });

type Inbox = InboxRecord & { url: string; service: InboxService; stats(): Promise<InboxStats> };

/** @throws ToolError not_found if inboxes are disabled. */
async function openInboxes({ deps: { inbox } }: GraphqlContext): Promise<InboxService> {
  if (inbox !== undefined) return inbox.open();
  throw new ToolError("not_found", "Inboxes are disabled: inbox.enabled is false.");
}

/** @throws ToolError missing_key; not_found, also for other accounts' inboxes. */
export async function findInbox(
  context: GraphqlContext,
  id: string,
): Promise<{ service: InboxService; record: InboxRecord }> {
  const whose = accountOrAll(context);
  const service = await openInboxes(context);
  return { service, record: await service.inboxes.get(whose, id, context.principal) };
}

/** Omits the secret of an inbox, which is no field. */
function toInbox(
  { baseUrl }: GraphqlContext,
  service: InboxService,
  { secret: _secret, ...record }: InboxRecord,
  stats?: InboxStats,
): Inbox {
  const { id } = record;
  const load = lazy(async () => stats ?? service.reader.stats(id));
  return { ...record, url: `${baseUrl}/inbox/${id}`, service, stats: load };
}

const toNewInbox = (
  context: GraphqlContext,
  service: InboxService,
  { record, secret }: MadeInbox,
): object => ({ secret: secret ?? null, inbox: toInbox(context, service, record) });

function ofStats(read: (stats: InboxStats) => unknown): Resolver {
  return async ({ stats }: Inbox) => read(await stats());
}

/** Reads pages one after another: each has up to a megabyte of bodies, and a document can request hundreds. */
async function readPage(
  context: GraphqlContext,
  { reader }: InboxService,
  inbox: string,
  { first, after, type }: PageArgs,
): Promise<object> {
  const limit = sizeOf(first, maxMessages);
  const query = {
    limit,
    ...(after != null && { after: messageId(after) }),
    ...(type != null && { type }),
  };
  const page = await inTurn(context, false, async () => {
    const read = await reader.page(inbox, query);
    context.takeResult(read.messages.reduce((bytes, { body }) => bytes + body.length, 0));
    return read;
  });
  const endCursor = page.messages.at(-1)?.id ?? null;
  return { nodes: page.messages, pageInfo: { hasNextPage: page.more, endCursor } };
}

/** @throws ToolError invalid_input */
export function messageId(text: string): string {
  if (isMessageId(text)) return text;
  throw invalidField("after", "Must be the id of a message, such as msg_01890a5d-….");
}

const bufferOf = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength);
