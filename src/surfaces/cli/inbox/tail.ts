import { defineLeaf } from "../command.ts";
import { toJsonLine } from "../json.ts";
import { createConnection } from "./connection.ts";
import { followMessages } from "./follow.ts";
import { idArg, toInboxId } from "./manage.ts";
import { renderMessage } from "./message.ts";
import { startArgs, toStart } from "./newest.ts";
import { openRemote, remoteArgs } from "./remote.ts";

export const tail = defineLeaf({
  description: "Print each message of an inbox on a line until Ctrl-C, across restarts of the server.",
  args: {
    ...idArg,
    type: { type: "string", valueHint: "TYPE", description: "Only messages of this type" },
    ...startArgs,
    json: { type: "boolean", description: "Print one line of JSON per message, with headers and body" },
    ...remoteArgs,
  },
  examples: [
    "penknife inbox tail in_0123456789abcdef0123456789abcdef",
    "penknife inbox tail in_0123456789abcdef0123456789abcdef --all --json | jq -c .type",
  ],
  async run({ id, type, after, all, ...args }, host) {
    const inbox = toInboxId(id);
    const startAfter = toStart({ after, all }, inbox);
    const remote = await openRemote(args, host);
    const { signal } = new AbortController();
    const connection = createConnection(remote, host);
    for await (const message of followMessages(remote, {
      inbox,
      after: await startAfter(remote),
      type,
      patient: false,
      signal,
      connection,
    })) {
      await host.stdout.write(args.json === true ? toJsonLine(message) : renderMessage(message, host.stdout));
    }
  },
});
