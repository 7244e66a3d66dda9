import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Glyphs } from "./glyphs.tsx";
import { type Json, memberOf, textOf } from "./json.ts";
import { Banner } from "./parts.tsx";
import type { ViewProps } from "./view.ts";

/** Verifies the signature with jwt-verifier, on the server, at the press of the button. */
export function Verify({ header, props }: { header: Json | undefined; props: ViewProps }): JSX.Element {
  const key = useSignal("");
  const answer = useSignal<{ isGenuine: boolean; text: string } | undefined>(undefined);
  const isBusy = useSignal(false);
  const encoding = useSignal("utf8");
  const algorithm = textOf(memberOf(header, "alg")) ?? "";
  const isSecret = algorithm.startsWith("HS");

  async function verify(): Promise<void> {
    isBusy.value = true;
    const outcome = await props.callOnServer?.("jwt-verifier", {
      key: key.value,
      algorithms: [algorithm],
      ...(isSecret && { keyEncoding: encoding.value }),
    });
    isBusy.value = false;
    if (outcome?.kind === "refusal") answer.value = { isGenuine: false, text: outcome.refusal.message };
    if (outcome?.kind !== "answer") return;
    const [first] = outcome.report?.errors ?? [];
    answer.value =
      outcome.report?.valid === true
        ? { isGenuine: true, text: "The signature is genuine." }
        : { isGenuine: false, text: first?.message ?? "The signature is not genuine." };
  }

  return (
    <form
      class="in v-verify"
      onSubmit={(event) => {
        event.preventDefault();
        void verify();
      }}
    >
      <label>
        <span>Secret or public key</span>
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="Secret, PEM or JWK"
          value={key.value}
          onInput={({ currentTarget }) => (key.value = currentTarget.value)}
        />
      </label>
      <p class="muted small">Verifying runs on the server, when you press Verify.</p>
      <div class="v-row">
        {isSecret ? (
          <label class="v-row">
            <span class="muted">Secret is</span>
            <select
              value={encoding.value}
              onChange={({ currentTarget }) => (encoding.value = currentTarget.value)}
            >
              {encodings.map(([value, words]) => (
                <option value={value} key={value}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <span class="end" />
        <button type="submit" class="primary" aria-disabled={key.value === "" || isBusy.value}>
          {isBusy.value ? "Verifying …" : "Verify"}
        </button>
      </div>
      <div role="status">
        {answer.value === undefined ? null : (
          <Banner
            tone={answer.value.isGenuine ? "ok" : "bad"}
            title={answer.value.isGenuine ? "Verified." : "Not verified."}
          >
            <Glyphs>{answer.value.text}</Glyphs>
          </Banner>
        )}
      </div>
    </form>
  );
}

/** The values of the option keyEncoding. */
const encodings = [
  ["utf8", "text"],
  ["hex", "hex"],
  ["base64", "base64"],
] as const;
