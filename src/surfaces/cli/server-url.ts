import type { Settings } from "./host.ts";

/** Where the server can be reached from its own machine: an address for every interface is none to call. */
export function toUrl({ host, port, basePath, tlsCert }: Settings["server"], path: string): string {
  const address = host === "0.0.0.0" || host === "" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const authority = address.includes(":") ? `[${address}]` : address;
  return `${tlsCert === "" ? "http" : "https"}://${authority}:${port}${basePath}${path}`;
}
