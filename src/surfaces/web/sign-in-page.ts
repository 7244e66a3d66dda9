import { isFor } from "../../lib/own-page.ts";
import type { Config } from "../../options.ts";
import { type Markup, markup } from "./markup.ts";

/** The facts about single sign-on that pages show. */
export interface SignOn {
  /** The name of the provider, as people know it. */
  name: string;
  /** Absolute URL at which a sign-in starts: its cookie must be of the host to which the provider sends browsers back. */
  start: string;
}

export const describeSignOn = ({ oidc, web }: Pick<Config, "oidc" | "web">): SignOn => ({
  name: oidc.name || new URL(oidc.issuer).host,
  start: `${web.publicUrl}/sign-in/oidc`,
});

/** Returns undefined if no provider is configured. */
export const toSignOn = (config: Pick<Config, "oidc" | "web">): SignOn | undefined =>
  config.oidc.issuer === "" ? undefined : describeSignOn(config);

/**
 * The content of `/sign-in`; page/sign-in.tsx fills it.
 * @param to The page to which the person returns, as `toOwnPage` has it.
 * @param proxied What concerns a person whom a proxy names.
 */
export const toSignInPage = (
  signOn: SignOn | undefined,
  to: string | undefined,
  proxied?: Markup,
): Markup => markup`<div class="card sign-in-card">
<h1>Sign in</h1>
${proxied}${
  signOn &&
  markup`<p><a class="button primary" href="${withReturn(signOn.start, to)}">Sign in with ${signOn.name}</a></p>
`
}${(signOn ?? proxied) && markup`<p class="or">or with a one-time code</p>\n`}<noscript><p class="notice">Signing in with a code needs JavaScript.</p></noscript>
<div data-page="sign-in"${signOn && markup` data-provider="${signOn.name}"`}${to === undefined ? undefined : markup` data-to="${to}"`}></div>
</div>
<p class="below-card">The operator prints a code with <code>penknife admin login --account NAME</code>, or without <code>--account</code> for the
operator's own session.</p>`;

/** Returns the path of the sign-in page, below the home page. */
export const toSignIn = (to: string | undefined): string => withReturn("sign-in", to);

const withReturn = (url: string, to: string | undefined): string =>
  to === undefined ? url : `${url}?${new URLSearchParams({ to }).toString()}`;

/** Returns the page that a person sees after signing in: where they came from, unless it is for others. */
export const toFirstPage = (isOperator: boolean, to: string | undefined): string =>
  to !== undefined && isFor(to, isOperator) ? to : isOperator ? "operator/accounts" : "settings/keys";

/** Asks a person with several rights for one. Each link starts the sign-in again, because the server keeps nothing of this one. */
export const toChoice = (
  { name, start }: SignOn,
  {
    person,
    operator,
    accounts,
    to,
  }: { person: string; operator: boolean; accounts: readonly string[]; to: string | undefined },
): Markup => {
  const back = to === undefined ? "" : `&${new URLSearchParams({ to }).toString()}`;
  return markup`<div class="card sign-in-card">
<h1>Continue as</h1>
<p class="lead">${name} knows you as ${person}. Choose what to sign in to; to change it, sign in again.</p>
<ul>
${accounts.map((account) => markup`<li><a href="${start}?account=${account}${back}">Account <bdi>${account}</bdi></a></li>\n`)}${operator ? markup`<li><a href="${start}?operator${back}">Operator of this server</a></li>\n` : undefined}</ul>
</div>`;
};
