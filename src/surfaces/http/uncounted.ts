import { ToolError } from "../../catalog/errors.ts";
import { bucketOf } from "../../services/access/client-ip.ts";
import { createAddressCounter } from "../../storage/address-counter.ts";
import type { Exchange } from "./exchange.ts";
import { lastOn } from "./last-request.ts";
import type { Runtime } from "../../runtime.ts";

/** Limits the requests that no quota counts: documents, listings, metrics, preflights, 404s and refused credentials. */
export interface Uncounted {
  /**
   * Counts a request by the client's address.
   * @throws ToolError quota_exceeded beyond the limit; its answer closes the connection.
   */
  take(exchange: Pick<Exchange, "ip" | "req" | "res">): void;
}

const addressesWatched = 50_000;

export function createUncounted({
  perMinute,
  ipv6Factor,
  runtime,
}: {
  /** The limit of one address; IPv6 addresses count by /64, and by /56 and /48 with `limits.ipv6Factor`. */
  perMinute: number;
  ipv6Factor: number;
  runtime: Runtime;
}): Uncounted {
  const minutes = createAddressCounter({
    seconds: 60,
    capacity: addressesWatched,
    runtime,
    ipv6Factor,
  });
  return {
    take({ ip, req, res }) {
      const bucket = bucketOf(ip);
      const count = minutes.use(bucket, perMinute);
      if (count === undefined || count.used < perMinute) return void minutes.consume(bucket, 1);
      // Also drops the requests that the client has already sent.
      lastOn(req.socket, res);
      const retryAfter = Math.max(1, Math.ceil((count.resetAt - runtime.now()) / 1000));
      throw new ToolError(
        "quota_exceeded",
        `This address sent more than ${perMinute} requests that no quota counts within a minute (limits.freePerMinute). Try again in ${retryAfter} seconds, and cache documents instead of fetching them each time.`,
        { limit: perMinute, retryAfter },
      );
    },
  };
}
