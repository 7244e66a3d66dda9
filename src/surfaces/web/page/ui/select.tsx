import type { JSX } from "preact";

/** A value and its text. */
export type Option<Value extends string> = readonly [value: Value, text: string];

export interface SelectProps<Value extends string> {
  id: string;
  class?: string;
  "aria-describedby"?: string;
  value: string;
  options: readonly Option<Value>[];
  onSelect(value: Value): void;
}

/** The control of a choice among a few values. */
export const Select = <Value extends string>({
  options,
  onSelect,
  ...attributes
}: SelectProps<Value>): JSX.Element => (
  <select {...attributes} onChange={({ currentTarget }) => onSelect(currentTarget.value as Value)}>
    {options.map(([id, text]) => (
      <option value={id} key={id}>
        {text}
      </option>
    ))}
  </select>
);
