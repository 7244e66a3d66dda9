import { ToolError } from "../../catalog/errors.ts";
import { toOwnPage } from "../../lib/own-page.ts";
import type { Identity } from "../../services/access/oidc/identity.ts";
import {
  type Choice,
  createPendingSignIn,
  type PendingSignIn,
  toParameters,
  parseCookieValue,
  pendingSeconds,
  toCookieValue,
} from "../../services/access/oidc/pending.ts";
import { ProviderFault } from "../../services/access/oidc/provider-fault.ts";
import { createProvider } from "../../services/access/oidc/provider.ts";
import { createSpentSignIns } from "../../services/access/oidc/spent.ts";
import {
  claimsOf,
  isAmong,
  type Rights,
  toRights,
  withExisting,
} from "../../services/access/sign-in-rules.ts";
import { toCaller } from "../../services/audit/caller.ts";
import { toPerson } from "../../storage/person.ts";
import { isAccountName } from "../../storage/records.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { sessionCookie } from "../http/session-cookie.ts";
import { isForeign } from "../http/sites.ts";
import type { SessionDeps } from "./deps.ts";
import { endReplaced } from "./replaced-session.ts";
import { describeSignOn, toChoice, toFirstPage } from "./sign-in-page.ts";
import type { IncomingMessage } from "node:http";
import { cookieValues } from "../http/cookie-values.ts";

/** The handlers of single sign-on. Any node may serve each: what one needs of the one before is in the browser's cookie. */
export interface SignOnHandlers {
  /** GET /sign-in/oidc: sends the browser to the provider. */
  start: Handler;
  /** GET /sign-in/callback: opens a session for the person whom the provider sent back. */
  callback: Handler;
  /** GET /sign-in/leave: sends the browser to the provider to end the session there. */
  leave: Handler;
}

export function createSignOnHandlers(http: Http, deps: SessionDeps): SignOnHandlers {
  const { oidc, web, options, refusals, admin, log, runtime, pages } = deps;
  const signOn = describeSignOn(deps);
  const isSecure = web.publicUrl.startsWith("https://");
  const spent = createSpentSignIns(runtime.monotonic);
  const provider = createProvider({
    ...oidc,
    redirectUrl: `${web.publicUrl}/sign-in/callback`,
    signedOutUrl: `${web.publicUrl}/sign-in`,
    claims: claimsOf(oidc),
    version: options.version,
    runtime,
  });

  async function start(exchange: Exchange): Promise<void> {
    const query = new URLSearchParams(exchange.query);
    const chosen = parseChoice(query);
    // A page of another site must not choose for a person: those who have several rights are asked again.
    const choice = isForeign(exchange.req, () => false) ? undefined : chosen;
    const pending = createPendingSignIn(runtime.random, runtime.now(), choice, toOwnPage(query.get("to")));
    const url = await provider.toSignIn(pending).catch((error: unknown) => {
      throw refuse(exchange, error);
    });
    keep(exchange, [...readPending(exchange.req, isSecure, runtime.now()), pending]);
    redirect(exchange, url);
  }

  /**
   * Pages of other sites lead here, so that nothing happens without a state that this browser has started. Each state is used
   * once, whatever comes of it.
   */
  async function callback(exchange: Exchange): Promise<void> {
    const wait = refusals.blocked(exchange.ip);
    if (wait !== undefined) throw wait;
    const query = new URLSearchParams(exchange.query);
    const all = readPending(exchange.req, isSecure, runtime.now());
    const pending = all.find((one) => toParameters(one).state === query.get("state"));
    if (pending === undefined || !spent.spend(pending)) {
      throw refusals.refuse(
        "forbidden",
        "This browser did not start this sign-in, started it more than ten minutes ago, or has already finished it. Sign in again.",
        exchange.ip,
      );
    }
    keep(
      exchange,
      all.filter((one) => one !== pending),
    );
    const identity = await provider.finish(query, pending, exchange.ip).catch((error: unknown) => {
      throw refuse(exchange, error);
    });
    await open(exchange, identity, pending);
  }

  async function open(exchange: Exchange, identity: Identity, { choice, to }: PendingSignIn): Promise<void> {
    const person = toPerson(identity.issuer, identity.subject, identity.name);
    if (person === undefined) throw deny(exchange, identity, "your subject there cannot be recorded");
    const rights = await withExisting(toRights(identity.claims, oidc), async (name) =>
      (await admin()).call("accounts.show", { name }),
    );
    const chosen = choice ?? onlyOf(rights);
    if (chosen === undefined && (rights.operator || rights.accounts.length > 0)) {
      const shown = identity.name ?? identity.subject;
      await pages.show(exchange, "Continue as", toChoice(signOn, { ...rights, person: shown, to }));
      return;
    }
    if (chosen === undefined || !isAmong(chosen, rights))
      throw deny(
        exchange,
        identity,
        `no rule gives you ${chosen === undefined ? "an account" : nameOf(chosen)}`,
      );
    const caller = toCaller({ kind: "session", person }, exchange.ip);
    const begun = await (await admin()).call("sessions.open", { person, ...chosen }, caller);
    await endReplaced(exchange, isSecure, deps);
    exchange.extra = [...exchange.extra, "Set-Cookie", sessionCookie(begun.token, isSecure)];
    redirect(exchange, `${web.publicUrl}/${toFirstPage("operator" in chosen, to)}`);
  }

  async function leave(exchange: Exchange): Promise<void> {
    const url = await provider.toSignOut().catch((error: unknown) => {
      throw refuse(exchange, error);
    });
    if (url === undefined) {
      throw new ToolError(
        "not_found",
        `You are signed out here. ${signOn.name} does not say how to sign out there: close the browser, or sign out on its own pages.`,
      );
    }
    redirect(exchange, url);
  }

  /** Returns the refusal for an error of the provider, and logs its reason, which is for the operator. */
  function refuse({ ip, requestId }: Exchange, error: unknown): unknown {
    if (!(error instanceof ProviderFault)) return error;
    log.event("warn", "single sign-on failed", { requestId, reason: error.message });
    if (error.kind === "refused") {
      return refusals.refuse(
        "forbidden",
        `${signOn.name} did not sign you in, or its answer is not valid. Sign in again; if that does not help, tell the operator the number of the request.`,
        ip,
      );
    }
    return new ToolError(
      "provider_unavailable",
      `${signOn.name} cannot sign anybody in now. Try again later, or ask the operator for a one-time code.`,
    );
  }

  /** Returns the refusal of a person whom the provider signed in. */
  function deny({ ip, requestId }: Exchange, { issuer, subject, name }: Identity, why: string): ToolError {
    log.event("warn", "single sign-on refused a person", { requestId, issuer, subject, why });
    const whom = web.contact === "" ? "the operator of this server" : web.contact;
    return refusals.refuse(
      "forbidden",
      `${signOn.name} signed you in as ${name ?? subject}, but ${why} here. Ask ${whom} for access, and say that your subject is ${subject} at ${issuer}.`,
      ip,
    );
  }

  function keep(exchange: Exchange, pending: readonly PendingSignIn[]): void {
    exchange.extra = [...exchange.extra, "Set-Cookie", pendingCookie(pending, isSecure)];
  }

  function redirect(exchange: Exchange, url: string): void {
    const headers = ["Location", url, "Cache-Control", "no-store", "Referrer-Policy", "no-referrer"];
    http.reply.sendEmpty(exchange, 303, headers);
  }

  return { start, callback, leave };
}

/** @throws ToolError invalid_input */
function parseChoice(query: URLSearchParams): Choice | undefined {
  const account = query.get("account");
  if (account === null) return query.has("operator") ? { operator: true } : undefined;
  if (isAccountName(account) && !query.has("operator")) return { account };
  throw new ToolError("invalid_input", "Name one account, or the operator.");
}

function onlyOf({ operator, accounts: [first, second] }: Rights): Choice | undefined {
  if (operator) return first === undefined ? { operator } : undefined;
  return first === undefined || second !== undefined ? undefined : { account: first };
}

const nameOf = (choice: Choice): string =>
  "operator" in choice ? "the operator's role" : `the account ${choice.account}`;

// The sign-ins that a browser has started. The prefix keeps other servers of the domain from setting the cookie, and so from
// signing a person in as somebody else. SameSite is Lax, because the provider's page leads back here.

const cookieNameOf = (isSecure: boolean): string =>
  isSecure ? "__Host-penknife-sign-in" : "penknife-sign-in";

/** Returns the Set-Cookie header that keeps these sign-ins, and no others. */
function pendingCookie(pending: readonly PendingSignIn[], isSecure: boolean): string {
  const seconds = pending.length === 0 ? 0 : pendingSeconds;
  const attributes = `${isSecure ? "Secure; " : ""}HttpOnly; SameSite=Lax; Path=/; Max-Age=${seconds}`;
  return `${cookieNameOf(isSecure)}=${toCookieValue(pending)}; ${attributes}`;
}

/** Returns the sign-ins that the browser has started. If there are two cookies, another server of the host has set one, so neither counts. */
function readPending(
  { headers: { cookie = "" } }: IncomingMessage,
  isSecure: boolean,
  now: number,
): PendingSignIn[] {
  const [value, ...others] = cookieValues(cookie, cookieNameOf(isSecure));
  return value === undefined || others.length > 0 ? [] : parseCookieValue(value, now);
}
