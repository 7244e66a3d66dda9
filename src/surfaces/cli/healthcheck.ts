import { request } from "node:http";
import { request as requestSecurely } from "node:https";
import { defineLeaf } from "./command.ts";
import { loadSettings } from "./load-settings.ts";
import { toUrl } from "./server-url.ts";
import { usageError } from "./usage-error.ts";

const patienceMs = 3000;

export const healthcheckCommand = defineLeaf({
  description: "Check that the server on this machine is healthy; exit status 0 or 3.",
  args: {
    ready: {
      type: "boolean",
      description: "Check that it can answer calls now (/readyz), not only that it runs",
    },
    host: { type: "string", valueHint: "H", description: "Address of the server (server.host)" },
    port: { type: "string", valueHint: "P", description: "Port of the server (server.port)" },
  },
  async run(args, host) {
    const { config } = await loadSettings(args, host);
    if (config.server.port === 0) {
      throw usageError("The port of the server is unknown (server.port is 0); give it with --port.");
    }
    const url = toUrl(config.server, args.ready === true ? "/readyz" : "/healthz");
    const fault = await ask(url);
    if (fault === undefined) {
      await host.stdout.write("ok\n");
      return 0;
    }
    await host.stderr.write(`penknife: ${url} ${fault}\n`);
    return 3;
  },
});

/** Returns what is wrong; undefined if the server is healthy. Uses node:http because loading `fetch` takes longer than the request. */
function ask(url: string): Promise<string | undefined> {
  const secure = url.startsWith("https:");
  return new Promise((resolve) => {
    const sent = (secure ? requestSecurely : request)(
      url,
      {
        timeout: patienceMs,
        headers: { accept: "application/json", connection: "close" },
        // The certificate names the public host, not this address, and the request carries no secret.
        ...(secure && { rejectUnauthorized: false }),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200 ? undefined : `answered ${response.statusCode}`);
      },
    );
    // Unlike the socket's timeout, this one does not restart with each byte.
    const timer = setTimeout(() => sent.destroy(new Error("did not answer within 3 s")), patienceMs);
    sent.on("timeout", () => sent.destroy(new Error("did not answer within 3 s")));
    sent.on("error", (error) => resolve(error.message));
    sent.on("close", () => clearTimeout(timer));
    sent.end();
  });
}
