import type { Signal } from "@preact/signals";
import { type ComponentChildren, h, type JSX, type TargetedInputEvent } from "preact";
import { Field } from "./field.tsx";
import { type Option, Select } from "./select.tsx";

/** The values of a form, by the names of its fields. */
export type Values = Readonly<Record<string, unknown>>;

/** A field of a form. */
export interface FormField<Value> {
  first: Value;
  /** Whether the field is shown. */
  when?: ((values: Values) => boolean) | undefined;
  control(value: Signal<Value>, values: Values): JSX.Element;
}

type Hint = ComponentChildren | ((values: Values) => ComponentChildren);
const toHint = (hint: Hint, values: Values): ComponentChildren =>
  typeof hint === "function" ? hint(values) : hint;

export interface TextOptions {
  hint?: Hint;
  first?: string;
  when?(values: Values): boolean;
  type?: "text" | "url" | "date" | "number";
  required?: boolean;
  maxLength?: number;
  min?: string;
}

/** A line of text. */
export const textField = (label: string, options: TextOptions = {}): FormField<string> => {
  const { hint, first = "", when, ...attributes } = options;
  return {
    first,
    when,
    control: (value, values) => (
      <TextField label={label} hint={toHint(hint, values)} value={value} {...attributes} />
    ),
  };
};

export interface ChoiceOptions<Value> {
  hint?: Hint;
  /** The first option by default. */
  first?: Value | undefined;
  when?(values: Values): boolean;
}

/** A choice among a few values. */
export const choiceField = <const Value extends string>(
  label: string,
  options: readonly [Option<Value>, ...Option<Value>[]],
  { hint, first = options[0][0], when }: ChoiceOptions<Value> = {},
): FormField<Value> => ({
  first,
  when,
  control: (value, values) => (
    <Field label={label} hint={toHint(hint, values)}>
      {(attributes) => (
        <Select
          {...attributes}
          value={value.value}
          options={options}
          onSelect={(next) => (value.value = next)}
        />
      )}
    </Field>
  ),
});

/** Any number of values. */
export const checksField = <Value extends string>(
  legend: string,
  options: () => readonly (readonly [value: Value, text: ComponentChildren])[],
): FormField<readonly Value[]> => ({
  first: [],
  control: (value) => (
    <fieldset>
      <legend>{legend}</legend>
      {options().map(([id, text]) => (
        <label class="check" key={id}>
          <input
            type="checkbox"
            checked={value.value.includes(id)}
            onChange={({ currentTarget }) => {
              const others = value.value.filter((one) => one !== id);
              value.value = currentTarget.checked ? [...others, id] : others;
            }}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  ),
});

export interface TextFieldProps extends Pick<TextOptions, "type" | "required" | "maxLength" | "min"> {
  label: string;
  hint?: ComponentChildren;
  value: Signal<string>;
}

/** The control of a line of text. */
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
