import type { Exchange } from "./exchange.ts";

/**
 * Returns the origin under which the caller addresses this server, such as `https://tools.example.com`. A false Host
 * header only misleads its own sender.
 */
export function originOf({ req: { headers, socket } }: Pick<Exchange, "req">): string {
  const secure = "encrypted" in socket || headers["x-forwarded-proto"] === "https";
  return `http${secure ? "s" : ""}://${headers.host ?? ""}`;
}
