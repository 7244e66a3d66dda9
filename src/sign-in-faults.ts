import { isMuchOfInternet } from "./lib/ip/wide.ts";
import { isLoopback } from "./lib/loopback.ts";
import type { Config } from "./options.ts";

/** Returns why a configuration of single sign-on cannot work, or would let others in; undefined if it is sound. */
export const findSignInFault = (config: Config): string | undefined =>
  findUrlFault(config) ?? findOidcFault(config) ?? findProxyFault(config);

/** A text that has the form of a URL, and a host or a port that no URL has. */
function findUrlFault({ oidc, web }: Config): string | undefined {
  const urls = { "web.publicUrl": web.publicUrl, "oidc.issuer": oidc.issuer };
  const [name, url] = Object.entries(urls).find(([, value]) => value !== "" && !URL.canParse(value)) ?? [];
  return name && `${name} is not a valid URL: check the host and the port of ${url}`;
}

/** A single sign-on that could not work, or that others on the network could read. */
function findOidcFault({ oidc, web }: Config): string | undefined {
  const { issuer, clientId, accountClaim, accountMap, operatorRule } = oidc;
  if (issuer === "") {
    return findUnused("oidc", "issuer", oidc, [
      "clientId",
      "clientSecret",
      "accountClaim",
      "accountMap",
      "operatorRule",
    ]);
  }
  if (clientId === "") return "oidc.issuer needs oidc.clientId, as the provider registered it";
  if (isPlain(issuer))
    return "oidc.issuer must begin with https://, except for a loopback address such as http://127.0.0.1:8080";
  if (!web.enabled) return "oidc.issuer needs the pages: set web.enabled to true";
  if (web.publicUrl === "")
    return "oidc.issuer needs web.publicUrl, to which the provider sends browsers back";
  if (isPlain(web.publicUrl) && !web.insecureCookies)
    return "oidc.issuer needs a web.publicUrl that begins with https://, or web.insecureCookies";
  if (accountClaim === "" && accountMap.length > 0)
    return "oidc.accountMap needs oidc.accountClaim, whose values it maps to accounts";
  return accountClaim === "" && operatorRule.length === 0
    ? "oidc.issuer needs oidc.accountClaim or oidc.operatorRule: without them nobody can sign in"
    : undefined;
}

/** A sign-in through a proxy that nobody could use, or that would trust everybody. */
function findProxyFault({ proxyAuth, server, web }: Config): string | undefined {
  const { header, secret, groupsHeader, accountClaim, accountMap, operatorRule } = proxyAuth;
  if (header === "") {
    return findUnused("proxyAuth", "header", proxyAuth, [
      "secret",
      "groupsHeader",
      "accountClaim",
      "accountMap",
      "operatorRule",
    ]);
  }
  if (secret === "")
    return "proxyAuth.header needs proxyAuth.secret: without it, everybody whom the proxy lets pass could send the header";
  if (server.trustedProxies.length === 0)
    return "proxyAuth.header needs the address of the proxy in server.trustedProxies";
  const wide = server.trustedProxies.find(isMuchOfInternet);
  if (wide !== undefined)
    return `proxyAuth.header does not go with ${wide} in server.trustedProxies, which trusts much of the Internet: list the addresses of the proxies`;
  const used = findUsedHeader({ proxyAuth, server });
  if (used !== undefined)
    return `proxyAuth.header, proxyAuth.secretHeader and proxyAuth.groupsHeader must be different headers without another use: ${used}`;
  if (!web.enabled) return "proxyAuth.header needs the pages: set web.enabled to true";
  const readsGroups = accountClaim === "groups" || operatorRule.some((rule) => rule.startsWith("groups="));
  if (readsGroups && groupsHeader === "")
    return "the rules of proxyAuth read groups: set proxyAuth.groupsHeader";
  if (accountClaim === "" && accountMap.length > 0)
    return "proxyAuth.accountMap needs proxyAuth.accountClaim, whose values it maps to accounts";
  return accountClaim === "" && operatorRule.length === 0
    ? "proxyAuth.header needs proxyAuth.accountClaim or proxyAuth.operatorRule: without them nobody can sign in"
    : undefined;
}

/** Reports an option that has no effect because the one that switches its section on is missing. */
function findUnused<Name extends string>(
  section: string,
  first: string,
  options: Readonly<Record<Name, { readonly length: number }>>,
  names: readonly Name[],
): string | undefined {
  const unused = names.find((name) => options[name].length > 0);
  return (
    unused &&
    `${section}.${unused} is set, but ${section}.${first} is not: set it, or remove ${section}.${unused}`
  );
}

/** Headers that browsers send, or that proxies send for another purpose. */
const reservedHeaders = [
  "authorization",
  "cookie",
  "forwarded",
  "host",
  "origin",
  "referer",
  "user-agent",
  "x-api-key",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
];

function findUsedHeader({ proxyAuth, server }: Pick<Config, "proxyAuth" | "server">): string | undefined {
  const { header, secretHeader, groupsHeader } = proxyAuth;
  if (secretHeader === "") return "proxyAuth.secretHeader is empty";
  const used = [...reservedHeaders, server.proxyHeader.toLowerCase()];
  for (const name of [header, secretHeader, groupsHeader].filter(Boolean)) {
    if (used.includes(name.toLowerCase())) return `${name} has one`;
    used.push(name.toLowerCase());
  }
  return undefined;
}

/** Reports whether a URL is neither HTTPS nor of this machine. */
const isPlain = (url: string): boolean => !url.startsWith("https://") && !isLoopback(new URL(url).hostname);
