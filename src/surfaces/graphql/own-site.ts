import { ToolError } from "../../catalog/errors.ts";
import type { Exchange } from "../http/exchange.ts";

/**
 * Refuses a document by GET, which any page can send without a preflight, unless it has one of three headers that a
 * page of another site cannot send.
 * @throws ToolError cross_site
 */
export function requireOwnSite({ req: { headers }, visit }: Pick<Exchange, "req" | "visit">): void {
  if (
    !visit &&
    (headers.authorization !== undefined ||
      headers["sec-fetch-site"] === "same-origin" ||
      headers["graphql-require-preflight"] !== undefined)
  )
    return;
  throw new ToolError(
    "cross_site",
    "GET /graphql runs a document with an Authorization header, with Sec-Fetch-Site: same-origin (which browsers send), or with a header GraphQL-Require-Preflight of any value. Send one of them, or use POST.",
  );
}
