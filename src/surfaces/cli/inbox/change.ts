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
  name: { type: "string", valueHint: "LABEL", description: "What the inbox is for" },
  scheme: {
    type: "string",
    valueHint: "none|penknife|github|gitlab|slack|standard-webhooks|stripe",
    description: "Whose signatures are checked; none unless given",
  },
  "secret-file": {
    type: "string",
    valueHint: "FILE",
    description:
      "The signing secret, where the sender has made it; - is standard input. One is made unless given",
  },
  "on-invalid": {
    type: "string",
    valueHint: "refuse|record",
    description: "What is done with a wrong signature: 401, or keep it and say so; refuse unless given",
  },
  status: {
    type: "string",
    valueHint: "N",
    description: "The status that senders are answered with; 200 unless given",
  },
  body: {
    type: "string",
    valueHint: "TEXT",
    description: 'The body that they are answered with; {"received":true,…} unless given',
  },
  "delay-ms": {
    type: "string",
    valueHint: "N",
    description: "How long they wait for it, in milliseconds; 0 unless given",
  },
} as const;

export const create = defineLeaf({
  description: "Make an inbox. The secret that its senders sign with is shown this once.",
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
  description: "Change how an inbox answers, from the next webhook on; what it has received stays.",
  args: { ...idArg, ...fieldArgs, ...remoteArgs, ...jsonArg },
  examples: [
    "penknife inbox set in_0123456789abcdef0123456789abcdef --status 503",
    "penknife inbox set in_0123456789abcdef0123456789abcdef --status 200 --delay-ms 0",
  ],
  async run({ id, ...args }, host) {
    const path = `/api/inboxes/${toInboxId(id)}`;
    const fields = await readFields(args, host);
    if (Object.keys(fields).length === 0)
      throw usageError(
        "Nothing is to be changed: give --status, --body, --delay-ms or another of its options.",
      );
    const remote = await openRemote(args, host);
    await writeInbox(await remote.ask("PATCH", path, { body: fields }), args.json, host);
  },
});

/** A new scheme may bring a new secret, too. */
async function writeInbox(view: unknown, json: boolean | undefined, host: Host): Promise<void> {
  await writeOne(view as object, json, host);
  if (typeof (view as { secret?: unknown }).secret === "string")
    await host.stderr.write("This is the only time the secret is shown: keep it now.\n");
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

/** Whether a name, a scheme or a status is one, the server says; what is no number never gets there. */
async function readFields(args: FieldArgs, host: Host): Promise<Record<string, unknown>> {
  const file = args["secret-file"];
  if (file === "-" && args["key-file"] === "-")
    throw usageError("Standard input holds the secret or the key, not both: give one of them as a file.");
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

/** An editor ends a file with a line end that is none of the secret's. */
async function readSecret(file: string, host: Host): Promise<string> {
  const { bytes, name } = await readDocument(file, host);
  const secret = toText(bytes, "invalid_input", visible(name)).replace(/\r?\n$/, "");
  if (secret === "") throw usageError(`${visible(name)} holds no secret.`);
  return secret;
}

function toNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError(`${flag} takes a whole number.`);
}
