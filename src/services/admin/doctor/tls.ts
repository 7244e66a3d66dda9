import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { type DoctorDeps, error, type Finding, note, ok, warning } from "./finding.ts";
import type { Config } from "../../../options.ts";

const dayMs = 86_400_000;
const renewDays = 30;

/** The files as a client of the server would come to know them. */
export function checkTls({ tlsCert, tlsKey, host }: Config["server"], { now }: DoctorDeps): Finding[] {
  if (tlsCert === "") return [];
  const chain = readChain(tlsCert);
  if (!Array.isArray(chain)) return [chain];
  const [leaf, ...others] = chain as [X509Certificate, ...X509Certificate[]];
  return [
    ...checkKey(leaf, tlsKey),
    checkDates(chain, now()),
    ...checkOrder(leaf, others),
    ...checkNames(leaf, host),
  ];
}

function readChain(path: string): X509Certificate[] | Finding {
  const action = "Give the file of the certificate and those that issued it, in PEM (server.tlsCert).";
  try {
    const blocks =
      readFileSync(path, "latin1").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (blocks.length === 0)
      return error("tls.certificate", `${path} has no certificate in PEM form.`, action);
    return blocks.map((block) => new X509Certificate(block));
  } catch (cause) {
    return error("tls.certificate", `${path} cannot be read: ${(cause as Error).message}.`, action);
  }
}

function checkKey(leaf: X509Certificate, path: string): Finding[] {
  const action = "Give the key that the certificate was made with (server.tlsKey).";
  try {
    const key = createPrivateKey(readFileSync(path));
    if (!leaf.checkPrivateKey(key))
      return [error("tls.key", `${path} is not the key of the certificate.`, action)];
  } catch (cause) {
    return [error("tls.key", `${path} cannot be used: ${(cause as Error).message}.`, action)];
  }
  if ((statSync(path).mode & 0o004) === 0) return [ok("tls.key", "The key fits the certificate.")];
  return [
    warning(
      "tls.key",
      `Everybody on this machine may read ${path}.`,
      `Close it: chmod 640 ${path}, and give it to the user of the server.`,
    ),
  ];
}

/** The certificate of the chain that expires first ends the validity of the chain. */
function checkDates(chain: readonly X509Certificate[], time: number): Finding {
  const from = Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom)));
  const until = Math.min(...chain.map(({ validTo }) => Date.parse(validTo)));
  const shown = new Date(until).toISOString();
  const action = "Renew it, then send the server SIGHUP: no connection is dropped.";
  if (until <= time)
    return error("tls.expiry", `The certificate ended on ${shown}: clients refuse it.`, action);
  if (from > time)
    return error(
      "tls.expiry",
      `The certificate begins on ${new Date(from).toISOString()} only: clients refuse it.`,
      "Check the clock, or wait.",
    );
  const days = Math.floor((until - time) / dayMs);
  return days < renewDays
    ? warning("tls.expiry", `The certificate ends in ${days} days, on ${shown}.`, action)
    : ok("tls.expiry", `The certificate is good for ${days} days, until ${shown}.`);
}

function checkOrder(leaf: X509Certificate, others: readonly X509Certificate[]): Finding[] {
  const action =
    "Put the certificate first, and behind it those that issued it, each followed by its own issuer; certbot calls that fullchain.pem.";
  let last = leaf;
  for (const next of others) {
    if (!last.checkIssued(next))
      return [
        error(
          "tls.chain",
          `The file has a certificate that did not issue the one before it (${nameOf(next)}).`,
          action,
        ),
      ];
    last = next;
  }
  if (others.length > 0)
    return [ok("tls.chain", `The chain has ${others.length + 1} certificates, each issued by the next.`)];
  if (leaf.checkIssued(leaf)) {
    return [
      note(
        "tls.chain",
        "The certificate is its own issuer: clients know it only if they were told to.",
        "Give clients the certificate, or get one from an authority that they know.",
      ),
    ];
  }
  return [
    warning(
      "tls.chain",
      `The file has one certificate, and not the one that issued it (${leaf.issuer.replaceAll("\n", ", ")}): many clients refuse it.`,
      action,
    ),
  ];
}

function checkNames(leaf: X509Certificate, host: string): Finding[] {
  const names = leaf.subjectAltName;
  if (names === undefined)
    return [
      error(
        "tls.names",
        "The certificate names no host in subjectAltName: clients refuse it.",
        "Get one that does.",
      ),
    ];
  const every = host === "" || host === "0.0.0.0" || host === "::";
  const fits = every || (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined;
  if (fits) return [ok("tls.names", `The certificate is for ${names}.`)];
  return [
    note(
      "tls.names",
      `The certificate is for ${names}, and not for ${host}.`,
      "Call the server by one of those names.",
    ),
  ];
}

const nameOf = ({ subject }: X509Certificate): string => subject.replaceAll("\n", ", ");
