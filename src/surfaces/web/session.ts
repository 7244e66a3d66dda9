import { ToolError } from "../../catalog/errors.ts";
import type { Config } from "../../options.ts";
import type { SessionView } from "../../services/access/sessions/operations.ts";
import type { Admin } from "../../services/admin/admin.ts";
import { credentialsOf } from "../http/admission.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { parseMediaType } from "../http/media-type.ts";
import { cookieNameFor, toEndedCookie, toSessionCookie } from "../http/session-cookie.ts";
import { crossSite, isOwnPage } from "../http/sites.ts";

export interface SessionDeps extends Pick<HttpDeps, "authenticate" | "refusals"> {
  web: Pick<Config["web"], "insecureCookies">;
  admin(): Promise<Admin>;
}

/** Most bytes of `{"code": "…"}`. */
const bodyMost = 1024;

/**
 * Adds the sessions of browsers: `POST /session` exchanges a one-time code for the session cookie, whose token no script
 * sees, and `DELETE /session` ends it. Only pages of this server may do either.
 */
export function addSession(http: Http, deps: SessionDeps): void {
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
    const code = readCode(await http.body.read(exchange, bodyMost, { bytes: bodyMost }));
    const { signIn } = await import("../../services/access/sessions/sign-in.ts");
    const { token, session } = await signIn(code, { admin: await admin(), refusals, ip });
    send(exchange, 200, { session }, toSessionCookie(req, token, web.insecureCookies));
  }

  async function end(exchange: Exchange): Promise<void> {
    const { req, ip } = exchange;
    http.uncounted.take(exchange);
    if (!isOwnPage(req)) throw crossSite();
    const sessionId = await sessionOf(exchange);
    let session: SessionView | null = null;
    if (sessionId !== undefined) {
      const caller = { actor: `session:${sessionId}`, from: ip };
      session = (await (await admin()).call("sessions.revoke", { id: sessionId }, caller)) as SessionView;
    }
    send(exchange, 200, { session }, toEndedCookie(req));
  }

  /** Returns the session of the cookie; undefined if there is none, or it has ended. */
  async function sessionOf(exchange: Exchange): Promise<string | undefined> {
    if (exchange.viaCookie !== true) return undefined;
    try {
      return (await authenticate(credentialsOf(exchange))).sessionId;
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

  http.route({ path: "/session", methods: { POST: begin, DELETE: end } });
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
