import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Icon } from "../ui/icon.tsx";
import sheet from "./certificate.css";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { itemsOf, type Json, memberOf, readJson, textOf, toLine } from "./json.ts";
import { lookUp } from "./look-up.ts";
import parts from "./parts.css";
import { Card, jsonTab, Properties, type Property, toWords } from "./parts.tsx";
import report from "./report.css";
import { findingsTab } from "./report.tsx";
import type { View, ViewTab } from "./view.ts";

/** Certificates: the days left of the first, the chain, and the details of each; below a report, at the press of a button. */
export const certificateView: View = {
  sheets: [glyphs, code, parts, report, sheet],
  tabs: ({ report: found }) =>
    found === undefined
      ? [summaryTab, jsonTab]
      : [{ ...findingsTab, count: found.errors.length }, certificateTab, jsonTab],
};

const summaryTab: ViewTab = {
  id: "summary",
  label: "Summary",
  Component: ({ result }) => <Chain text={result as string} />,
  text: ({ result }) => describe(result as string),
};

const describe = (text: string): string =>
  certificatesOf(text)
    .map((one) =>
      rowsOf(one)
        .map(({ label, text: value }) => `${label}\t${value}`)
        .join("\n"),
    )
    .join("\n\n");

/** The certificate of a report, which has only findings: x509-parser reads it, on the server. */
const certificateTab: ViewTab = {
  id: "certificate",
  label: "Certificate",
  Component({ callOnServer, callInTab }) {
    const found = useSignal<{ text?: string; refusal?: string }>({});
    async function load(): Promise<void> {
      const outcome = await (callInTab?.({}, "x509-parser") ?? callOnServer?.("x509-parser", {}));
      if (outcome?.kind === "answer" && typeof outcome.result === "string")
        found.value = { text: outcome.result };
      else if (outcome?.kind === "refusal") found.value = { refusal: outcome.refusal.message };
    }
    if (found.value.text !== undefined) return <Chain text={found.value.text} />;
    return (
      <div class="v-view">
        <p class="v-row">
          <button type="button" onClick={() => void load()}>
            Show the certificate
          </button>
          <span class="muted small">x509-parser reads it on the server; it counts as a request.</span>
        </p>
        <p role="status">{found.value.refusal}</p>
      </div>
    );
  },
};

const certificatesOf = (text: string): readonly Json[] => itemsOf(memberOf(readJson(text), "certificates"));

const day = 86_400_000;

/** Returns the days that are left; undefined if the end cannot be read. */
const daysOf = (certificate: Json): number | undefined => {
  const days = memberOf(certificate, "daysLeft");
  return days?.kind === "number" ? Number(days.text) : undefined;
};

/** Green above 30 days, red from 7 on. */
const toneOf = (days: number | undefined): "ok" | "warn" | "bad" =>
  days === undefined || days <= 7 ? "bad" : days <= 30 ? "warn" : "ok";

const nameOf = (certificate: Json): string =>
  textOf(memberOf(certificate, "commonName")) === "null"
    ? (textOf(memberOf(certificate, "subject")) ?? "")
    : (textOf(memberOf(certificate, "commonName")) ?? textOf(memberOf(certificate, "subject")) ?? "");

function Chain({ text }: { text: string }): JSX.Element {
  const value = readJson(text);
  const certificates = certificatesOf(text);
  const chosen = useSignal(0);
  const shown = certificates[chosen.value] ?? certificates[0];
  const isOrdered = textOf(memberOf(value, "ordered")) === "true";
  if (shown === undefined) return <p class="v-view muted">There is no certificate.</p>;
  return (
    <div class="v-view">
      <Life certificate={shown} />
      <Card
        title="Chain"
        note={
          <span class={isOrdered ? "tag ok" : "tag warn"}>
            <Icon name={isOrdered ? "check" : "warn"} /> {isOrdered ? "in order" : "not in order"}
          </span>
        }
      >
        <ol class="v-chain">
          {certificates.map((one, index) => {
            const days = daysOf(one);
            return (
              <li key={index}>
                <button
                  type="button"
                  aria-current={index === chosen.value ? "true" : undefined}
                  onClick={() => (chosen.value = index)}
                >
                  <Icon name="cert" />
                  <span class="v-grow">
                    <strong>
                      <Glyphs>{nameOf(one)}</Glyphs>
                    </strong>
                    <span class="muted small">
                      {textOf(memberOf(one, "ca")) === "true" ? "authority" : "leaf"} ·{" "}
                      <Glyphs>{keyOf(one)}</Glyphs>
                    </span>
                  </span>
                  <span class={`tag ${toneOf(days)}`}>{toDays(days)}</span>
                </button>
              </li>
            );
          })}
        </ol>
      </Card>
      <Card title="Details">
        <Properties rows={rowsOf(shown)} />
      </Card>
    </div>
  );
}

const toDays = (days: number | undefined): string =>
  days === undefined
    ? "unreadable"
    : days < 0
      ? "expired"
      : days > 730
        ? `${Math.floor(days / 365)} years`
        : `${days} days`;

/** The days that are left, and how much of its life is over. */
function Life({ certificate }: { certificate: Json }): JSX.Element {
  const days = daysOf(certificate);
  const from = Date.parse(textOf(memberOf(certificate, "notBefore")) ?? "");
  const to = Date.parse(textOf(memberOf(certificate, "notAfter")) ?? "");
  const left = (days ?? 0) * day;
  const over = Math.min(Math.max((to - from - left) / (to - from), 0), 1);
  return (
    <section class="card">
      <div class="in v-life">
        <div>
          <p class="v-big">
            <Glyphs>{nameOf(certificate)}</Glyphs>
          </p>
          <p class="muted">
            issued by <Glyphs>{issuerOf(certificate)}</Glyphs>
          </p>
        </div>
        <p class={`v-days v-days-${toneOf(days)}`}>
          <b>{days === undefined ? "?" : Math.abs(days).toLocaleString()}</b>
          {days !== undefined && days < 0 ? "days ago" : "days left"}
        </p>
        <svg class="v-life-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width="100" height="1" />
          <rect width={Number.isFinite(over) ? over * 100 : 100} height="1" />
        </svg>
        <span class="muted small">{toDate(from)}</span>
        <span class="muted small">{toDate(to)}</span>
      </div>
    </section>
  );
}

const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

const toDate = (time: number): string => (Number.isNaN(time) ? "no date" : `${format.format(time)} UTC`);

/** The common name of the issuer, or all of its name; the details have it in any case. */
function issuerOf(certificate: Json): string {
  const issuer = textOf(memberOf(certificate, "issuer")) ?? "";
  return /(?:^|, )CN=((?:[^,\\]|\\.)+)/.exec(issuer)?.[1] ?? issuer;
}

const keyOf = (certificate: Json): string => {
  const key = memberOf(certificate, "key");
  return ["type", "curve", "bits"]
    .map((name) => textOf(memberOf(key, name)))
    .filter((text) => text !== undefined)
    .join(" ");
};

const words: Readonly<Record<string, string>> = {
  subjectAltNames: "Names",
  serialNumber: "Serial",
  fingerprintSha256: "SHA-256",
  fingerprintSha1: "SHA-1",
  publicKeySha256: "Pin (SPKI)",
  ca: "Authority",
};

function rowsOf(certificate: Json): Property[] {
  if (certificate.kind !== "object") return [];
  return certificate.members.flatMap(([name, value]) => {
    if (value.kind === "word" && value.text === "null") return [];
    const text =
      value.kind === "array"
        ? value.items.map((item) => textOf(item) ?? toLine(item)).join("\n")
        : value.kind === "object"
          ? value.members.map(([key, one]) => `${key}: ${textOf(one) ?? toLine(one)}`).join("\n")
          : value.text;
    return text === "" ? [] : [{ label: lookUp(words, name) ?? toWords(name), text }];
  });
}
