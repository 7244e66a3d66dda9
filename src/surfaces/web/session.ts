import { ToolError } from "../../catalog/errors.ts";
import type { Principal } from "../../catalog/principal.ts";
import type { SessionView } from "../../operations/sessions/view.ts";
import { toCaller } from "../../services/audit/caller.ts";
import { credentialsOf } from "../http/admission.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { parseMediaType } from "../http/media-type.ts";
import { cookieNameFor, isSecure, toEndedCookie, toSessionCookie } from "../http/session-cookie.ts";
import { crossSite, isOwnPage } from "../http/sites.ts";
import type { SessionDeps } from "./deps.ts";
import { endReplaced } from "./replaced-session.ts";

/** Most bytes of `{"code": "…"}`. */
const maxBody = 1024;

/** The handlers of `/session`. Only pages of this server may call them. */
export interface SessionHandlers {
  /** GET: answers with the session of the cookie. */
  show: Handler;
  /** POST: exchanges a one-time code for the session cookie, whose token no script sees. */
  begin: Handler;
  /** DELETE: ends the session. */
  end: Handler;
}

export function createSessionHandlers(http: Http, deps: SessionDeps): SessionHandlers {
  const { web, authenticate, refusals, admin } = deps;

  async function begin(exchange: Exchange): Promise<void> {
    const { req, ip } = exchange;
    http.uncounted.take(exchange);
    if (!isOwnPage(req)) throw crossSite();
    // Before the code is used up.
    cookieNameFor(req, web.insecureCookies);
    const { type } = parseMediaType(req.headers["content-type"]) ?? {};
    if (type !== "application/json")
      throw new ToolError(
        "unsupported_media_type",
        'Send {"code": "…"} with Content-Type: application/json.',
      );
    const code = readCode(await http.body.read(exchange, maxBody, { bytes: maxBody }));
    const { signIn } = await import("../../operations/sign-in.ts");
    const { token, session } = await signIn(code, { admin: await admin(), refusals, ip });
    await endReplaced(exchange, isSecure(req), deps);
    send(exchange, 200, { session }, toSessionCookie(req, token, web.insecureCookies));
  }

  async function end(exchange: Exchange): Promise<void> {
    const { req, ip } = exchange;
    http.uncounted.take(exchange);
    if (!isOwnPage(req)) throw crossSite();
    const principal = await callerOf(exchange);
    let session: SessionView | null = null;
    if (principal?.sessionId !== undefined) {
      const { sessionId } = principal;
      const caller = toCaller(principal, ip);
      session = await (await admin()).call("sessions.revoke", { id: sessionId }, caller);
    }
    send(exchange, 200, { session }, toEndedCookie(req));
  }

  /** Answers with null where there is no session, and to a request that the browser does not mark as one of this page. */
  async function show(exchange: Exchange): Promise<void> {
    const sessionId = (await callerOf(exchange))?.sessionId;
    const session =
      sessionId === undefined ? null : await (await admin()).call("sessions.show", { id: sessionId });
    const body = JSON.stringify({ session });
    http.reply.send(exchange, 200, "application/json", body, ["Cache-Control", "no-store"]);
  }

  /** Returns who has the session of the cookie; undefined if there is none, or it has ended. */
  async function callerOf(exchange: Exchange): Promise<Principal | undefined> {
    if (exchange.viaCookie !== true) return undefined;
    try {
      return await authenticate(credentialsOf(exchange));
    } catch (error) {
      if (error instanceof ToolError && error.code.endsWith("_key")) return undefined;
      throw error;
    }
  }

  function send(exchange: Exchange, status: number, value: unknown, cookie: string): void {
    http.reply.send(exchange, status, "application/json", JSON.stringify(value), [
      "Set-Cookie",
      cookie,
      "Cache-Control",
      "no-store",
    ]);
  }

  return { show, begin, end };
}

/** @throws ToolError bad_json, invalid_input. */
function readCode(bytes: Uint8Array): string {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new ToolError("bad_json", 'The body must be JSON: {"code": "…"}.');
  }
  const { code, ...rest } =
    typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  if (typeof code !== "string" || Object.keys(rest).length > 0)
    throw new ToolError("invalid_input", 'The body must be {"code": "…"}, and nothing else.');
  return code;
}
