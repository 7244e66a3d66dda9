import type { Table } from "../../../operations/command.ts";
import { writeList, writeOne } from "../admin/answer.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { openRemote, remoteArgs } from "./remote.ts";

/** An inbox as the server returns it, without its secret. */
export interface InboxView {
  id: string;
  /** The URL that receives webhooks. */
  url: string;
  name: string | null;
  scheme: string;
  status: number;
  createdAt: string;
  messages: number;
}

export const idArg = {
  id: { type: "positional", required: true, description: "The id of the inbox (in_…)" },
} as const;

/** Validates an id, which becomes part of a URL path. */
export function toInboxId(word: string): string {
  if (/^in_[0-9a-f]{32}$/.test(word)) return word;
  throw usageError(
    `${visible(word.slice(0, 80))} is not an inbox id: expected in_ and 32 hexadecimal digits. Run penknife inbox list to see yours.`,
  );
}

export const list = defineLeaf({
  description: "List the inboxes of the account, oldest first.",
  args: { ...remoteArgs, ...jsonArg },
  async run(args, host) {
    const remote = await openRemote(args, host);
    const view = (await remote.ask("GET", "/api/inboxes")) as { items: InboxView[] };
    return writeList(view, inboxShape, args.json, host);
  },
});

const inboxShape: Table<InboxView> = {
  headings: ["INBOX", "NAME", "SCHEME", "STATUS", "MESSAGES", "CREATED", "URL"],
  toRow: ({ id, name, scheme, status, messages, createdAt, url }) => [
    id,
    name ?? "-",
    scheme,
    String(status),
    String(messages),
    createdAt,
    url,
  ],
};

export const show = defineLeaf({
  description: "Show an inbox, its response and how much it has received.",
  args: { ...idArg, ...remoteArgs, ...jsonArg },
  async run({ id, ...args }, host) {
    const path = `/api/inboxes/${toInboxId(id)}`;
    const remote = await openRemote(args, host);
    await writeOne((await remote.ask("GET", path)) as InboxView, args.json, host);
  },
});

export const remove = defineLeaf({
  description: "Remove an inbox permanently, with its messages.",
  args: { ...idArg, ...remoteArgs },
  async run({ id, ...args }, host) {
    const path = `/api/inboxes/${toInboxId(id)}`;
    const remote = await openRemote(args, host);
    await remote.ask("DELETE", path);
    await host.stderr.write(`${id} removed\n`);
  },
});
