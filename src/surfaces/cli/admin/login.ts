import type { LoginView } from "../../../services/access/sessions/operations.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import { writeJson } from "../json.ts";
import { loadSettings } from "../load-settings.ts";
import { visible } from "../visible.ts";
import { callAdmin } from "./connect.ts";

export const loginCommand = defineLeaf({
  description:
    "Print a code that is good for one settings session, for ten minutes: alone on standard output, and kept nowhere.",
  args: {
    account: {
      type: "string",
      valueHint: "NAME",
      description: "Of one account; without it the session is the operator's, who sees every account",
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
      `Good once, until ${view.expiresAt}, for a session of ${whose}. Exchange it at /graphql:\n` +
        `  mutation { signIn(code: "…") { token } }\n` +
        `and send the token, which is good for 8 hours: Authorization: Bearer svc_sess_…\n`,
    );
    const { config, origins } = await loadSettings(args, host);
    if (config.graphql.enabled) return;
    await host.stderr.write(
      `penknife: a server with these settings takes no code: graphql.enabled is false (${visible(String(origins.get("graphql.enabled")))}).\n`,
    );
  },
});
