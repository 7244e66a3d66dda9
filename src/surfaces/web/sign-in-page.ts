import type { Config } from "../../options.ts";
import { type Markup, markup } from "./markup.ts";

/** What pages say about single sign-on. */
export interface SignOn {
  /** What people call the provider. */
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

/** The content of `/sign-in`; page/sign-in.tsx fills it. `proxied` is about a person whom a proxy names. */
export const toSignInPage = (signOn: SignOn | undefined, proxied?: Markup): Markup => markup`<h1>Sign in</h1>
${proxied}${
  signOn &&
  markup`<p><a class="button primary" href="${signOn.start}">Sign in with ${signOn.name}</a></p>
`
}${(signOn ?? proxied) && markup`<h2>With a one-time code</h2>\n`}<p class="lead">Enter the code that the operator of this server gave you. It is valid once, for ten minutes.</p>
<p>The operator prints one with <code>penknife admin login --account NAME</code>, or without <code>--account</code> for the
operator's own session.</p>
<noscript><p class="notice">Signing in with a code needs JavaScript.</p></noscript>
<div data-page="sign-in"${signOn && markup` data-provider="${signOn.name}"`}></div>`;

/** Asks a person with several rights for one. Each link starts the sign-in again, because the server keeps nothing of this one. */
export const toChoice = (
  { name, start }: SignOn,
  { person, operator, accounts }: { person: string; operator: boolean; accounts: readonly string[] },
): Markup => markup`<h1>Continue as</h1>
<p class="lead">${name} knows you as ${person}. Choose what to sign in to; to change it, sign in again.</p>
<ul>
${accounts.map((account) => markup`<li><a href="${start}?account=${account}">Account <bdi>${account}</bdi></a></li>\n`)}${operator ? markup`<li><a href="${start}?operator">Operator of this server</a></li>\n` : undefined}</ul>`;
