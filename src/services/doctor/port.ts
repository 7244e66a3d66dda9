import { request } from "node:http";
import { request as requestSecurely } from "node:https";
import { createServer } from "node:net";
import { error, type Finding, note, ok } from "./finding.ts";
import type { Config } from "../../options.ts";

const patienceMs = 2000;

/**
 * Checks whether a server listens on the port, or could.
 * @param served Whether a server runs on the store.
 */
export async function checkPort(
  { host, port, basePath, tlsCert }: Config["server"],
  served: boolean,
): Promise<Finding[]> {
  if (port === 0) return [ok("port", "The server takes any free port (server.port 0).")];
  const refusal = await tryListening(host, port);
  if (refusal === undefined && served) return [elsewhere(`No server listens on port ${port} of ${host}`)];
  if (refusal === undefined) return [ok("port", `Port ${port} on ${host} is free.`)];
  switch (refusal) {
    case "EADDRINUSE": {
      const server = await ask(tlsCert !== "", host, port, `${basePath}/healthz`);
      if (server === "penknife") return [ok("port", `penknife answers on port ${port}.`)];
      if (served) return [elsewhere(`The program that answers on port ${port} of ${host} is not penknife`)];
      return [
        error(
          "port",
          `Port ${port} on ${host} is in use by a program that is not penknife.`,
          `Choose another port with server.port or penknife serve --port, or stop that program (ss -ltnp 'sport = :${port}' shows it).`,
        ),
      ];
    }
    case "EACCES":
      return [
        error(
          "port",
          `This user may not use port ${port}.`,
          "Choose one above 1023, or give the server CAP_NET_BIND_SERVICE.",
        ),
      ];
    case "EADDRNOTAVAIL":
      return [
        error(
          "port",
          `${host} is not an address of this machine.`,
          "Set server.host to one of its addresses, or to 0.0.0.0 for all of them.",
        ),
      ];
    default:
      return [
        error(
          "port",
          `Port ${port} on ${host} cannot be used (${refusal}).`,
          "Check server.host and server.port.",
        ),
      ];
  }
}

const elsewhere = (what: string): Finding =>
  note(
    "port",
    `${what}, and a server runs on this store: it was started with another port or address.`,
    "Check that port: penknife doctor --port P --host H, with the values given to penknife serve.",
  );

/** Binds the port for a moment, the only way to find out what prevents it. Returns the error code. */
function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (cause: NodeJS.ErrnoException) => resolve(cause.code ?? cause.message));
    server.listen({ host: host === "" ? undefined : host, port, exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    );
  });
}

/** Sends a request; the shape of the answer distinguishes penknife from other servers. */
function ask(secure: boolean, host: string, port: number, path: string): Promise<"penknife" | "other"> {
  const address = host === "0.0.0.0" || host === "" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return new Promise((resolve) => {
    const asked = (secure ? requestSecurely : request)(
      // The certificate is for the public host name; nothing secret is sent and nothing received is trusted.
      {
        host: address,
        port,
        path,
        headers: { connection: "close" },
        ...(secure && { rejectUnauthorized: false }),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200 && "x-request-id" in response.headers ? "penknife" : "other");
      },
    );
    const timer = setTimeout(() => asked.destroy(new Error("no answer")), patienceMs);
    asked.on("error", () => resolve("other"));
    asked.on("close", () => clearTimeout(timer));
    asked.end();
  });
}
