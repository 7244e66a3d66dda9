import { useSignal } from "@preact/signals";
import { h, type JSX, type TargetedInputEvent } from "preact";
import { NowButton } from "../ui/now-button.tsx";
import type { FieldSchema } from "./definition.ts";
import { parseField, showField } from "./fields.ts";

export interface TypedProps {
  id: string;
  label: string;
  "aria-describedby"?: string;
  kind: "number" | "secret" | "document" | "line";
  schema: FieldSchema;
  value: unknown;
  /** Whether the tool needs it. */
  isRequired: boolean;
  onChange(value: unknown): void;
}

/** Longest secret that is a word and not a key in PEM, which has lines. */
const maxWord = 4096;

/** The control of a number or a text; it grows with the lines of a text that may have several. */
export function Typed(props: TypedProps): JSX.Element {
  const { label, kind, schema, value, isRequired, onChange, ...attributes } = props;
  const isShown = useSignal(false);
  const shared = {
    ...attributes,
    autocomplete: "off",
    spellcheck: false,
    "aria-required": isRequired,
    placeholder: isRequired ? "Required" : (showField(schema.default).split("\n")[0] ?? ""),
    value: showField(value),
  } as const;
  const hasLines = kind === "document" || (kind === "secret" && (schema.maxLength ?? Infinity) > maxWord);
  const control = hasLines ? (
    <textarea
      {...shared}
      rows={1}
      class={kind === "secret" && !isShown.value ? "growing masked" : "growing"}
      onInput={({ currentTarget }) => onChange(parseField(kind, currentTarget.value))}
    />
  ) : (
    h("input", {
      ...shared,
      type: kind === "number" ? "number" : kind === "secret" && !isShown.value ? "password" : "text",
      ...(kind === "number" && { step: schema.type === "integer" ? 1 : "any" }),
      ...(schema.minimum !== undefined && { min: schema.minimum }),
      ...(schema.maximum !== undefined && { max: schema.maximum }),
      onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
        onChange(parseField(kind, currentTarget.value)),
    })
  );
  // A time that has a default, such as an epoch, is no moment.
  if (schema.format === "date-time" && schema.default === undefined)
    return (
      <span class="with-button">
        {control}
        <NowButton label={label} onEnter={onChange} />
      </span>
    );
  if (kind !== "secret") return control;
  return (
    // A browser looks for the form of a password field, and offers nothing here: the field is not for signing in.
    <form class="secret with-button" autocomplete="off" onSubmit={(event) => event.preventDefault()}>
      {control}
      <button
        type="button"
        class="quiet small"
        aria-pressed={isShown.value}
        onClick={() => (isShown.value = !isShown.value)}
      >
        Show
      </button>
    </form>
  );
}
