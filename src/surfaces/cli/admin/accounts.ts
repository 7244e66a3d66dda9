import type { AccountView, AdminArgs, ListView } from "../../../services/admin/admin.ts";
import { type Command, defineGroup, defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import type { SettingsArgs } from "../load-settings.ts";
import { usageError } from "../usage-error.ts";
import { accountShape, writeList, writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";

const name = { name: { type: "positional", required: true, description: "The account" } } as const;
const revokeKeys = {
  "revoke-keys": {
    type: "boolean",
    description: "Revoke active keys too; without it they prevent the change",
  },
} as const;
const limit = {
  type: "string",
  valueHint: "N",
  description: "Requests per hour for a team account, at least 10000",
} as const;

export const accountsCommand = defineGroup({
  description: "Create, list, change and delete accounts.",
  commands: {
    create: () => create,
    list: () => list,
    show: () => one("accounts.show", "Show an account."),
    set: () => set,
    disable: () => one("accounts.disable", "Disable an account: its keys are refused until it is enabled."),
    enable: () => one("accounts.enable", "Enable a disabled account."),
    delete: () => remove,
  },
  examples: [
    "penknife admin accounts create ci --plan pro",
    "penknife admin accounts create build-farm --plan team --limit 50000",
    "penknife admin accounts set ci --plan team",
  ],
});

const create = defineLeaf({
  description: "Create an account. Its name is its id and cannot be changed.",
  args: {
    name: {
      type: "positional",
      required: true,
      description: "1 to 63 lower-case letters, digits and hyphens",
    },
    plan: {
      type: "string",
      valueHint: "pro|team|free",
      required: true,
      description: "The plan, which sets the hourly quota",
    },
    limit,
    ...jsonArg,
  },
  async run(args, host) {
    const view = await callAdmin<AccountView>(
      "accounts.create",
      {
        name: args.name,
        plan: toPlan(args.plan),
        ...(args.limit !== undefined && { limit: toLimit(args.limit) }),
      },
      args,
      host,
    );
    await writeOne(view, args.json, host);
  },
});

const list = defineLeaf({
  description: "List the accounts by name.",
  args: jsonArg,
  async run(args, host) {
    const view = await callAdmin<ListView<AccountView>>("accounts.list", {}, args, host);
    return writeList(view, accountShape, args.json, host);
  },
});

const set = defineLeaf({
  description: "Change the plan or limit of an account, at once on a running server.",
  args: {
    ...name,
    plan: { type: "string", valueHint: "pro|team|free", description: "The new plan" },
    limit,
    ...revokeKeys,
    ...jsonArg,
  },
  run: (args, host) =>
    answer(
      "accounts.set",
      {
        name: args.name,
        ...(args.plan !== undefined && { plan: toPlan(args.plan) }),
        ...(args.limit !== undefined && { limit: toLimit(args.limit) }),
        ...(args["revoke-keys"] === true && { revokeKeys: true }),
      },
      args,
      host,
    ),
});

const remove = defineLeaf({
  description: "Delete an account permanently.",
  args: { ...name, ...revokeKeys, ...jsonArg },
  run: (args, host) =>
    answer(
      "accounts.delete",
      { name: args.name, ...(args["revoke-keys"] === true && { revokeKeys: true }) },
      args,
      host,
    ),
});

function one(
  operation: "accounts.show" | "accounts.disable" | "accounts.enable",
  description: string,
): Command {
  return defineLeaf({
    description,
    args: { ...name, ...jsonArg },
    run: (args, host) => answer(operation, { name: args.name }, args, host),
  });
}

async function answer<
  O extends "accounts.show" | "accounts.disable" | "accounts.enable" | "accounts.set" | "accounts.delete",
>(
  operation: O,
  fields: AdminArgs<O>,
  args: SettingsArgs & { json?: boolean | undefined },
  host: Host,
): Promise<void> {
  await writeOne(await callAdmin<AccountView, O>(operation, fields, args, host), args.json, host);
}

function toPlan(text: string): "free" | "pro" | "team" {
  if (text === "free" || text === "pro" || text === "team") return text;
  throw usageError(`--plan must be pro, team or free, got ${JSON.stringify(text.slice(0, 40))}.`);
}

function toLimit(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usageError("--limit must be a whole number of requests per hour.");
}
