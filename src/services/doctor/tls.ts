import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { type DoctorDeps, error, type Finding, note, ok, warning } from "./finding.ts";
import type { Config } from "../../options.ts";

const dayMs = 86_400_000;
const renewDays = 30;

/** Checks the certificate and its key as a client would. */
export function checkTls({ tlsCert, tlsKey, host }: Config["server"], { runtime }: DoctorDeps): Finding[] {
  if (tlsCert === "") return [];
  const chain = readChain(tlsCert);
  if (!Array.isArray(chain)) return [chain];
  const [leaf, ...others] = chain as [X509Certificate, ...X509Certificate[]];
  return [
    ...checkKey(leaf, tlsKey),
    checkDates(chain, runtime.now()),
    ...checkOrder(leaf, others),
    ...checkNames(leaf, host),
  ];
}

function readChain(path: string): X509Certificate[] | Finding {
  const action = "Set server.tlsCert to a PEM file with the certificate and its issuers.";
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
  const action = "Set server.tlsKey to the file with the private key of the certificate.";
  try {
    const key = createPrivateKey(readFileSync(path));
    if (!leaf.checkPrivateKey(key))
      return [error("tls.key", `${path} is not the key of the certificate.`, action)];
  } catch (cause) {
    return [error("tls.key", `${path} cannot be used: ${(cause as Error).message}.`, action)];
  }
  if ((statSync(path).mode & 0o004) === 0) return [ok("tls.key", "The key matches the certificate.")];
  return [
    warning(
      "tls.key",
      `Everybody on this machine can read ${path}.`,
      `Run chmod 640 ${path}, and give the file to the server's user.`,
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
    return error("tls.expiry", `The certificate expired on ${shown}: clients refuse it.`, action);
  if (from > time)
    return error(
      "tls.expiry",
      `The certificate is not valid before ${new Date(from).toISOString()}: clients refuse it.`,
      "Check the clock, or wait.",
    );
  const days = Math.floor((until - time) / dayMs);
  return days < renewDays
    ? warning("tls.expiry", `The certificate expires in ${days} days, on ${shown}.`, action)
    : ok("tls.expiry", `The certificate is valid for ${days} days, until ${shown}.`);
}

function checkOrder(leaf: X509Certificate, others: readonly X509Certificate[]): Finding[] {
  const action =
    "Put the certificate first, then its issuer, then the issuer of that one, and so on; certbot calls this file fullchain.pem.";
  let last = leaf;
  for (const next of others) {
    if (!last.checkIssued(next))
      return [
        error(
          "tls.chain",
          `The file contains a certificate that did not issue the one before it (${nameOf(next)}).`,
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
        "The certificate is self-signed: clients accept it only if they are configured to trust it.",
        "Install the certificate on the clients, or get one from an authority that they trust.",
      ),
    ];
  }
  return [
    warning(
      "tls.chain",
      `The file contains the certificate without its issuer (${leaf.issuer.replaceAll("\n", ", ")}): many clients refuse it.`,
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
      `The certificate is for ${names}, not for ${host}.`,
      "Reach the server under one of these names.",
    ),
  ];
}

const nameOf = ({ subject }: X509Certificate): string => subject.replaceAll("\n", ", ");
