import { toText } from "../../../catalog/text.ts";
import { writeOne } from "../admin/answer.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { readDocument } from "../read-document.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { idArg, toInboxId } from "./manage.ts";
import { openRemote, type RemoteArgs, remoteArgs } from "./remote.ts";

const fieldArgs = {
  name: { type: "string", valueHint: "LABEL", description: "A label for the inbox" },
  scheme: {
    type: "string",
    valueHint: "none|penknife|github|gitlab|slack|standard-webhooks|stripe",
    description: "Which signatures to verify (default none)",
  },
  "secret-file": {
    type: "string",
    valueHint: "FILE",
    description:
      "The signing secret, if the sender created it; - is standard input. Otherwise one is generated",
  },
  "on-invalid": {
    type: "string",
    valueHint: "refuse|record",
    description: "On a wrong signature, refuse with 401 or record the message (default refuse)",
  },
  status: {
    type: "string",
    valueHint: "N",
    description: "The response status (default 200)",
  },
  body: {
    type: "string",
    valueHint: "TEXT",
    description: 'The response body (default {"received":true,…})',
  },
  "delay-ms": {
    type: "string",
    valueHint: "N",
    description: "The delay of the response in milliseconds (default 0)",
  },
} as const;

export const create = defineLeaf({
  description: "Create an inbox. Its signing secret is shown only once.",
  args: { ...fieldArgs, ...remoteArgs, ...jsonArg },
  examples: [
    "penknife inbox create --name ci",
    "penknife inbox create --scheme github --json | jq -r '.url, .secret'",
    "penknife inbox create --name flaky --status 503 --delay-ms 4000",
  ],
  async run(args, host) {
    const fields = await readFields(args, host);
    const remote = await openRemote(args, host);
    await writeInbox(await remote.ask("POST", "/api/inboxes", { body: fields }), args.json, host);
  },
});

export const set = defineLeaf({
  description: "Change how an inbox responds from the next webhook on. Its messages are kept.",
  args: { ...idArg, ...fieldArgs, ...remoteArgs, ...jsonArg },
  examples: [
    "penknife inbox set in_0123456789abcdef0123456789abcdef --status 503",
    "penknife inbox set in_0123456789abcdef0123456789abcdef --status 200 --delay-ms 0",
  ],
  async run({ id, ...args }, host) {
    const path = `/api/inboxes/${toInboxId(id)}`;
    const fields = await readFields(args, host);
    if (Object.keys(fields).length === 0)
      throw usageError("There is nothing to change: give --status, --body, --delay-ms or another option.");
    const remote = await openRemote(args, host);
    await writeInbox(await remote.ask("PATCH", path, { body: fields }), args.json, host);
  },
});

/** Prints an inbox. Changing the scheme may create a secret, as creating an inbox does. */
async function writeInbox(view: unknown, json: boolean | undefined, host: Host): Promise<void> {
  await writeOne(view as object, json, host);
  if (typeof (view as { secret?: unknown }).secret === "string")
    await host.stderr.write("The secret is not shown again: store it now.\n");
}

interface FieldArgs extends RemoteArgs {
  name?: string | undefined;
  scheme?: string | undefined;
  "secret-file"?: string | undefined;
  "on-invalid"?: string | undefined;
  status?: string | undefined;
  body?: string | undefined;
  "delay-ms"?: string | undefined;
}

/** Reads the fields of an inbox. The server validates them, except that numbers must be numbers. */
async function readFields(args: FieldArgs, host: Host): Promise<Record<string, unknown>> {
  const file = args["secret-file"];
  if (file === "-" && args["key-file"] === "-")
    throw usageError("Standard input cannot be both the secret and the key: read one of them from a file.");
  const fields = {
    name: args.name,
    scheme: args.scheme,
    secret: file === undefined ? undefined : await readSecret(file, host),
    onInvalid: args["on-invalid"],
    status: toNumber("--status", args.status),
    body: args.body,
    delayMs: toNumber("--delay-ms", args["delay-ms"]),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reads a secret without the final line end that an editor adds. */
async function readSecret(file: string, host: Host): Promise<string> {
  const { bytes, name } = await readDocument(file, host);
  const secret = toText(bytes, "invalid_input", visible(name)).replace(/\r?\n$/, "");
  if (secret === "") throw usageError(`${visible(name)} is empty; a secret is needed.`);
  return secret;
}

function toNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError(`${flag} must be a whole number.`);
}
