import type { Signal } from "@preact/signals";
import { type ComponentChildren, h, type JSX, type TargetedInputEvent } from "preact";
import { Field } from "./field.tsx";

export interface SelectFieldProps {
  label: string;
  hint?: ComponentChildren | undefined;
  value: Signal<string>;
  /** Values and their texts. */
  options: readonly (readonly [value: string, text: string])[];
}

/** A choice among a few values. */
export const SelectField = ({ label, hint, value, options }: SelectFieldProps): JSX.Element => (
  <Field label={label} hint={hint}>
    {(attributes) => (
      <select
        {...attributes}
        value={value.value}
        onChange={({ currentTarget }) => (value.value = currentTarget.value)}
      >
        {options.map(([id, text]) => (
          <option value={id} key={id}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

export interface TextFieldProps {
  label: string;
  hint?: ComponentChildren | undefined;
  value: Signal<string>;
  type?: "text" | "url" | "date" | "number";
  required?: boolean;
  maxLength?: number;
  min?: string;
}

/** A line of text. */
export const TextField = ({ label, hint, value, ...rest }: TextFieldProps): JSX.Element => (
  <Field label={label} hint={hint}>
    {(attributes) =>
      h("input", {
        ...attributes,
        ...rest,
        autocomplete: "off",
        spellcheck: false,
        value: value.value,
        onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
          (value.value = currentTarget.value),
      })
    }
  </Field>
);
