import type { ListView } from "../../../services/admin/admin.ts";
import type { EndpointDetailView, EndpointView, NewSecretView } from "../../../services/webhooks/views.ts";
import { type Command, defineGroup, defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { type Shape, writeList, writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";

const id = {
  id: { type: "positional", required: true, description: "The endpoint (we_…)" },
} as const;

export const webhooksCommand = defineGroup({
  description: "Manage the webhook endpoints of accounts, and inspect deliveries.",
  commands: {
    add: () => add,
    list: () => list,
    show: () => show,
    remove: () => one("webhooks.remove", "Remove an endpoint permanently. Its waiting deliveries fail."),
    pause: () => one("webhooks.pause", "Pause an endpoint. Its deliveries wait until it is resumed."),
    resume: () =>
      one("webhooks.resume", "Resume an endpoint that is paused, or that was disabled after failures."),
    rotate: () => rotate,
    test: async () => (await import("./webhooks-test.ts")).testCommand,
    deliveries: async () => (await import("./webhooks-deliveries.ts")).deliveriesCommand,
    redeliver: async () => (await import("./webhooks-deliveries.ts")).redeliverCommand,
    recover: async () => (await import("./webhooks-deliveries.ts")).recoverCommand,
  },
  examples: [
    "penknife admin webhooks add --account ci --events key.expiring,limit.reached https://hooks.example.com/penknife",
    "penknife admin webhooks test we_0123456789abcdef01234567",
    "penknife admin webhooks deliveries --state failed --since 7d",
    "penknife admin webhooks recover we_0123456789abcdef01234567 --since 24h",
  ],
});

const add = defineLeaf({
  description: "Add an endpoint. Its secret is printed once, alone on standard output.",
  args: {
    url: { type: "positional", required: true, description: "The URL to send to: http:// or https://" },
    account: {
      type: "string",
      valueHint: "NAME",
      required: true,
      description: "The account whose events are sent",
    },
    events: {
      type: "string",
      valueHint: "TYPES",
      description: "Event types separated by commas, such as key.expiring,limit.reached (default all)",
    },
    put: { type: "boolean", description: "Send with PUT instead of POST" },
    "retry-client-errors": {
      type: "boolean",
      description: "Retry after a 4xx response, which otherwise ends a delivery",
    },
    description: { type: "string", valueHint: "TEXT", description: "A note about the endpoint" },
    ...jsonArg,
  },
  async run({ account, url, events, put, description, ...args }, host) {
    const fields = {
      account,
      url,
      ...(events !== undefined && { events: toTypes(events) }),
      ...(put === true && { method: "PUT" as const }),
      ...(args["retry-client-errors"] === true && { retryClientErrors: true }),
      ...(description !== undefined && { description }),
    };
    await writeSecret(await callAdmin<NewSecretView>("webhooks.add", fields, args, host), args.json, host);
  },
});

const list = defineLeaf({
  description: "List endpoints, oldest first. Secrets are masked.",
  args: {
    account: { type: "string", valueHint: "NAME", description: "Only endpoints of this account" },
    ...jsonArg,
  },
  async run({ account, ...args }, host) {
    const fields = account === undefined ? {} : { account };
    const view = await callAdmin<ListView<EndpointView>>("webhooks.list", fields, args, host);
    return writeList(view, endpointShape, args.json, host);
  },
});

const show = defineLeaf({
  description: "Show an endpoint and its health. The secret is masked; to replace a lost one, use rotate.",
  args: { ...id, ...jsonArg },
  async run(args, host) {
    const view = await callAdmin<EndpointDetailView>("webhooks.show", { id: args.id }, args, host);
    await writeOne(args.json === true ? view : flat(view), args.json, host);
  },
});

const rotate = defineLeaf({
  description:
    "Give an endpoint a new secret, printed once, alone on standard output. For 24 hours both secrets sign.",
  args: {
    ...id,
    grace: {
      type: "string",
      valueHint: "TIME",
      description: "How long both secrets sign, such as 7d; 0 ends the old one now",
    },
    ...jsonArg,
  },
  async run({ grace, ...args }, host) {
    const fields = { id: args.id, ...(grace !== undefined && { grace }) };
    await writeSecret(await callAdmin<NewSecretView>("webhooks.rotate", fields, args, host), args.json, host);
  },
});

const endpointShape: Shape<EndpointView> = {
  headings: ["ENDPOINT", "ACCOUNT", "STATE", "METHOD", "URL", "EVENTS", "SECRET", "CREATED"],
  toRow: ({ id: name, account, state, disabledReason, method, url, events, secret, createdAt }) => [
    name,
    account,
    disabledReason === null ? state : `${state} (${disabledReason})`,
    method,
    url,
    events.join(","),
    secret ?? "unreadable",
    createdAt,
  ],
};

function one(
  operation: "webhooks.remove" | "webhooks.pause" | "webhooks.resume",
  description: string,
): Command {
  return defineLeaf({
    description,
    args: { ...id, ...jsonArg },
    async run(args, host) {
      const view = await callAdmin<EndpointView>(operation, { id: args.id }, args, host);
      await writeOne(args.json === true ? view : flat(view), args.json, host);
    },
  });
}

async function writeSecret(view: NewSecretView, json: boolean | undefined, host: Host): Promise<void> {
  if (view.warning !== undefined) await host.stderr.write(`penknife: ${visible(view.warning)}\n`);
  if (json === true) return writeJson(host, view);
  await host.stdout.write(`${view.secret}\n`);
  const end = view.previousUntil === null ? "" : `, beside the old one until ${view.previousUntil}`;
  await host.stderr.write(
    `${view.id} of ${view.account} signs with it${end}. It is not shown again: store it now.\n`,
  );
}

const flat = (view: EndpointView): object => ({
  ...view,
  events: view.events.join(","),
  secret: view.secret ?? "unreadable: see storage.encryptionKey",
});

function toTypes(text: string): string[] {
  const types = text.split(",").map((type) => type.trim());
  if (types.includes(""))
    throw usageError("--events must be types separated by commas, such as key.issued,key.revoked.");
  return types;
}
