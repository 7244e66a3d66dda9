import { type ErrorCode, ToolError } from "../catalog/errors.ts";
import type { Admin } from "./admin.ts";
import type { Refusals } from "../services/access/refusals.ts";
import type { OutputOf } from "./index.ts";

/** An overlong code is invalid even if its beginning is a valid one. */
const maxCode = 200;

/**
 * Exchanges a code for a session. Anyone may try a code, so a refused one counts as a refused credential, before the
 * audit trail records anything.
 * @throws ToolError for the fault of the code; quota_exceeded for an address with too many refusals.
 */
export async function signIn(
  typed: string,
  { admin, refusals, ip }: { admin: Pick<Admin, "call">; refusals: Refusals; ip: string },
): Promise<OutputOf<"sessions.begin">> {
  const wait = refusals.blocked(ip);
  if (wait !== undefined) throw wait;
  const code = typed.slice(0, maxCode);
  const checked = await admin.call("sessions.check", { code });
  if (!checked.valid) throw refusals.refuse(checked.code, checked.message, ip);
  try {
    const caller = { actor: `code:${checked.id}`, from: ip };
    return await admin.call("sessions.begin", { code }, caller);
  } catch (error) {
    // Another caller used the code first.
    if (error instanceof ToolError && lost.has(error.code))
      throw refusals.refuse(error.code, error.message, ip);
    throw error;
  }
}

const lost: ReadonlySet<ErrorCode> = new Set(["unknown_key", "expired_key", "account_disabled"]);
