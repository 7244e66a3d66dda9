import type { KeyView } from "../../../services/access/key-view.ts";
import type { IssuedView, ListView } from "../../../services/admin/admin.ts";
import { defineGroup, defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { keyShape, writeList, writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";
import { readId } from "./read-id.ts";

const id = {
  id: {
    type: "positional",
    required: true,
    description: "The id (key_…) or the key itself; - reads it from standard input",
  },
} as const;
const expires = {
  type: "string",
  valueHint: "WHEN",
  description: "A duration such as 90d or an instant such as 2027-01-31T00:00:00Z",
} as const;
const reason = { type: "string", valueHint: "TEXT", description: "A reason, stored with the key" } as const;

export const keysCommand = defineGroup({
  description: "Issue, rotate, check and revoke keys.",
  commands: {
    issue: () => issue,
    list: () => list,
    show: () => show,
    rotate: () => rotate,
    revoke: () => revoke,
    check: () => check,
  },
  examples: [
    "penknife admin keys issue --account ci --name gitlab --expires 90d",
    "penknife admin keys check - < key.txt",
    "penknife admin keys rotate key_0123456789abcdef0123 --grace 24h",
    "penknife admin keys revoke --all --account ci --reason 'leaked in a log'",
  ],
});

const issue = defineLeaf({
  description: "Issue a key. It is printed once, alone on standard output, and not stored.",
  args: {
    account: {
      type: "string",
      valueHint: "NAME",
      required: true,
      description: "The account, which must be pro or team",
    },
    name: { type: "string", valueHint: "LABEL", description: "A label for the key" },
    expires,
    ...jsonArg,
  },
  async run({ account, name, expires: end, ...args }, host) {
    const fields = {
      account,
      ...(name !== undefined && { name }),
      ...(end !== undefined && { expires: end }),
    };
    await writeIssued(await callAdmin<IssuedView>("keys.issue", fields, args, host), args.json, host);
  },
});

const list = defineLeaf({
  description: "List keys, oldest first, including revoked and expired ones.",
  args: {
    account: { type: "string", valueHint: "NAME", description: "Only keys of this account" },
    ...jsonArg,
  },
  async run({ account, ...args }, host) {
    const fields = account === undefined ? {} : { account };
    const view = await callAdmin<ListView<KeyView>>("keys.list", fields, args, host);
    return writeList(view, keyShape, args.json, host);
  },
});

const show = defineLeaf({
  description: "Show the record of a key.",
  args: { ...id, ...jsonArg },
  async run(args, host) {
    const view = await callAdmin<KeyView>("keys.show", { id: await readId(args.id, host) }, args, host);
    await writeOne(view, args.json, host);
  },
});

const rotate = defineLeaf({
  description: "Replace a key with a new one. The old one stops at once, or after --grace.",
  args: {
    ...id,
    grace: { type: "string", valueHint: "TIME", description: "How long both keys work, such as 24h" },
    expires,
    ...jsonArg,
  },
  async run({ grace, expires: end, ...args }, host) {
    const fields = { ...(grace !== undefined && { grace }), ...(end !== undefined && { expires: end }) };
    const key = await readId(args.id, host);
    await writeIssued(
      await callAdmin<IssuedView>("keys.rotate", { id: key, ...fields }, args, host),
      args.json,
      host,
    );
  },
});

const revoke = defineLeaf({
  description:
    "Revoke a key permanently, or with --all every key of an account, at once on a running server.",
  args: {
    id: { ...id.id, required: false },
    all: { type: "boolean", description: "Revoke every active key of --account" },
    account: { type: "string", valueHint: "NAME", description: "The account of --all" },
    reason,
    ...jsonArg,
  },
  async run({ all, account, reason: why, ...args }, host) {
    const fields = why === undefined ? {} : { reason: why };
    if (all === true) {
      if (account === undefined || args.id !== undefined) {
        throw usageError("--all needs --account NAME and takes no id: keys revoke --all --account NAME");
      }
      const view = await callAdmin<ListView<KeyView>>("keys.revokeAll", { account, ...fields }, args, host);
      const status = await writeList(view, keyShape, args.json, host);
      const number = view.items.length === 1 ? "1 key" : `${view.items.length} keys`;
      await host.stderr.write(`${number} of ${visible(account)} revoked\n`);
      return status;
    }
    if (args.id === undefined || account !== undefined) {
      throw usageError(
        "No key is named. Use keys revoke ID, or keys revoke --all --account NAME for every key.",
      );
    }
    const key = await readId(args.id, host);
    await writeOne(
      await callAdmin<KeyView>("keys.revoke", { id: key, ...fields }, args, host),
      args.json,
      host,
    );
    return 0;
  },
});

const check = defineLeaf({
  description: "Check whether a key is accepted now; exit status 1 if it is not.",
  args: {
    key: {
      type: "positional",
      required: true,
      description: "The key or its id; - reads it from standard input, to keep it out of the shell history",
    },
    ...jsonArg,
  },
  examples: ["penknife admin keys check - < key.txt"],
  async run(args, host) {
    const key = await readId(args.key, host);
    const view = await callAdmin<{ valid: boolean; code?: string; key?: KeyView }>(
      "keys.check",
      { key },
      args,
      host,
    );
    if (args.json === true) await writeJson(host, view);
    else
      await writeOne({ valid: view.valid, ...(view.code && { code: view.code }), ...view.key }, false, host);
    return view.valid ? 0 : 1;
  },
});

async function writeIssued(view: IssuedView, json: boolean | undefined, host: Host): Promise<void> {
  if (json === true) return writeJson(host, view);
  await host.stdout.write(`${view.key}\n`);
  const end = view.expiresAt === null ? "does not expire" : `expires ${view.expiresAt}`;
  await host.stderr.write(`${view.id} of ${view.account}, ${end}. It is not shown again: store it now.\n`);
}
