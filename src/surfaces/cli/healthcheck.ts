import { request } from "node:http";
import { request as requestSecurely } from "node:https";
import { defineLeaf } from "./command.ts";
import type { Host } from "./host.ts";
import { loadSettings } from "./load-settings.ts";
import { toUrl } from "./server-url.ts";
import { usageError } from "./usage-error.ts";

const patienceMs = 3000;

export const healthcheckCommand = defineLeaf({
  description: "Ask the server on this machine whether it is well; exit status 0 or 3.",
  args: {
    ready: {
      type: "boolean",
      description: "Ask whether it can answer calls now (/readyz), not only whether it lives",
    },
    host: { type: "string", valueHint: "H", description: "Address of the server (server.host)" },
    port: { type: "string", valueHint: "P", description: "Port of the server (server.port)" },
  },
  async run(args, host) {
    const { config } = await loadSettings(args, host);
    if (config.server.port === 0) {
      throw usageError("The port of the server is not known (server.port is 0); give it with --port.");
    }
    const url = toUrl(config.server, args.ready === true ? "/readyz" : "/healthz");
    const fault = await ask(url);
    if (fault === undefined) {
      await host.stdout.write("ok\n");
      return 0;
    }
    await complain(host, `${url} ${fault}`);
    return 3;
  },
});

const complain = ({ stderr }: Host, what: string): Promise<void> => stderr.write(`penknife: ${what}\n`);

/** Undefined where all is well. The `fetch` of the platform would cost more time than the question. */
function ask(url: string): Promise<string | undefined> {
  const secure = url.startsWith("https:");
  return new Promise((resolve) => {
    const asked = (secure ? requestSecurely : request)(
      url,
      {
        timeout: patienceMs,
        headers: { accept: "application/json", connection: "close" },
        // The certificate names the public host, not this address, and nothing secret is said or believed here.
        ...(secure && { rejectUnauthorized: false }),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200 ? undefined : `answered ${response.statusCode}`);
      },
    );
    // The time-out of a socket begins anew with each byte; this one does not.
    const timer = setTimeout(() => asked.destroy(new Error("did not answer in time")), patienceMs);
    asked.on("timeout", () => asked.destroy(new Error("did not answer in time")));
    asked.on("error", (error) => resolve(error.message));
    asked.on("close", () => clearTimeout(timer));
    asked.end();
  });
}
