import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import code from "./code/code.css";
import sheet from "./digests.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { Icon } from "../ui/icon.tsx";
import { download } from "../tools/download.ts";
import { useManyRuns } from "./many-runs.ts";
import { lookUp } from "./look-up.ts";
import parts from "./parts.css";
import { CopyValue, textTab } from "./parts.tsx";
import type { View, ViewProps, ViewTab } from "./view.ts";

/** All digests of a document as rows, of which one can be compared with a given one. The tool runs once a row, in the tab. */
export const digestsView: View = {
  sheets: [glyphs, code, parts, sheet],
  tabs: () => [digestsTab, textTab],
};

const digestsTab: ViewTab = { id: "digests", label: "Digests", Component: Digests };

/** Functions that are shown at once; the others at the press of a button. */
const usual = ["sha256", "sha512", "sha384", "sha3-256", "blake2s256", "blake2b512", "sha1", "md5"];
/** Hash functions with known collisions. */
const broken = new Set(["md5", "sha1", "ripemd", "md4"]);

const names: Readonly<Record<string, string>> = {
  md5: "MD5",
  ripemd160: "RIPEMD-160",
  sm3: "SM3",
  blake2b512: "BLAKE2b",
  blake2s256: "BLAKE2s",
  shake128: "SHAKE128",
  shake256: "SHAKE256",
};

const nameOf = (algorithm: string): string =>
  lookUp(names, algorithm) ??
  algorithm
    .replace(/^sha(?=\d+$)/, "SHA-")
    .replace(/^sha/, "SHA")
    .replace(/^keccak/, "Keccak");

function Digests(props: ViewProps): JSX.Element {
  const { definition, options, result, input } = props;
  const hasMore = useSignal(false);
  const wanted = useSignal("");
  const schema = definition?.input.properties["algorithm"];
  const all = schema?.enum ?? [];
  const chosen = String(options["algorithm"] ?? schema?.default ?? "");
  const first = all.filter((one) => usual.includes(one));
  const shown = hasMore.value ? all : first.length > 0 ? usual.filter((one) => all.includes(one)) : all;
  const listed = chosen === "" || shown.includes(chosen) ? shown : [chosen, ...shown];
  const runs = useManyRuns(props, "algorithm", listed.length === 0 ? [chosen] : listed);
  const digestOf = (value: string | number, found: string | null | undefined): string | null | undefined =>
    value === chosen ? (result as string) : found;
  const isAsked = wanted.value.trim() !== "";
  const equal = runs.value.find(({ value, result: found }) => isSame(digestOf(value, found), wanted.value));
  const isReady = runs.value.every(({ result: found }) => found !== undefined);
  const sums = runs.value.find(({ value }) => value === "sha256");
  const hex = digestOf("sha256", sums?.result);

  return (
    <div>
      <div class="v-compare">
        <label>
          <span class="muted">Compare with</span>
          <input
            type="text"
            spellcheck={false}
            autocomplete="off"
            value={wanted.value}
            onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
          />
        </label>
        <span role="status">
          {!isAsked ? null : equal !== undefined ? (
            <span class="tag ok">
              <Icon name="check" /> {nameOf(String(equal.value))}
            </span>
          ) : isReady ? (
            <span class="tag bad">
              <Icon name="bad" /> no digest equals it
            </span>
          ) : (
            <span class="tag">comparing …</span>
          )}
        </span>
      </div>
      {runs.value.map(({ value, result: found }) => {
        const digest = digestOf(value, found);
        const name = nameOf(String(value));
        return (
          <div class={isAsked && value === equal?.value ? "v-digest v-hit" : "v-digest"} key={value}>
            <span>
              <strong>{name}</strong>{" "}
              {broken.has(String(value)) ? <span class="tag warn">broken</span> : null}
            </span>
            <code>
              <Glyphs>{digest ?? (digest === null ? "not for these options" : "…")}</Glyphs>
            </code>
            {typeof digest === "string" ? <CopyValue title={name} text={digest} /> : null}
          </div>
        );
      })}
      <p class="v-row v-foot">
        {hasMore.value || all.length <= shown.length ? null : (
          <button type="button" onClick={() => (hasMore.value = true)}>
            <Icon name="plus" /> {all.length - shown.length} more
          </button>
        )}
        {input.kind === "file" && typeof hex === "string" && /^[\da-f]{64}$/.test(hex) ? (
          <button type="button" onClick={() => download("SHA256SUMS", `${hex}  ${input.name}\n`)}>
            <Icon name="download" /> SHA256SUMS
          </button>
        ) : null}
        <span class="muted small">The tool runs once a row, in this tab.</span>
      </p>
    </div>
  );
}

/** Whether a digest is the given one: in either case of hexadecimal digits, and with what a list of sums has beside it. */
function isSame(digest: string | null | undefined, wanted: string): boolean {
  if (digest === null || digest === undefined) return false;
  const isHex = /^[\da-f]+$/i.test(digest);
  const fold = (text: string): string => (isHex ? text.toLowerCase() : text);
  return wanted
    .trim()
    .split(/\s+/)
    .some((word) => fold(word.replace(/^\*/, "")) === fold(digest));
}
