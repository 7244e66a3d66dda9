import type { Exchange } from "./exchange.ts";

/** As the caller addresses this server, such as `https://tools.example.com`. Who lies about it misleads nobody else. */
export function originOf({ req: { headers, socket } }: Pick<Exchange, "req">): string {
  const secure = "encrypted" in socket || headers["x-forwarded-proto"] === "https";
  return `http${secure ? "s" : ""}://${headers.host ?? ""}`;
}
