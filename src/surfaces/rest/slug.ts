import type { Exchange } from "../http/exchange.ts";
import { decodePath } from "../http/target.ts";

const prefix = "/api/tools/";

/** Returns the decoded part after `/api/tools/`, which need not be a valid slug. */
export function slugOf({ path }: Exchange): string {
  const slug = path.endsWith("/") ? path.slice(prefix.length, -1) : path.slice(prefix.length);
  return decodePath(slug) ?? slug;
}
