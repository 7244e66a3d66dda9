import { counted } from "../../../lib/counted.ts";
import { subjectOptions } from "../../../operations/command.ts";
import { keyTable } from "../../../operations/keys/list.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { writeList, writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";
import { readId } from "./read-id.ts";

/** One command for two operations: a key, or with --all those of an account. */
export const revokeCommand = defineLeaf({
  description:
    "Revoke a key permanently, or with --all every key of an account, at once on a running server.",
  args: {
    id: { type: "positional", required: false, description: subjectOptions.key.text },
    all: { type: "boolean", description: "Revoke every active key of --account" },
    account: { type: "string", valueHint: "NAME", description: "The account of --all" },
    reason: { type: "string", valueHint: "TEXT", description: "A reason, stored with the key" },
    ...jsonArg,
  },
  async run({ all, account, reason, ...args }, host) {
    if (all === true) {
      if (account === undefined || args.id !== undefined) {
        throw usageError("--all needs --account NAME and takes no id: keys revoke --all --account NAME");
      }
      const view = await callAdmin("keys.revokeAll", { account, reason }, args, host);
      const status = await writeList(view, keyTable, args.json, host);
      await host.stderr.write(`${counted(view.items.length, "key")} of ${visible(account)} revoked\n`);
      return status;
    }
    if (args.id === undefined || account !== undefined) {
      throw usageError(
        "No key is named. Use keys revoke ID, or keys revoke --all --account NAME for every key.",
      );
    }
    const id = await readId(args.id, host);
    await writeOne(await callAdmin("keys.revoke", { id, reason }, args, host), args.json, host);
    return 0;
  },
});
