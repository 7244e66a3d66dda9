import { letIn } from "../../services/access/refusals.ts";
import { toCaller } from "../../services/audit/caller.ts";
import type { Exchange } from "../http/exchange.ts";
import { replacedToken } from "../http/session-cookie.ts";
import type { SessionDeps } from "./deps.ts";

/**
 * Ends the session whose cookie a new one replaces: the browser would forget it, and nobody could end it there. It ends
 * after the new one has begun, and whether it can be ended changes nothing for that.
 * @param secure Whether the cookie is the one for HTTPS.
 */
export async function endReplaced(
  { req, ip, requestId }: Exchange,
  secure: boolean,
  { authenticate, admin, log }: Pick<SessionDeps, "authenticate" | "admin" | "log">,
): Promise<void> {
  const token = replacedToken(req, secure);
  if (token === undefined) return;
  try {
    const principal = await authenticate({
      authorization: `Bearer ${token}`,
      authorizationCount: 1,
      xApiKey: false,
      ip: letIn,
    });
    if (principal.sessionId === undefined) return;
    await (await admin()).call("sessions.revoke", { id: principal.sessionId }, toCaller(principal, ip));
  } catch (error) {
    log.event("info", "the session before a sign-in was not ended", {
      requestId,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}
