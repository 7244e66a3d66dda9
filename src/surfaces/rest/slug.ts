import type { Exchange } from "../http/exchange.ts";

const prefix = "/api/tools/";

/** What follows `/api/tools/`, decoded: nobody has promised that it is a slug. */
export function slugOf({ path }: Exchange): string {
  const slug = path.endsWith("/") ? path.slice(prefix.length, -1) : path.slice(prefix.length);
  return slug.includes("%") ? decodeURIComponent(slug) : slug;
}
