import type { AuthorizationServer } from "oauth4webapi";
import type { OauthLibrary } from "../../../lib/load.ts";
import { ProviderFault } from "./provider-fault.ts";
import type { Runtime } from "../../../runtime.ts";

/** Returns the metadata of the provider, read at most `maxAgeMs` ago. Rejects with ProviderFault. */
export type Discover = (maxAgeMs: number) => Promise<AuthorizationServer>;

/** @param open Returns the library and its options of a request. */
export function createDiscovery(
  { issuer, runtime }: { issuer: string; runtime: Runtime },
  open: () => Promise<{ library: OauthLibrary; request: object }>,
): Discover {
  let last: { at: number; server: Promise<AuthorizationServer> } | undefined;

  async function read(): Promise<AuthorizationServer> {
    const { library, request } = await open();
    const url = new URL(issuer);
    try {
      const server = await library.processDiscoveryResponse(
        url,
        await library.discoveryRequest(url, request),
      );
      for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
        requireUrl(name, server[name], url);
      for (const name of ["userinfo_endpoint", "end_session_endpoint"] as const)
        if (server[name] !== undefined) requireUrl(name, server[name], url);
      // Symmetric algorithms would make the client secret a signing key, and `none` signs nothing.
      const announced = server.id_token_signing_alg_values_supported;
      if (announced === undefined) return server;
      return {
        ...server,
        id_token_signing_alg_values_supported: announced.filter((name) => asymmetric.test(name)),
      };
    } catch (error) {
      if (error instanceof ProviderFault) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ProviderFault("unavailable", `The metadata of ${issuer} are not valid: ${reason}.`);
    }
  }

  // Callers at the same time share one request; a failure is not kept.
  return (maxAgeMs) => {
    if (last === undefined || runtime.monotonic() - last.at >= maxAgeMs) {
      const made = { at: runtime.monotonic(), server: read() };
      made.server.catch(() => {
        if (last === made) last = undefined;
      });
      last = made;
    }
    return last.server;
  };
}

const asymmetric = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$/;

/** These URLs receive browsers, secrets and tokens: a provider on HTTPS must not name one without it. */
function requireUrl(name: string, value: string | undefined, { protocol }: URL): void {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && protocol === "http:")) return;
  throw new ProviderFault("unavailable", `The metadata of the provider have no valid ${name}.`);
}
