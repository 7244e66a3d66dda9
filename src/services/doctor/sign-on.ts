import type { Config } from "../../options.ts";
import { ProviderFault } from "../access/oidc/provider-fault.ts";
import { createProvider } from "../access/oidc/provider.ts";
import { type DoctorDeps, error, type Finding, note, ok, warning } from "./finding.ts";

/** From this difference on, the provider's tokens are refused (`toleranceSeconds`); the other one is a sign of trouble. */
const [worst, much] = [60, 10];

/** Checks single sign-on as a sign-in would: the addresses, the provider and the clocks of both. */
export async function checkSignOn({ oidc, web }: Config, { runtime }: DoctorDeps): Promise<Finding[]> {
  if (oidc.issuer === "") return [];
  let skew: number | undefined;
  const provider = createProvider({
    ...oidc,
    ...toUrls(web.publicUrl),
    claims: [],
    version: "doctor",
    runtime,
    onAnswer({ headers }) {
      const date = Date.parse(headers.get("date") ?? "");
      if (!Number.isNaN(date)) skew = Math.round((date - runtime.now()) / 1000);
    },
  });
  const findings = [checkUrl(web)];
  try {
    const signOut = await provider.toSignOut();
    findings.push(ok("signOn.provider", `${oidc.issuer} answers with valid metadata.`));
    if (signOut === undefined) {
      findings.push(
        note(
          "signOn.signOut",
          "The provider announces no address to sign out: signing out ends the session here alone.",
          "No action is needed; the provider's own pages end its session.",
        ),
      );
    }
  } catch (cause) {
    if (!(cause instanceof ProviderFault)) throw cause;
    const action =
      "Open <oidc.issuer>/.well-known/openid-configuration from this machine; for an internal authority set oidc.caFile.";
    findings.push(error("signOn.provider", cause.message, action));
  }
  if (skew !== undefined) findings.push(checkSkew(skew));
  return findings;
}

const toUrls = (publicUrl: string) => ({
  redirectUrl: `${publicUrl}/sign-in/callback`,
  signedOutUrl: `${publicUrl}/sign-in`,
});

function checkUrl({ publicUrl }: Config["web"]): Finding {
  const { redirectUrl } = toUrls(publicUrl);
  if (publicUrl.startsWith("https://"))
    return ok("signOn.redirectUrl", `The provider has to accept the redirect URL ${redirectUrl}.`);
  return warning(
    "signOn.redirectUrl",
    `The provider has to accept the redirect URL ${redirectUrl}, which is not HTTPS.`,
    "Set web.publicUrl to the HTTPS address of this server, unless this is a trial on this machine.",
  );
}

function checkSkew(seconds: number): Finding {
  const behind = seconds > 0 ? "behind" : "ahead of";
  const message = `The clock of this machine is ${Math.abs(seconds)} seconds ${behind} that of the provider`;
  const action = "Synchronize the clock with NTP (timedatectl set-ntp true).";
  if (Math.abs(seconds) >= worst) return error("signOn.clock", `${message}: sign-ins are refused.`, action);
  if (Math.abs(seconds) >= much) return warning("signOn.clock", `${message}.`, action);
  return ok("signOn.clock", "The clocks of this machine and of the provider agree.");
}
