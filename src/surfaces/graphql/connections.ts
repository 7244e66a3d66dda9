import type { Principal } from "../../catalog/principal.ts";
import { bucketOf } from "../../services/access/client-ip.ts";
import { createSeats, type Seats } from "../http/seats.ts";

/** Of one account, or of one address that has none. */
const own = 64;

/** WebSockets and event streams together: `graphql.maxConnections`, and so many of one owner. */
export const createConnections = (all: number): Seats => createSeats({ all, own, what: "connections" });

/** Whose connection it is. No account can have the name of an address or a session: names have no colon. */
export const ownerOf = ({ kind, account, sessionId }: OwnerPrincipal, ip: string): string =>
  account ?? (kind === "session" && sessionId !== undefined ? `session:${sessionId}` : ownerAt(ip));

/** While nobody has said yet who it is. */
export const ownerAt = (ip: string): string => `ip:${bucketOf(ip)}`;

type OwnerPrincipal = Pick<Principal, "kind" | "account"> & { readonly sessionId?: string };
