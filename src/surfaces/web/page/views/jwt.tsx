import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { toVisible } from "../ui/text.tsx";
import { describeAlgorithm, meanings, times } from "./claims.ts";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { toLongAge } from "./hint.ts";
import { type Json, memberOf, readJson, textOf, toIndented, toLine } from "./json.ts";
import sheet from "./jwt.css";
import { Verify } from "./jwt-verify.tsx";
import { lookUp } from "./look-up.ts";
import parts from "./parts.css";
import { Banner, Card, CopyValue, jsonTab, textTab } from "./parts.tsx";
import report from "./report.css";
import { findingsTab, Verdict } from "./report.tsx";
import { isToken } from "./shape.ts";
import { decode, findParts, fromResult, type Token } from "./token.ts";
import type { View, ViewProps, ViewTab } from "./view.ts";

/** A token: decoded, verified, or just made. Each has the same cards. */
export const jwtView: View = {
  sheets: [glyphs, code, parts, report, sheet],
  tabs({ result, report: found }) {
    const text = result as string;
    if (found !== undefined) return [resultTab, { ...findingsTab, count: found.errors.length }, jsonTab];
    return isToken(text) ? [tokenTab, decodedTab, textTab] : [decodedTab, jsonTab];
  },
  marks: ({ input }) => (input.kind === "text" ? findParts(input.text) : []),
};

const decodedTab: ViewTab = {
  id: "decoded",
  label: "Decoded",
  Component(props) {
    const text = props.result as string;
    const token = useMemo(() => (isToken(text) ? decode(text) : fromResult(text)), [text]);
    return <Cards token={token} isVerified={false} canVerify props={props} />;
  },
  text({ result }) {
    const { header, payload } = isToken(result as string)
      ? decode(result as string)
      : fromResult(result as string);
    return [header, payload].map((part) => (part === undefined ? "" : toIndented(part))).join("\n");
  },
};

const tokenTab: ViewTab = {
  id: "token",
  label: "Token",
  Component: ({ result }) => (
    <div class="v-view">
      <section class="card">
        <div class="in v-token">
          <output class="v-value-large">
            {(result as string)
              .trim()
              .split(".")
              .map((part, index) => (
                <span key={index}>
                  {index === 0 ? "" : "."}
                  <span class={`v-part-${index + 1}`}>{part}</span>
                </span>
              ))}
          </output>
          <CopyValue title="Token" text={(result as string).trim()} />
        </div>
      </section>
    </div>
  ),
};

const resultTab: ViewTab = {
  id: "result",
  label: "Result",
  Component(props) {
    const { input, result, report: found } = props;
    const claims = memberOf(readJson(result as string), "claims");
    const given = input.kind === "text" && isToken(input.text.trim()) ? decode(input.text.trim()) : undefined;
    return (
      <>
        <div class="v-view">
          {found?.valid === true ? (
            <Banner tone="ok" title="The signature is genuine.">
              The claims hold, too.
            </Banner>
          ) : (
            <Verdict {...props} />
          )}
          <ul class="v-rows">
            {found?.errors.map(({ message, rule }, index) => (
              <li key={index}>
                <Icon name="bad" />
                <Glyphs>{message}</Glyphs>
                <span class="muted small">
                  <Glyphs>{rule}</Glyphs>
                </span>
              </li>
            ))}
          </ul>
        </div>
        <Cards
          token={{ header: given?.header, payload: claims ?? given?.payload, signature: given?.signature }}
          isVerified={found?.valid === true}
          canVerify={false}
          props={props}
        />
      </>
    );
  },
  text: ({ result }) => {
    const claims = memberOf(readJson(result as string), "claims");
    return claims === undefined ? (result as string) : toIndented(claims);
  },
};

interface CardsProps {
  token: Token;
  isVerified: boolean;
  canVerify: boolean;
  props: ViewProps;
}

function Cards({
  token: { header, payload, signature },
  isVerified,
  canVerify,
  props,
}: CardsProps): JSX.Element {
  const outer =
    typeof props.result === "string" && !isToken(props.result) ? readJson(props.result) : undefined;
  return (
    <div class="v-view">
      {props.report === undefined ? <Validity payload={payload} isVerified={isVerified} /> : null}
      {header === undefined ? null : <Members title="Header" value={header} part={1} />}
      {payload === undefined ? null : (
        <Members title="Claims" value={payload} part={2} times={memberOf(outer, "times")} />
      )}
      {signature === undefined || signature === "" ? null : (
        <Card
          title="Signature"
          class="v-token-part v-token-3"
          note={
            <code class="v-signature">
              <Glyphs>{signature}</Glyphs>
            </code>
          }
          action={<CopyValue title="Signature" text={signature} />}
        >
          {canVerify && props.callOnServer !== undefined ? <Verify header={header} props={props} /> : null}
        </Card>
      )}
    </div>
  );
}

/** Says whether a token is valid at this moment, by its own times. */
function Validity({ payload, isVerified }: { payload: Json | undefined; isVerified: boolean }): JSX.Element {
  const now = Date.now();
  const secondsOf = (name: string): number | undefined => {
    const value = memberOf(payload, name);
    return value?.kind === "number" ? Number(value.text) * 1000 : undefined;
  };
  const [from, to] = [secondsOf("nbf"), secondsOf("exp")];
  const badge = isVerified ? null : <span class="tag warn">Not verified</span>;
  if (from !== undefined && from > now)
    return (
      <Banner tone="warn" title="Not valid yet." action={badge}>
        Valid from {toDate(from)}, {toLongAge(from)}.
      </Banner>
    );
  if (to === undefined)
    return (
      <Banner tone="info" title="It never expires." action={badge}>
        There is no claim exp.
      </Banner>
    );
  return to <= now ? (
    <Banner tone="bad" title="Expired" action={badge}>
      {toDate(to)}, {toLongAge(to)}
    </Banner>
  ) : (
    <Banner tone="ok" title="Valid" action={badge}>
      until {toDate(to)}, {toLongAge(to)}
    </Banner>
  );
}

/** Whether times are shown in the zone of this browser. */
const isLocal = signal(false);

const zones = [
  ["utc", "UTC"],
  ["local", "Local"],
] as const;

const formats = [undefined, "UTC"].map(
  (timeZone) =>
    new Intl.DateTimeFormat("en-GB", {
      dateStyle: "medium",
      timeStyle: "long",
      ...(timeZone !== undefined && { timeZone }),
    }),
);

function toDate(time: number): string {
  const format = formats[isLocal.value ? 0 : 1];
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? (format?.format(time) ?? "") : "no date";
}

interface MembersProps {
  title: string;
  value: Json;
  part: 1 | 2;
  /** The same times as RFC 3339, as the tool gives them. */
  times?: Json | undefined;
}

function Members({ title, value, part, times: given }: MembersProps): JSX.Element {
  const members = value.kind === "object" ? value.members : [];
  const hasTimes = members.some(([name]) => lookUp(times, name) !== undefined);
  return (
    <Card
      title={title}
      note={`${members.length}`}
      class={`v-token-part v-token-${part}`}
      action={
        <>
          {hasTimes ? (
            <Segmented
              label="Times"
              options={zones}
              value={isLocal.value ? "local" : "utc"}
              onSelect={(zone) => (isLocal.value = zone === "local")}
            />
          ) : null}
          <CopyValue title={title} text={toIndented(value)} />
        </>
      }
    >
      <table class="v-claims">
        <tbody>
          {members.map(([name, member], index) => (
            <tr key={index}>
              <th scope="row">
                <code class="v-key">
                  <Glyphs>{name}</Glyphs>
                </code>
              </th>
              <td>
                <code class={`v-${member.kind === "string" ? "plain" : member.kind}`}>
                  <Glyphs>{toShown(member)}</Glyphs>
                </code>
              </td>
              <td class="muted" title={toVisible(textOf(memberOf(given, name)) ?? "")}>
                {explain(name, member)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function toShown(value: Json): string {
  if ("text" in value) return value.text;
  return value.kind === "array" && value.items.every((item) => "text" in item)
    ? value.items.map((item) => textOf(item)).join(", ")
    : toLine(value);
}

function explain(name: string, value: Json): string | undefined {
  const words = lookUp(times, name);
  if (words !== undefined && value.kind === "number") {
    const time = Number(value.text) * 1000;
    const word = words[time > Date.now() ? 1 : 0];
    return `${word} ${toDate(time)}`;
  }
  return name === "alg" && value.kind === "string" ? describeAlgorithm(value.text) : lookUp(meanings, name);
}
