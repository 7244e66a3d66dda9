import { parseDuration } from "../../../catalog/duration.ts";
import { defineLeaf } from "../command.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { retryUntil, createConnection } from "./connection.ts";
import { followMessages } from "./follow.ts";
import { idArg, toInboxId } from "./manage.ts";
import { type MessageView, writeMessage } from "./message.ts";
import { newestOf, toMessageId } from "./newest.ts";
import { openRemote, remoteArgs } from "./remote.ts";

/** The longest --timeout, one day. */
const maxMs = 86_400_000;

export const wait = defineLeaf({
  description: "Wait until an inbox has a message and print its body; exit status 1 on timeout.",
  args: {
    ...idArg,
    type: { type: "string", valueHint: "TYPE", description: "Only a message of this type" },
    timeout: {
      type: "string",
      valueHint: "TIME",
      default: "30s",
      description: "How long to wait, such as 30s or 5m",
    },
    after: {
      type: "string",
      valueHint: "MSG",
      description: "Only a message after this one (msg_…); by default, any message that the inbox keeps",
    },
    new: { type: "boolean", description: "Only a message that arrives from now on" },
    json: { type: "boolean", description: "Print the whole message as JSON, with headers and body" },
    ...remoteArgs,
  },
  examples: [
    "penknife inbox wait in_0123456789abcdef0123456789abcdef --type order.paid --timeout 30s",
    "penknife inbox wait in_0123456789abcdef0123456789abcdef --type order.paid | jq -e '.data.total == 4200'",
  ],
  async run({ id, type, timeout, after, new: fresh, ...args }, host) {
    const inbox = toInboxId(id);
    if (fresh === true && after !== undefined) throw usageError("Give --new or --after, not both.");
    const known = after === undefined ? undefined : toMessageId(after);
    const timeoutMs = toTimeout(timeout);
    const remote = await openRemote(args, host);
    const connection = createConnection(remote, host);
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), timeoutMs);
    try {
      const { signal } = end;
      const from =
        fresh === true ? await retryUntil(() => newestOf(remote, inbox, signal), connection, signal) : known;
      const options = { inbox, after: from, type, patient: true, signal, connection };
      const message = await firstOf(followMessages(remote, options), host);
      if (message !== undefined) {
        await writeMessage(message, args.json, host);
        return 0;
      }
    } finally {
      clearTimeout(timer);
      end.abort();
    }
    // The server could not be reached, so it is unknown whether a message arrived.
    if (connection.fault !== undefined) throw connection.fault;
    const what = type === undefined ? "nothing" : `nothing of type ${visible(type)}`;
    await host.stderr.write(`penknife: ${what} arrived within ${timeout}\n`);
    return 1;
  },
});

/** Reads the value of `--timeout`. @throws ToolError that names the option. */
function toTimeout(text: string): number {
  const bare = /^\d{1,5}$/.test(text) ? ` Did you mean --timeout ${text}s?` : "";
  try {
    const ms = parseDuration(text, "");
    if (ms <= maxMs) return ms;
  } catch {
    throw usageError(
      `--timeout must be a number with a unit of s, m or h, such as 30s or 5m, got ${visible(text)}.${bare}`,
    );
  }
  throw usageError(`--timeout must be at most 24h, got ${visible(text)}.`);
}

/** Returns the first message whose signature is not invalid; an inbox may record forged ones. */
async function firstOf(messages: AsyncIterable<MessageView>, host: Host): Promise<MessageView | undefined> {
  for await (const message of messages) {
    if (message.signature !== "invalid") return message;
    await host.stderr.write(`penknife: ${visible(message.id)} has a wrong signature; waiting for another\n`);
  }
  return undefined;
}
