import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { exportJWK, SignJWT, type JWTPayload } from "jose";

export type Serve = (req: IncomingMessage, res: ServerResponse) => void;

/** A provider that is correct until a test makes it lie. */
export interface FakeProvider {
  readonly issuer: string;
  /** The paths that were asked, in order. */
  readonly asked: string[];
  /** Changes the metadata. */
  metadata: (metadata: Record<string, unknown>) => Record<string, unknown>;
  /** Changes the claims of the ID token. */
  claims: (claims: JWTPayload) => JWTPayload;
  /** Makes the ID token. */
  sign: (claims: JWTPayload) => Promise<string> | string;
  /** The answer of userinfo. */
  userinfo: Record<string, unknown>;
  /** Accepts a code more than once. */
  keepsCodes: boolean;
  /** The time that its answers name, in epoch milliseconds; the real one unless set. */
  date: number | undefined;
  /** Replaces the answer of a path. */
  readonly serve: Map<string, Serve>;
  /** Changes the parameters with which the browser comes back. */
  back: (query: URLSearchParams) => void;
  /** Signs a person in at the URL that a client made, and returns the parameters of the callback. */
  signIn(url: string): URLSearchParams;
  /** The public key as PEM. */
  publicKey(): string;
  /** Signs with new keys from now on; the old ones are no longer published. */
  rotate(): void;
  /** Undoes all changes. */
  reset(): void;
  close(): Promise<void>;
}

interface Code {
  nonce: string;
  challenge: string;
  redirectUri: string;
}

export const clientId = "penknife";
export const clientSecret = "a secret with : and %";

export async function openFakeProvider(tls?: { key: string; cert: string }): Promise<FakeProvider> {
  const codes = new Map<string, Code>();
  let key: { kid: string; private: KeyObject; public: KeyObject };
  let count = 0;
  const server = tls === undefined ? createHttp(answer) : createHttps(tls, answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;

  const provider: FakeProvider = {
    issuer,
    asked: [],
    metadata: (metadata) => metadata,
    claims: (claims) => claims,
    sign: (claims) => sign(claims),
    userinfo: { sub: "anna" },
    keepsCodes: false,
    date: undefined,
    serve: new Map(),
    back: () => {},
    signIn(url) {
      const { searchParams: asked } = new URL(url);
      const code = `code-${(count += 1)}`;
      codes.set(code, {
        nonce: asked.get("nonce") ?? "",
        challenge: asked.get("code_challenge") ?? "",
        redirectUri: asked.get("redirect_uri") ?? "",
      });
      const query = new URLSearchParams({ code, state: asked.get("state") ?? "", iss: issuer });
      provider.back(query);
      return query;
    },
    publicKey: () => String(key.public.export({ format: "pem", type: "spki" })),
    rotate() {
      const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      key = { kid: `key-${(count += 1)}`, private: privateKey, public: publicKey };
    },
    reset() {
      provider.metadata = (metadata) => metadata;
      provider.claims = (claims) => claims;
      provider.sign = sign;
      provider.userinfo = { sub: "anna" };
      provider.keepsCodes = false;
      provider.date = undefined;
      provider.back = () => {};
      provider.serve.clear();
      provider.asked.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  provider.rotate();

  function sign(claims: JWTPayload): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: key.kid }).sign(key.private);
  }

  function answer(req: IncomingMessage, res: ServerResponse): void {
    const path = req.url ?? "";
    provider.asked.push(path);
    const replaced = provider.serve.get(path);
    if (replaced !== undefined) return replaced(req, res);
    void send(path, req, res);
  }

  async function send(path: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [status, body] = await respond(path, req);
    if (provider.date !== undefined) res.setHeader("date", new Date(provider.date).toUTCString());
    res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  async function respond(path: string, req: IncomingMessage): Promise<[number, object]> {
    if (path === "/.well-known/openid-configuration") return [200, provider.metadata(metadataOf(issuer))];
    if (path === "/keys")
      return [200, { keys: [{ ...(await exportJWK(key.public)), kid: key.kid, use: "sig", alg: "ES256" }] }];
    if (path === "/userinfo") return [200, provider.userinfo];
    if (path === "/token") return exchange(req);
    return [404, {}];
  }

  async function exchange(req: IncomingMessage): Promise<[number, object]> {
    let body = "";
    for await (const chunk of req) body += String(chunk);
    const form = new URLSearchParams(body);
    const [, basic = ""] = /^Basic (.+)$/.exec(req.headers.authorization ?? "") ?? [];
    // Both parts are encoded as in a form (RFC 6749 §2.3.1).
    const parts = Buffer.from(basic, "base64").toString().replace(":", "&secret=");
    const { id, secret } = Object.fromEntries(new URLSearchParams(`id=${parts}`));
    if (id !== clientId || secret !== clientSecret) return [401, { error: "invalid_client" }];
    const code = codes.get(form.get("code") ?? "");
    if (!provider.keepsCodes) codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code?.challenge !== challenge || code.redirectUri !== form.get("redirect_uri"))
      return [400, { error: "invalid_grant" }];
    const now = Math.floor(Date.now() / 1000);
    const claims = provider.claims({
      iss: issuer,
      sub: "anna",
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: code.nonce,
      name: "Anna Example",
      email: "anna@example.com",
      groups: ["team-a"],
    });
    return [
      200,
      { access_token: "at", token_type: "Bearer", expires_in: 60, id_token: await provider.sign(claims) },
    ];
  }

  return provider;
}

const metadataOf = (issuer: string): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
  end_session_endpoint: `${issuer}/end?theme=dark`,
  response_types_supported: ["code"],
  // A provider may announce what nobody should accept.
  id_token_signing_alg_values_supported: ["ES256", "RS256", "HS256", "none"],
  authorization_response_iss_parameter_supported: true,
});
