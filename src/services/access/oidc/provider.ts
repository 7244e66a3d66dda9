import { readFile } from "node:fs/promises";
import type * as Library from "oauth4webapi";
import { load, type OauthLibrary } from "../../../lib/load.ts";
import { bucketOf } from "../client-ip.ts";
import { createDiscovery } from "./discovery.ts";
import { type Identity, toIdentity, toleranceSeconds, validateToken } from "./identity.ts";
import { type PendingSignIn, toParameters } from "./pending.ts";
import { ProviderFault } from "./provider-fault.ts";
import { createProviderFetch, type ProviderFetch } from "./provider-fetch.ts";
import { type Claims, hasClaim } from "../sign-in-rules.ts";
import type { Runtime } from "../../../runtime.ts";

/** A client of one OpenID Connect provider (authorization code with PKCE). Every method rejects with ProviderFault only. */
export interface Provider {
  /** Returns the URL at which the provider signs the person in. */
  toSignIn(pending: PendingSignIn): Promise<string>;
  /**
   * Finishes a sign-in: exchanges the code for an ID token, and validates everything.
   * @param query The parameters with which the provider sent the browser back.
   * @param ip The address of the browser.
   */
  finish(query: URLSearchParams, pending: PendingSignIn, ip: string): Promise<Identity>;
  /** Returns the URL at which the provider ends its own session; undefined if it has none. */
  toSignOut(): Promise<string | undefined>;
}

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  /** Empty for a public client. */
  clientSecret: string;
  scopes: readonly string[];
  /** Empty for the authorities of Node. */
  caFile: string;
  /** The URL that the provider sends browsers back to, after signing in and out. */
  redirectUrl: string;
  signedOutUrl: string;
  /** Claims to get: from the ID token or, where it lacks one, from the provider's userinfo. */
  claims: readonly string[];
  version: string;
  runtime: Runtime;
  /** For one request to the provider. */
  timeoutMs?: number;
  /** Called with each answer of the provider. */
  onAnswer?(answer: Response): void;
}

const defaultTimeoutMs = 5000;
/** The greatest age of metadata when a sign-in starts: a provider that is down is noticed before the browser is sent there. */
const freshMs = 1000;
const keptMs = 3_600_000;
/** An unknown key makes the keys be fetched again, but not more often than this. */
const keysMs = 10_000;
/** Most sign-ins that are finished at the same time: each holds a connection to the provider. */
const maxAtOnce = 32;
/** Most of them of one address (IPv6: of one /64), which otherwise keeps everybody out while the provider is slow. */
const maxOfAddress = 4;

type Server = Library.AuthorizationServer;

export function createProvider(options: ProviderOptions): Provider {
  const { clientId, clientSecret, redirectUrl, runtime, timeoutMs = defaultTimeoutMs } = options;
  const discover = createDiscovery(options, open);
  let keys: { server: Server; at: number; cache: Library.JWKSCacheInput } | undefined;
  /** The buckets of the sign-ins that are being finished. */
  const running: string[] = [];

  async function open() {
    const library = await load("oauth4webapi");
    const fetch = await createFetch();
    // The fetch refuses plain HTTP to other machines.
    const request = { [library.customFetch]: fetch as never, [library.allowInsecureRequests]: true };
    const client = { client_id: clientId, [library.clockTolerance]: toleranceSeconds };
    return { library, request, client };
  }

  async function createFetch(): Promise<ProviderFetch> {
    const { caFile, version, onAnswer } = options;
    const ca = caFile === "" ? undefined : await readAuthorities(caFile);
    const fetch = createProviderFetch({
      userAgent: `penknife/${version}`,
      timeoutMs,
      ...(ca !== undefined && { ca }),
    });
    return async (url, request) => {
      const answer = await fetch(url, request);
      onAnswer?.(answer);
      return answer;
    };
  }

  async function finish(query: URLSearchParams, pending: PendingSignIn): Promise<Identity> {
    const server = await discover(keptMs);
    const { library, request, client } = await open();
    const { state, nonce, verifier } = toParameters(pending);
    try {
      const parameters = library.validateAuthResponse(server, client, query, state);
      const response = await library.authorizationCodeGrantRequest(
        server,
        client,
        authenticateClient(library, server),
        parameters,
        redirectUrl,
        verifier,
        request,
      );
      const tokens = await library.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      await verifySignature(library, server, { response, token: tokens.id_token ?? "", request });
      const claims = library.getValidatedIdTokenClaims(tokens) as Library.IDToken;
      validateToken(claims, clientId, runtime.now());
      return toIdentity(claims, await readMissing(claims, tokens.access_token));
    } catch (error) {
      throw toFault(library, error);
    }

    /** Gets the claims that the ID token lacks. */
    async function readMissing(token: Library.IDToken, accessToken: string): Promise<Claims> {
      const isComplete = options.claims.every((name) => hasClaim(token, name));
      if (isComplete || server.userinfo_endpoint === undefined) return {};
      const answer = await library.userInfoRequest(server, client, accessToken, request);
      // A signed answer would have to be verified with the keys; none was asked for.
      if (answer.headers.get("content-type")?.startsWith("application/jwt") === true) return {};
      return library.processUserInfoResponse(server, client, token.sub, answer);
    }
  }

  function authenticateClient(library: OauthLibrary, server: Server): Library.ClientAuth {
    if (clientSecret === "") return library.None();
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return methods.includes("client_secret_basic")
      ? library.ClientSecretBasic(clientSecret)
      : library.ClientSecretPost(clientSecret);
  }

  /** Verifies the signature of the ID token with the provider's keys, which are fetched again for a key that is unknown. */
  async function verifySignature(
    library: OauthLibrary,
    server: Server,
    { response, token, request }: { response: Response; token: string; request: object },
  ): Promise<void> {
    const isOther = keys?.server.jwks_uri !== server.jwks_uri;
    if (
      keys === undefined ||
      isOther ||
      (!knows(keys.cache, token) && runtime.monotonic() - keys.at >= keysMs)
    ) {
      // The library keeps the keys by the identity of this object.
      keys = { server: { ...server }, at: runtime.monotonic(), cache: {} };
    }
    const { server: holder, cache } = keys;
    await library.validateApplicationLevelSignature(holder, response, {
      ...request,
      [library.jwksCache]: cache,
    });
  }

  return {
    async toSignIn(pending) {
      const { authorization_endpoint: endpoint = "" } = await discover(freshMs);
      const { library } = await open();
      const { state, nonce, verifier } = toParameters(pending);
      const url = new URL(endpoint);
      const parameters = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUrl,
        scope: ["openid", ...options.scopes.filter((scope) => scope !== "openid")].join(" "),
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    async finish(query, pending, ip) {
      const bucket = bucketOf(ip);
      if (running.length >= maxAtOnce) throw tooMany(`${maxAtOnce} sign-ins`);
      if (running.filter((one) => one === bucket).length >= maxOfAddress)
        throw tooMany(`${maxOfAddress} sign-ins from ${ip}`);
      running.push(bucket);
      try {
        return await finish(query, pending);
      } finally {
        running.splice(running.indexOf(bucket), 1);
      }
    },
    async toSignOut() {
      const { end_session_endpoint: endpoint } = await discover(freshMs);
      if (endpoint === undefined) return undefined;
      const url = new URL(endpoint);
      url.searchParams.set("client_id", clientId);
      url.searchParams.set("post_logout_redirect_uri", options.signedOutUrl);
      return url.href;
    },
  };
}

const tooMany = (what: string): ProviderFault =>
  new ProviderFault("unavailable", `${what} are being finished, and no more are at the same time.`);

async function readAuthorities(path: string): Promise<string> {
  const text = await readFile(path, "latin1").catch((error: Error) => {
    throw new ProviderFault("unavailable", `oidc.caFile cannot be read: ${error.message}.`);
  });
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new ProviderFault("unavailable", `oidc.caFile ${path} has no certificate in PEM form.`);
}

/** Whether the keys have that of a token. A token without the name of its key is verified with what there is. */
function knows(cache: Library.JWKSCacheInput, token: string): boolean {
  const { kid } = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as {
    kid?: unknown;
  };
  const found = "jwks" in cache ? (cache.jwks as Library.JWKS).keys : [];
  return kid === undefined || found.some((key) => key.kid === kid);
}

/** Turns whatever ended a sign-in into a fault. Messages of the library name claims and parameters, without their values. */
function toFault(library: OauthLibrary, error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  if (error instanceof library.AuthorizationResponseError)
    return new ProviderFault("refused", `The provider did not sign the person in: ${toWord(error.error)}.`);
  if (error instanceof library.ResponseBodyError) {
    const reason = `The token endpoint of the provider answered ${toWord(error.error)}.`;
    return new ProviderFault(error.error === "invalid_grant" ? "refused" : "unavailable", reason);
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const unavailable = code === library.RESPONSE_IS_NOT_CONFORM || code === library.RESPONSE_IS_NOT_JSON;
  return new ProviderFault(
    unavailable ? "unavailable" : "refused",
    `The answer of the provider is not valid: ${messageOf(error)}.`,
  );
}

/** An error code of OAuth 2.0 (RFC 6749 §4.1.2.1), which comes from outside and goes into the log. */
const toWord = (text: string): string => (/^[\w-]{1,60}$/.test(text) ? text : "an error");

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300);
