import type { LoginView } from "../../../services/access/sessions/operations.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import { writeJson } from "../json.ts";
import { loadSettings } from "../load-settings.ts";
import { visible } from "../visible.ts";
import { callAdmin } from "./connect.ts";

export const loginCommand = defineLeaf({
  description:
    "Print a one-time code for a settings session, valid for ten minutes. It is alone on standard output and not stored.",
  args: {
    account: {
      type: "string",
      valueHint: "NAME",
      description: "Start a session of this account; without it, of the operator, who sees every account",
    },
    ...jsonArg,
  },
  examples: ["penknife admin login --account ci", "penknife admin login"],
  async run({ account, ...args }, host) {
    const fields = account === undefined ? {} : { account };
    const view = await callAdmin<LoginView>("login", fields, args, host);
    if (args.json === true) return writeJson(host, view);
    await host.stdout.write(`${view.code}\n`);
    const whose = view.account === null ? "the operator, who sees every account" : visible(view.account);
    await host.stderr.write(
      `Valid once, until ${view.expiresAt}, for a session of ${whose}. Exchange it at /graphql:\n` +
        `  mutation { signIn(code: "…") { token } }\n` +
        `and send the token, valid for 8 hours: Authorization: Bearer svc_sess_…\n`,
    );
    const { config, origins } = await loadSettings(args, host);
    if (config.graphql.enabled) return;
    await host.stderr.write(
      `penknife: a server with this configuration accepts no codes: graphql.enabled is false (${visible(String(origins.get("graphql.enabled")))}).\n`,
    );
  },
});
