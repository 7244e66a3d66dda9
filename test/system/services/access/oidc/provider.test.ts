import { createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JWTPayload } from "jose";
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPendingSignIn } from "../../../../../src/services/access/oidc/pending.ts";
import type { Identity } from "../../../../../src/services/access/oidc/identity.ts";
import { createProvider, type ProviderOptions } from "../../../../../src/services/access/oidc/provider.ts";
import { createCertificates } from "../../webhooks/certificates.ts";
import {
  clientId,
  clientSecret,
  type FakeProvider,
  openFakeProvider,
  type Serve,
} from "../../../../unit/services/access/oidc/fake-provider.ts";
import { testRuntime } from "../../../../support/runtime.ts";

// The client against a provider that lies, does not answer, or answers without end.
let fake: FakeProvider;
let other: FakeProvider;
beforeAll(async () => {
  [fake, other] = await Promise.all([openFakeProvider(), openFakeProvider()]);
});
afterEach(() => fake.reset());
afterAll(() => Promise.all([fake.close(), other.close()]));

const hour = 3600;
const now = (): number => Date.now();
const newPending = () => createPendingSignIn((count) => randomBytes(count), now(), undefined);

const client = (options: Partial<ProviderOptions> = {}) =>
  createProvider({
    issuer: fake.issuer,
    clientId,
    clientSecret,
    scopes: ["profile"],
    caFile: "",
    redirectUrl: "https://tools.example.com/sign-in/callback",
    signedOutUrl: "https://tools.example.com/sign-in",
    claims: ["groups"],
    version: "1.2.3",
    runtime: testRuntime({ now, monotonic: now }),
    ...options,
  });

/** A whole sign-in, with a client of its own unless given. */
async function signIn(provider = client(), ip = "192.0.2.1"): Promise<Identity> {
  const pending = newPending();
  return provider.finish(fake.signIn(await provider.toSignIn(pending)), pending, ip);
}

const refused = (reason: RegExp) => ({ kind: "refused", message: expect.stringMatching(reason) });
const unavailable = (reason: RegExp) => ({ kind: "unavailable", message: expect.stringMatching(reason) });

describe("a sign-in", () => {
  it("returns issuer, subject, name and claims", async () => {
    const { claims, ...identity } = await signIn();
    expect(identity).toEqual({ issuer: fake.issuer, subject: "anna", name: "Anna Example" });
    expect(claims["groups"]).toEqual(["team-a"]);
    expect(fake.asked).toEqual(["/.well-known/openid-configuration", "/token", "/keys"]);
  });

  it("asks with code, PKCE, state and nonce, and reveals no verifier", async () => {
    const pending = newPending();
    const url = new URL(await client({ scopes: ["groups", "openid"] }).toSignIn(pending));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: clientId,
      redirect_uri: "https://tools.example.com/sign-in/callback",
      scope: "openid groups",
      code_challenge_method: "S256",
    });
    const values = ["state", "nonce", "code_challenge"].map((name) => url.searchParams.get(name));
    expect(new Set([...values, pending.secret]).size).toBe(4);
    for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
    expect(url.href).not.toContain(pending.secret);
  });

  it("reads claims that the ID token lacks from userinfo, of the same person only", async () => {
    fake.claims = set(() => ({ groups: undefined }));
    fake.userinfo = { sub: "anna", groups: ["team-b"], name: "Another Name" };
    expect(await signIn()).toMatchObject({ name: "Anna Example", claims: { groups: ["team-b"] } });
    fake.userinfo = { sub: "mallory", groups: ["team-b"] };
    await expect(signIn()).rejects.toMatchObject(refused(/"sub"/));
  });

  const hers = { email: "anna@example.com", email_verified: true };
  const theirs = { email: "boss@example.com", email_verified: true };
  it.each<[string, object, object, object]>([
    ["the ID token has both", hers, theirs, hers],
    ["the ID token lacks email_verified", { email: theirs.email }, hers, hers],
    ["the ID token lacks email", { email_verified: true }, { email: theirs.email }, { email: theirs.email }],
    ["the ID token has none", {}, hers, hers],
    [
      "userinfo has only email_verified",
      { email: theirs.email },
      { email_verified: true },
      { email: theirs.email },
    ],
    ["userinfo has only email", { email: hers.email }, { email: theirs.email }, { email: hers.email }],
    [
      "the ID token denies it",
      { ...theirs, email_verified: false },
      hers,
      { ...theirs, email_verified: false },
    ],
    ["neither has them", {}, {}, {}],
  ])("takes an address and whether it is verified from one source: %s", async (_, token, more, expected) => {
    fake.claims = set(() => ({ email: undefined, ...token }));
    fake.userinfo = { sub: "anna", ...more };
    const { claims } = await signIn(client({ claims: ["email", "email_verified"] }));
    const { email, email_verified } = claims;
    expect({ email, email_verified }).toEqual(expected);
    expect(fake.asked.includes("/userinfo")).toBe(!("email" in token && "email_verified" in token));
  });

  it("sends the client secret in the body where the provider wants it there, and none for a public client", async () => {
    const bodies: string[] = [];
    const record: Serve = (req, res) => {
      req.on("data", (chunk) => bodies.push(String(chunk))).on("end", () => res.writeHead(500).end());
    };
    fake.serve.set("/token", record);
    fake.metadata = (all) => ({ ...all, token_endpoint_auth_methods_supported: ["client_secret_post"] });
    await expect(signIn()).rejects.toMatchObject(unavailable(/status/));
    await expect(signIn(client({ clientSecret: "" }))).rejects.toMatchObject(unavailable(/status/));
    expect(bodies.map((body) => new URLSearchParams(body).get("client_secret"))).toEqual([
      clientSecret,
      null,
    ]);
  });

  it("uses one discovery for sign-ins at the same time, and notices before the next that the provider is down", async () => {
    let time = 0;
    const provider = client({ runtime: testRuntime({ monotonic: () => time }) });
    await Promise.all([signIn(provider), signIn(provider), signIn(provider)]);
    const discoveries = () => fake.asked.filter((path) => path.startsWith("/.well-known")).length;
    expect(discoveries()).toBe(1);
    const pending = newPending();
    const url = await provider.toSignIn(pending);
    fake.serve.set("/.well-known/openid-configuration", (_, res) => res.destroy());
    time = 1000;
    // A sign-in that has started does not need the metadata again.
    await expect(provider.finish(fake.signIn(url), pending, "192.0.2.1")).resolves.toMatchObject({
      subject: "anna",
    });
    await expect(provider.toSignIn(newPending())).rejects.toMatchObject(unavailable(/closed the connection/));
    fake.serve.clear();
    await signIn(provider);
    expect(discoveries()).toBe(3);
  });

  it("is one of 32 at most that are finished at the same time", async () => {
    const waiting: (() => void)[] = [];
    fake.serve.set("/token", (_, res) => void waiting.push(() => res.writeHead(500).end()));
    const provider = client({ timeoutMs: 60_000 });
    const running = Array.from({ length: 32 }, (_, n) =>
      signIn(provider, `192.0.2.${n}`).catch(({ kind }) => kind),
    );
    await expect.poll(() => waiting.length).toBe(32);
    await expect(signIn(provider, "192.0.2.99")).rejects.toMatchObject(
      unavailable(/^32 .* at the same time/),
    );
    for (const end of waiting) end();
    expect(new Set(await Promise.all(running))).toEqual(new Set(["unavailable"]));
    fake.serve.clear();
    await expect(signIn(provider)).resolves.toMatchObject({ subject: "anna" });
  });

  it.each([
    ["192.0.2.1", "192.0.2.1", "192.0.2.2"],
    ["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"],
  ])("is one of 4 at most of %s that are finished at the same time", async (one, same, another) => {
    const waiting: (() => void)[] = [];
    fake.serve.set("/token", (_, res) => void waiting.push(() => res.writeHead(500).end()));
    const provider = client({ timeoutMs: 60_000 });
    const running = Array.from({ length: 4 }, () => signIn(provider, one).catch(({ kind }) => kind));
    await expect.poll(() => waiting.length).toBe(4);
    await expect(signIn(provider, same)).rejects.toMatchObject(unavailable(/^4 sign-ins from /));
    running.push(signIn(provider, another).catch(({ kind }) => kind));
    await expect.poll(() => waiting.length).toBe(5);
    for (const end of waiting) end();
    await Promise.all(running);
    fake.serve.clear();
    await expect(signIn(provider, same)).resolves.toMatchObject({ subject: "anna" });
  });

  it("ends at the provider too", async () => {
    const url = new URL((await client().toSignOut()) ?? "");
    expect(url.origin + url.pathname).toBe(`${fake.issuer}/end`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      theme: "dark",
      client_id: clientId,
      post_logout_redirect_uri: "https://tools.example.com/sign-in",
    });
    fake.metadata = (all) => ({ ...all, end_session_endpoint: undefined });
    expect(await client().toSignOut()).toBeUndefined();
  });
});

/** Changes claims; those that are undefined are left out. */
const set =
  (changes: () => object) =>
  (claims: JWTPayload): JWTPayload => ({ ...claims, ...changes() });

describe("an ID token is refused", () => {
  const seconds = Math.floor(Date.now() / 1000);

  it.each<[string, (claims: JWTPayload) => JWTPayload, RegExp]>([
    ["of another issuer", set(() => ({ iss: "https://id.evil.example" })), /"iss"/],
    ["for another audience", set(() => ({ aud: "another" })), /"aud"/],
    [
      "for several audiences without an authorized party",
      set(() => ({ aud: [clientId, "another"] })),
      /"aud"/,
    ],
    ["for several audiences, issued to another", set(() => ({ aud: [clientId, "x"], azp: "x" })), /"azp"/],
    ["issued to another client", set(() => ({ azp: "another" })), /azp/],
    ["with the nonce of another sign-in", set(() => ({ nonce: "x".repeat(43) })), /"nonce"/],
    ["without a nonce", set(() => ({ nonce: undefined })), /"nonce"/],
    ["that has expired", set(() => ({ iat: seconds - hour, exp: seconds - 120 })), /"exp"/],
    ["that does not expire", set(() => ({ exp: undefined })), /"exp"/],
    ["that is not valid yet", set(() => ({ nbf: seconds + 600 })), /"nbf"/],
    ["from the future", set(() => ({ iat: seconds + 600, exp: seconds + hour })), /from the future/],
    ["without a subject", set(() => ({ sub: undefined })), /"sub"/],
    ["with a subject without end", set(() => ({ sub: "a".repeat(256) })), /255 characters/],
    ["with an object as subject", set(() => ({ sub: { id: 1 } })), /"sub"/],
  ])("%s", async (_, claims, reason) => {
    fake.claims = claims;
    await expect(signIn()).rejects.toMatchObject(refused(reason));
  });

  it("but not for a difference of the clocks of half a minute", async () => {
    fake.claims = set(() => ({ iat: seconds + 30, nbf: seconds + 30 }));
    await expect(signIn()).resolves.toMatchObject({ subject: "anna" });
  });

  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

  it.each<[string, (claims: JWTPayload) => Promise<string> | string, RegExp]>([
    ["without a signature", (claims) => `${encode({ alg: "none" })}.${encode(claims)}.`, /"alg"/],
    ["whose algorithm is NONE", (claims) => `${encode({ alg: "NONE" })}.${encode(claims)}.`, /"alg"/],
    [
      "signed with the public key as a secret",
      (claims) => {
        const text = `${encode({ alg: "HS256" })}.${encode(claims)}`;
        return `${text}.${createHmac("sha256", fake.publicKey()).update(text).digest("base64url")}`;
      },
      /"alg"/,
    ],
    [
      "signed with the client secret",
      (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(clientSecret)),
      /"alg"/,
    ],
    [
      "signed with an unknown key",
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "mine" }).sign(stranger),
      /no applicable keys/,
    ],
    [
      "signed with a key under the name of another",
      async (claims) => {
        const { keys } = (await (await fetch(`${fake.issuer}/keys`)).json()) as { keys: { kid: string }[] };
        const kid = keys[0]?.kid ?? "";
        return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).sign(stranger);
      },
      /signature verification failed/,
    ],
    [
      "signed with a key that it brings along",
      (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: "ES256", jku: `${other.issuer}/keys` }).sign(stranger),
      /signature verification failed/,
    ],
    [
      "with an extension that must be understood",
      (claims) => `${encode({ alg: "ES256", crit: ["x"], x: 1 })}.${encode(claims)}.AA`,
      /"crit"/,
    ],
    ["that is none", () => "not a token", /Invalid JWT/],
  ])("%s", async (_, sign, reason) => {
    fake.sign = sign;
    await expect(signIn()).rejects.toMatchObject(refused(reason));
    expect(other.asked).toEqual([]);
  });

  it("with an algorithm that the provider does not announce", async () => {
    fake.metadata = (all) => ({ ...all, id_token_signing_alg_values_supported: ["RS256"] });
    await expect(signIn()).rejects.toMatchObject(refused(/"alg"/));
    // RS256 is the default (OpenID Connect Discovery 1.0 §3).
    fake.metadata = (all) => ({ ...all, id_token_signing_alg_values_supported: undefined });
    await expect(signIn()).rejects.toMatchObject(refused(/"alg"/));
  });

  it("that is missing", async () => {
    fake.serve.set("/token", (_, res) => {
      res.writeHead(200, { "content-type": "application/json" });
      res.end('{"access_token":"at","token_type":"Bearer"}');
    });
    await expect(signIn()).rejects.toMatchObject(refused(/"id_token"/));
  });
});

describe("the way back is refused", () => {
  it.each<[string, (query: URLSearchParams) => void, RegExp]>([
    ["with the name of another provider (RFC 9207)", (query) => query.set("iss", other.issuer), /"iss"/],
    ["without a name, where the provider announces one", (query) => query.delete("iss"), /"iss"/],
    ["with two names", (query) => query.append("iss", fake.issuer), /"iss"/],
    ["with another state", (query) => query.set("state", "x".repeat(43)), /"state"/],
    ["without a state", (query) => query.delete("state"), /"state"/],
    ["with two codes", (query) => query.append("code", "x"), /"code"/],
    ["without a code", (query) => query.delete("code"), /code/],
    ["with an ID token", (query) => query.set("id_token", "a.b.c"), /implicit/],
    ["with an error", (query) => query.set("error", "access_denied"), /: access_denied\./],
    ["with an error that is no word", (query) => query.set("error", "<b>call 555</b>"), /: an error\./],
  ])("%s, and nothing is sent", async (_, back, reason) => {
    fake.back = back;
    await expect(signIn()).rejects.toMatchObject(refused(reason));
    expect(fake.asked).not.toContain("/token");
  });

  it("with a code that was used before, or that another browser got", async () => {
    const provider = client();
    const pending = newPending();
    const query = fake.signIn(await provider.toSignIn(pending));
    await expect(provider.finish(query, pending, "192.0.2.1")).resolves.toMatchObject({ subject: "anna" });
    await expect(provider.finish(query, pending, "192.0.2.1")).rejects.toMatchObject(
      refused(/answered invalid_grant/),
    );
    const stolen = fake.signIn(await provider.toSignIn(newPending())).get("code") ?? "";
    const own = fake.signIn(await provider.toSignIn(pending));
    own.set("code", stolen);
    await expect(provider.finish(own, pending, "192.0.2.1")).rejects.toMatchObject(
      refused(/answered invalid_grant/),
    );
  });
});

describe("keys", () => {
  it("that the provider exchanged are fetched again, once in ten seconds", async () => {
    let time = 0;
    const provider = client({ runtime: testRuntime({ monotonic: () => time }) });
    await signIn(provider);
    await signIn(provider);
    const fetched = () => fake.asked.filter((path) => path === "/keys").length;
    expect(fetched()).toBe(1);
    time = 10_000;
    fake.rotate();
    await signIn(provider);
    expect(fetched()).toBe(2);
    fake.rotate();
    await expect(signIn(provider)).rejects.toMatchObject(refused(/no applicable keys/));
    expect(fetched()).toBe(2);
    time = 20_000;
    await signIn(provider);
    expect(fetched()).toBe(3);
  });
});

describe("a provider is unavailable", () => {
  it.each<[string, (metadata: Record<string, unknown>) => Record<string, unknown>, RegExp]>([
    ["that names another issuer", (all) => ({ ...all, issuer: other.issuer }), /"issuer"/],
    ["without keys", (all) => ({ ...all, jwks_uri: undefined }), /jwks_uri/],
    [
      "whose sign-in page is a script",
      (all) => ({ ...all, authorization_endpoint: "javascript:alert(1)" }),
      /authorization_endpoint/,
    ],
    [
      "whose sign-out page is a script",
      (all) => ({ ...all, end_session_endpoint: "data:text/html,x" }),
      /end_session_endpoint/,
    ],
    [
      "with a list of addresses",
      (all) => ({ ...all, userinfo_endpoint: [all["userinfo_endpoint"]] }),
      /userinfo_endpoint/,
    ],
    ["with a relative address", (all) => ({ ...all, token_endpoint: "/token" }), /token_endpoint/],
  ])("%s", async (_, metadata, reason) => {
    fake.metadata = metadata;
    await expect(signIn()).rejects.toMatchObject(unavailable(reason));
  });

  it.each<[string, Serve, RegExp]>([
    [
      "that redirects to another host",
      (_, res) => res.writeHead(302, { location: `${other.issuer}/` }).end(),
      /redirect/,
    ],
    ["that redirects to itself", (req, res) => res.writeHead(308, { location: req.url }).end(), /redirect/],
    [
      "whose answer is endless",
      (_, res) => {
        res.writeHead(200, { "content-type": "application/json" });
        const chunk = "x".repeat(65_536);
        const more = (): void => {
          while (!res.destroyed && res.write(chunk));
        };
        res.on("drain", more);
        more();
      },
      /more than 1 MiB/,
    ],
    ["whose answer does not begin", () => {}, /within 0\.2 seconds/],
    [
      "whose answer does not end",
      (_, res) => {
        res.writeHead(200, { "content-type": "application/json" }).write("{");
        const timer = setInterval(() => res.write(" "), 20);
        res.on("close", () => clearInterval(timer));
      },
      /within 0\.2 seconds/,
    ],
    [
      "with interim answers only",
      (_, res) => void setInterval(() => res.writeProcessing(), 20).unref(),
      /within 0\.2 seconds/,
    ],
    [
      "with endless headers",
      (_, res) => res.writeHead(200, { "x-long": "x".repeat(20_000) }).end(),
      /headers/,
    ],
    ["that hangs up", (_, res) => res.destroy(), /closed the connection/],
    [
      "that sends a page",
      (_, res) => res.writeHead(200, { "content-type": "text/html" }).end("<p>"),
      /content-type/,
    ],
    [
      "that sends no JSON",
      (_, res) => res.writeHead(200, { "content-type": "application/json" }).end("{"),
      /JSON|parse/,
    ],
    ["that fails", (_, res) => res.writeHead(503).end(), /status code/],
  ])("%s", async (_, serve, reason) => {
    fake.serve.set("/.well-known/openid-configuration", serve);
    const slow = /0\\\.2/.test(reason.source);
    const provider = client({ timeoutMs: slow ? 200 : 60_000 });
    await expect(signIn(provider)).rejects.toMatchObject(unavailable(reason));
    expect(other.asked).toEqual([]);
    fake.serve.clear();
    // A failure is not kept. A busy machine may need more than 0.2 seconds for a good answer.
    if (!slow) await expect(provider.toSignIn(newPending())).resolves.toContain(fake.issuer);
  });

  it("that switches to another protocol", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const provider = client({ issuer: `http://127.0.0.1:${port}`, timeoutMs: 60_000 });
    await expect(provider.toSignOut()).rejects.toMatchObject(unavailable(/another protocol/));
    server.close();
    await expect(client({ issuer: `http://127.0.0.1:${port}` }).toSignOut()).rejects.toMatchObject(
      unavailable(/does not listen/),
    );
  });

  it("whose token endpoint is elsewhere over plain HTTP, which is not asked", async () => {
    fake.metadata = (all) => ({ ...all, token_endpoint: "http://192.0.2.1/token" });
    await expect(signIn()).rejects.toMatchObject(unavailable(/over HTTPS/));
  });

  it("that does not know this client", async () => {
    await expect(signIn(client({ clientSecret: "wrong" }))).rejects.toMatchObject(
      unavailable(/invalid_client/),
    );
  });
});

describe("over TLS", () => {
  const certificates = createCertificates("localhost");
  const folder = mkdtempSync(join(tmpdir(), "penknife-oidc-"));
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, certificates.ca);
  writeFileSync(join(folder, "key.pem"), certificates.right.key);
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ["right", caFile, undefined],
    ["right", "", /not trusted/],
    ["otherAuthority", caFile, /not trusted/],
    ["otherName", caFile, /not trusted/],
    ["expired", caFile, /not trusted/],
    ["right", join(folder, "key.pem"), /no certificate in PEM form/],
    ["right", join(folder, "none.pem"), /cannot be read/],
  ] as const)("a certificate that is %s, with the authorities %s", async (kind, authorities, reason) => {
    const secure = await openFakeProvider(certificates[kind]);
    const provider = client({ issuer: secure.issuer, caFile: authorities });
    if (reason === undefined) {
      expect(await provider.toSignOut()).toContain(secure.issuer);
      for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"]) {
        secure.metadata = (all) => ({ ...all, [name]: "http://127.0.0.1/" });
        const again = client({ issuer: secure.issuer, caFile: authorities });
        await expect(again.toSignOut()).rejects.toMatchObject(unavailable(new RegExp(name)));
      }
    } else await expect(provider.toSignOut()).rejects.toMatchObject(unavailable(reason));
    await secure.close();
  });
});
