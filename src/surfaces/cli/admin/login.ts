import { defineLeaf, jsonArg } from "../command.ts";
import { writeJson } from "../json.ts";
import type { Config } from "../../../options.ts";
import { isLoopback } from "../../../lib/loopback.ts";
import { loadOperatorSettings } from "../load-settings.ts";
import { toOwnUrl, toUrl } from "../server-url.ts";
import { usageError } from "../usage-error.ts";
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
    operator: { type: "boolean", description: "Start a session of the operator, as without --account" },
    ...jsonArg,
  },
  examples: ["penknife admin login --account ci", "penknife admin login"],
  async run({ account, operator, ...args }, host) {
    if (operator === true && account !== undefined)
      throw usageError("--operator and --account exclude each other: a session belongs to one of them.");
    const { config, origins } = await loadOperatorSettings(args, host);
    const fields = account === undefined ? {} : { account };
    const view = await callAdmin("login", fields, args, host);
    const page = signInPage(config, await runningAt(config));
    const url = page && `${page}#code=${view.code}`;
    if (args.json === true) return writeJson(host, { ...view, ...(url !== undefined && { url }) });
    await host.stdout.write(`${view.code}\n`);
    const whose = view.account === null ? "the operator, who sees every account" : visible(view.account);
    await host.stderr.write(
      `Valid once, until ${view.expiresAt}, for a session of ${whose}. Exchange it at /graphql:\n` +
        `  mutation { signIn(code: "…") { token } }\n` +
        `and send the token, valid for 8 hours: Authorization: Bearer svc_sess_…\n`,
    );
    // The link only for a person: what scripts write to standard error is often kept, and the link contains the code.
    if (url !== undefined)
      await host.stderr.write(
        host.stdout.isTTY ? `Or open this link in a browser: ${url}\n` : `Or enter it at ${page}\n`,
      );
    if (config.graphql.enabled) return;
    await host.stderr.write(
      `penknife: a server with this configuration accepts no codes: graphql.enabled is false (${visible(String(origins.get("graphql.enabled")))}).\n`,
    );
  },
});

/**
 * Returns the URL of the sign-in page; undefined if browsers cannot sign in, or their URL is not known. Browsers keep a
 * session only over HTTPS and on the server's own machine.
 * @param running The URL of the server that runs on the store; without one, the page is where a server would listen.
 */
function signInPage({ web, server, graphql }: Config, running: string | undefined): string | undefined {
  if (!web.enabled || !graphql.enabled) return undefined;
  if (web.publicUrl !== "") return `${web.publicUrl}/sign-in`;
  if (running === undefined)
    return isLoopback(server.host) && server.port !== 0 ? toUrl(server, "/sign-in") : undefined;
  const { protocol, hostname } = new URL(running);
  return protocol === "https:" || isLoopback(hostname) ? `${running}/sign-in` : undefined;
}

/** Returns the URL at which this machine reaches the server that runs on a store in files; undefined if none answers. */
async function runningAt({ storage }: Config): Promise<string | undefined> {
  if (storage.driver !== "file") return undefined;
  const { findAddress } = await import("../../../operations/client.ts");
  // The code is valid already: whatever keeps the address from being known must not hide it.
  const address = await findAddress(storage.path).catch(() => undefined);
  return address === undefined ? undefined : toOwnUrl(address);
}
