import { ToolError } from "../../catalog/errors.ts";
import { toOwnPage } from "../../lib/own-page.ts";
import type { Choice } from "../../services/access/oidc/pending.ts";
import { isAmong, type Rights, toRights, withExisting } from "../../services/access/sign-in-rules.ts";
import { createReadProxied, type Proxied } from "../../services/access/proxy-person.ts";
import { toCaller } from "../../services/audit/caller.ts";
import { toPersonActor } from "../../storage/person.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { parseMediaType } from "../http/media-type.ts";
import { cookieNameFor, isSecure, toSessionCookie } from "../http/session-cookie.ts";
import { crossSite, isOwnPage } from "../http/sites.ts";
import type { SessionDeps } from "./deps.ts";
import { markup, type Markup } from "./markup.ts";
import { endReplaced } from "./replaced-session.ts";
import { rootFrom } from "./root.ts";
import { toFirstPage, toSignIn, toSignInPage, toSignOn } from "./sign-in-page.ts";

/** The handlers of `/sign-in` behind a proxy that signs people in (oauth2-proxy, Authelia). No other path reads its headers. */
export interface ProxySignInHandlers {
  /** GET: offers the rights of the person whom the proxy names; nothing happens before a click. */
  show: Handler;
  /** POST: opens a session with one of them. */
  begin: Handler;
}

const formType = "application/x-www-form-urlencoded";
/** Most bytes of `account=…`. */
const maxBody = 1024;

export function createProxySignInHandlers(http: Http, deps: SessionDeps): ProxySignInHandlers {
  const { web, proxyAuth, refusals, admin, log, pages } = deps;
  const read = createReadProxied(deps);
  const signOn = toSignOn(deps);

  /** Returns the person whom a trusted proxy names; undefined if none does. @throws ToolError forbidden, quota_exceeded. */
  function proxiedOf({ req, path, ip, requestId }: Exchange): Proxied | undefined {
    const { socket, rawHeaders } = req;
    // A proxy may let everybody pass to /sign-in/. The address of a connection that has ended is undefined, as that of a Unix socket.
    if (path !== "/sign-in" || socket.destroyed) return undefined;
    const found = read({ peer: socket.remoteAddress, rawHeaders });
    if (found === undefined || "person" in found) return found;
    const wait = refusals.blocked(ip);
    if (wait !== undefined) throw wait;
    log.event("warn", "a person whom a proxy names was not signed in", { requestId, reason: found.fault });
    throw refusals.refuse(
      "forbidden",
      "The proxy in front of this server names the person in a way that this server does not accept. Tell the operator the number of the request.",
      ip,
    );
  }

  const rightsOf = async ({ claims }: Proxied): Promise<Rights> =>
    withExisting(toRights(claims, proxyAuth), async (name) =>
      (await admin()).call("accounts.show", { name }),
    );

  /** Logs a refusal, and returns what the person has to know. */
  function deny({ requestId }: Exchange, { person, claims }: Proxied): string {
    const who = toPersonActor(person);
    log.event("warn", "no rule gives a person rights", {
      requestId,
      person: who,
      groups: claims.groups.length,
    });
    const whom = web.contact === "" ? "the operator of this server" : web.contact;
    return `You are ${person.subject}, and may not sign in here. Ask ${whom} for access, and say that you are ${who}.`;
  }

  async function show(exchange: Exchange): Promise<void> {
    const proxied = proxiedOf(exchange);
    if (proxied === undefined) return pages.signIn(exchange);
    const rights = await rightsOf(proxied);
    const to = returnOf(exchange);
    const isDenied = !rights.operator && rights.accounts.length === 0;
    const offer = isDenied
      ? markup`<p class="notice">${deny(exchange, proxied)}</p>`
      : toOffer(proxied.person.subject, rights, `${rootFrom(exchange, http.basePath)}${toSignIn(to)}`);
    // The form needs its Origin, which a page without a referrer hides.
    await pages.show(exchange, "Sign in", toSignInPage(signOn, to, offer), {
      status: isDenied ? 403 : 200,
      referrer: "same-origin",
    });
  }

  async function begin(exchange: Exchange): Promise<void> {
    const { req, ip } = exchange;
    http.uncounted.take(exchange);
    if (!isOwnPage(req)) throw crossSite();
    const proxied = proxiedOf(exchange);
    if (proxied === undefined) {
      throw new ToolError(
        "forbidden",
        "No proxy that this server trusts names you. Load the page again, or sign in with a one-time code.",
      );
    }
    cookieNameFor(req, web.insecureCookies);
    if (parseMediaType(req.headers["content-type"])?.type !== formType)
      throw new ToolError(
        "unsupported_media_type",
        `Send account=NAME or operator with Content-Type: ${formType}.`,
      );
    const choice = readChoice(await http.body.read(exchange, maxBody, { bytes: maxBody }));
    if (!isAmong(choice, await rightsOf(proxied)))
      throw refusals.refuse("forbidden", deny(exchange, proxied), ip);
    const { person } = proxied;
    const caller = toCaller({ kind: "session", person }, ip);
    const begun = await (await admin()).call("sessions.open", { person, ...choice }, caller);
    await endReplaced(exchange, isSecure(req), deps);
    const next = toFirstPage("operator" in choice, returnOf(exchange));
    http.reply.sendEmpty(exchange, 303, [
      "Location",
      `${rootFrom(exchange, http.basePath)}${next}`,
      "Set-Cookie",
      toSessionCookie(req, begun.token, web.insecureCookies),
      "Cache-Control",
      "no-store",
    ]);
  }

  return { show, begin };
}

const returnOf = ({ query }: Pick<Exchange, "query">): string | undefined =>
  toOwnPage(new URLSearchParams(query).get("to"));

const toOffer = (subject: string, { operator, accounts }: Rights, action: string): Markup =>
  markup`<p class="lead">The proxy in front of this server signed you in as <bdi>${subject}</bdi>.</p>
<form method="post" action="${action}">
${accounts.map((account) => markup`<p><button class="primary" name="account" value="${account}">Continue to the account ${account}</button></p>\n`)}${operator ? markup`<p><button class="primary" name="operator" value="">Continue as the operator</button></p>\n` : undefined}</form>`;

/** @throws ToolError invalid_input */
function readChoice(bytes: Uint8Array): Choice {
  const [first, ...others] = new URLSearchParams(Buffer.from(bytes).toString());
  const [name, value = ""] = first ?? [];
  if (others.length === 0 && name === "account") return { account: value };
  if (others.length === 0 && name === "operator") return { operator: true };
  throw new ToolError("invalid_input", "The body must be account=NAME or operator, and nothing else.");
}
