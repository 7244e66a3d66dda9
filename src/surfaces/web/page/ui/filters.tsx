import type { ComponentChildren, JSX } from "preact";
import { Segmented } from "./segmented.tsx";
import { type Option, Select } from "./select.tsx";

/** A field that selects rows. The value "" selects all of them. */
export interface Filter<Value extends string> {
  label: string;
  first: Value;
  /** Whether the field is shown. */
  when?(values: Selection): boolean;
  /** Renders the control, which calls `onSelect` with each new value. */
  control(id: string, value: string, onSelect: (value: Value) => void): JSX.Element;
  /** Whether the control contains its label. */
  isLabelled?: boolean;
}

/** The selected values, by the names of the filters. */
export type Selection = Readonly<Record<string, string>>;
export type Filters<V extends Selection> = { readonly [Name in keyof V]: Filter<V[Name]> };

/** A text that rows have to contain. With `isLive` it selects while the user types. */
export const searchFilter = (label: string, maxLength?: number, isLive = false): Filter<string> => ({
  label,
  first: "",
  isLabelled: true,
  control: (id, value, onSelect) => (
    <input
      id={id}
      aria-label={label}
      placeholder={label}
      type="search"
      maxLength={maxLength}
      value={value}
      {...{
        [isLive ? "onInput" : "onChange"]: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
          onSelect(currentTarget.value),
      }}
    />
  ),
});

/** One of a few values, at first the first one. */
export const choiceFilter = <const Value extends string>(
  label: string,
  options: readonly [Option<Value>, ...Option<Value>[]],
  /** Returns further options, such as those that the server has; the width of the field does not depend on them. */
  more?: (chosen: string) => readonly Option<Value>[],
): Filter<Value> => ({
  label,
  first: options[0][0],
  control: (id, value, onSelect) => (
    <Select
      id={id}
      {...(more !== undefined && { class: "even" })}
      value={value}
      options={[...options, ...(more?.(value) ?? [])]}
      onSelect={onSelect}
    />
  ),
});

/** One of a few values in short words, all of which are seen. */
export const segmentFilter = <const Value extends string>(
  label: string,
  options: readonly [Option<Value>, ...Option<Value>[]],
): Filter<Value> => ({
  label,
  first: options[0][0],
  isLabelled: true,
  control: (_, value, onSelect) => (
    <Segmented label={label} options={options} value={value} onSelect={(one) => onSelect(one as Value)} />
  ),
});

/** A day between two others, such as "2026-11-21". */
export const dayFilter = (
  label: string,
  range: () => { first: string; last: string },
  when: (values: Selection) => boolean,
): Filter<string> => ({
  label,
  first: range().last,
  when,
  control: (id, value, onSelect) => (
    <input
      id={id}
      type="date"
      min={range().first}
      max={range().last}
      value={value}
      onChange={({ currentTarget }) => {
        if (currentTarget.value !== "" && currentTarget.validity.valid) onSelect(currentTarget.value);
      }}
    />
  ),
});

/** A box to tick. */
export const checkFilter = (text: string): Filter<"" | "yes"> => ({
  label: text,
  first: "",
  isLabelled: true,
  control: (_, value, onSelect) => (
    <label class="check">
      <input
        type="checkbox"
        checked={value === "yes"}
        onChange={({ currentTarget }) => onSelect(currentTarget.checked ? "yes" : "")}
      />
      {text}
    </label>
  ),
});

export const firstValuesOf = <V extends Selection>(filters: Filters<V>): V =>
  Object.fromEntries(entriesOf(filters).map(([name, { first }]) => [name, first])) as V;

const entriesOf = <V extends Selection>(filters: Filters<V>): [name: string, filter: Filter<string>][] =>
  Object.entries<Filter<string>>(filters);

export interface FilterFormProps<V extends Selection> {
  filters: Filters<V>;
  values: V;
  onSelect(changes: Partial<V>): void;
  /** Stands before the fields. */
  title?: ComponentChildren;
  /** Stands beside the fields. */
  children?: ComponentChildren;
}

/** The fields that select rows; a search, for assistive technology, if one of them is named `search`. */
export const FilterForm = <V extends Selection>({
  filters,
  values,
  onSelect,
  title,
  children,
}: FilterFormProps<V>): JSX.Element => (
  <form
    class="filters"
    role={"search" in filters ? "search" : undefined}
    onSubmit={(event) => event.preventDefault()}
  >
    {title}
    {entriesOf(filters).map(([name, { label, when, control, isLabelled }]) =>
      when?.(values) === false ? null : (
        <span class="filter" key={name}>
          {isLabelled ? null : <label for={name}>{label}</label>}
          {control(name, values[name] ?? "", (value) => onSelect({ [name]: value } as Partial<V>))}
        </span>
      ),
    )}
    {children}
  </form>
);
