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
    description: "Revoke the keys that still work; without it they are a refusal",
  },
} as const;
const limit = {
  type: "string",
  valueHint: "N",
  description: "Requests an hour, for a team account: 10000 or more",
} as const;

export const accountsCommand = defineGroup({
  description: "Create, list and change accounts: a plan, a quota, keys.",
  commands: {
    create: () => create,
    list: () => list,
    show: () => one("accounts.show", "Show an account."),
    set: () => set,
    disable: () =>
      one("accounts.disable", "Switch an account off: its keys are refused until it is enabled."),
    enable: () => one("accounts.enable", "Switch an account on again."),
    delete: () => remove,
  },
  examples: [
    "penknife admin accounts create ci --plan pro",
    "penknife admin accounts create build-farm --plan team --limit 50000",
    "penknife admin accounts set ci --plan team",
  ],
});

const create = defineLeaf({
  description: "Create an account. Its name is its id and never changes.",
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
      description: "What it may do in an hour",
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
  description: "Change the plan or the limit of an account; seen by a running server at once.",
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
  description: "Delete an account for good.",
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
  throw usageError(`--plan takes pro, team or free, not ${JSON.stringify(text.slice(0, 40))}.`);
}

function toLimit(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usageError("--limit takes a whole number of requests an hour.");
}
