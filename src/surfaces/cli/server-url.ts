import type { Config } from "../../options.ts";

/** The URL of the server on its own machine; a wildcard address becomes the loopback address. */
export function toUrl({ host, port, basePath, tlsCert }: Config["server"], path: string): string {
  const address = host === "0.0.0.0" || host === "" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const authority = address.includes(":") ? `[${address}]` : address;
  return `${tlsCert === "" ? "http" : "https"}://${authority}:${port}${basePath}${path}`;
}
