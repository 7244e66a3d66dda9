import { isLoopback } from "../../lib/loopback.ts";
import type { Config } from "../../options.ts";
import { usageError } from "./usage-error.ts";

/** The URL of the server on its own machine; a wildcard address becomes the loopback address. */
export function toUrl({ host, port, basePath, tlsCert }: Config["server"], path: string): string {
  const address = toOwnAddress(host);
  const authority = address.includes(":") ? `[${address}]` : address;
  return `${tlsCert === "" ? "http" : "https"}://${authority}:${port}${basePath}${path}`;
}

/** The same for a URL that a server listens on. */
export function toOwnUrl(text: string): string {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const address = toOwnAddress(host);
  if (address !== host) url.hostname = address.includes(":") ? `[${address}]` : address;
  return url.href.replace(/\/+$/, "");
}

const toOwnAddress = (host: string): string =>
  host === "0.0.0.0" || host === "" ? "127.0.0.1" : host === "::" ? "::1" : host;

/** The option of every command that sends a key to a server. */
export const insecureArg = {
  insecure: {
    type: "boolean",
    description: "Send the key over plain HTTP to another machine, where everybody on the way can read it",
  },
} as const;

/**
 * Keys go to https and to this machine.
 * @throws ToolError if a key would cross a network in the clear, and nobody has asked for that.
 */
export function refuseOpenNetwork(url: string, insecure: boolean | undefined): void {
  const { protocol, hostname, origin } = new URL(url);
  // Names below localhost are a matter of DNS on some systems.
  const isHere = isLoopback(hostname) && !hostname.endsWith(".localhost");
  if (protocol === "https:" || isHere || insecure === true) return;
  throw usageError(
    `${origin} is another machine, and everybody on the way can read what plain HTTP carries, here a key. Use https, or send it nevertheless with --insecure.`,
  );
}
