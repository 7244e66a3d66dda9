import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";

/** A provider from npm, certified by the OpenID Foundation, with a sign-in page that asks for a name alone. */
export interface RealProvider {
  issuer: string;
  /** Stops to listen, and listens again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const registered = { clientId: "penknife", clientSecret: "0123456789abcdef" };

// The types of the package would have to be installed for every type check.
interface ProviderInstance {
  callback(): (req: IncomingMessage, res: ServerResponse) => void;
  interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<{ uid: string }>;
  interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>;
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}
interface Context {
  oidc: { client: { clientId: string }; session: { accountId: string } };
}

/**
 * Opens a provider for one client with these people: their subjects and claims. Claims are in the ID token only if
 * `inToken` says so, and otherwise in the provider's userinfo, as OpenID Connect Core §5.4 has it.
 */
export async function openRealProvider({
  publicUrl,
  people,
  inToken = false,
  host = "127.0.0.1",
}: {
  publicUrl: string;
  people: People;
  inToken?: boolean;
  /** The host name of the issuer, which listens on 127.0.0.1. */
  host?: string;
}): Promise<RealProvider> {
  let handle: (req: IncomingMessage, res: ServerResponse) => void = () => {};
  const server = createServer((req, res) => handle(req, res));
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://${host}:${port}`;
  const { Provider } = createRequire(import.meta.url)("oidc-provider") as {
    Provider: new (issuer: string, configuration: object) => ProviderInstance;
  };
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: registered.clientId,
        client_secret: registered.clientSecret,
        redirect_uris: [`${publicUrl}/sign-in/callback`],
        post_logout_redirect_uris: [`${publicUrl}/sign-in`],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", kid: "first" }] },
    cookies: { keys: ["a key of the tests"] },
    claims: { openid: ["sub"], profile: ["name", "groups"] },
    conformIdTokenClaims: !inToken,
    pkce: { required: () => true },
    // The defaults would be logged one by one.
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/person/${uid}` },
    findAccount: (_: unknown, id: string) =>
      people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
    // The client needs no consent.
    async loadExistingGrant({ oidc: { client, session } }: Context) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid profile");
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  handle = (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? "", issuer);
    if (!pathname.startsWith("/person/")) return callback(req, res);
    const accountId = searchParams.get("name");
    if (accountId !== null) return void provider.interactionFinished(req, res, { login: { accountId } });
    const links = Object.keys(people).map((name) => `<p><a href="${pathname}?name=${name}">${name}</a>`);
    res
      .writeHead(200, { "content-type": "text/html" })
      .end(`<!doctype html><title>Who are you?</title>${links}`);
  };
  return {
    issuer,
    async stop() {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
    start: () => listen(port),
  };
}
