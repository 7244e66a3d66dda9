import type { JSX } from "preact";
import { useId, useMemo } from "preact/hooks";
import { localZone } from "./fields.ts";

export interface ZoneFieldProps {
  id: string;
  value: string;
  placeholder: string;
  onChange(value: string): void;
}

/** The field of a time zone. It proposes the names that the browser knows; a tool takes others, such as offsets, too. */
export function ZoneField({ id, value, placeholder, onChange }: ZoneFieldProps): JSX.Element {
  const list = useId();
  const names = useMemo(() => [...new Set([localZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])], []);
  return (
    <>
      <input
        id={id}
        type="text"
        class="zone"
        list={list}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={list}>
        {names.map((name, index) => (
          <option value={name} label={index === 0 ? "this browser" : undefined} key={name} />
        ))}
      </datalist>
      {value === localZone() ? <span class="hint wide-only">this browser</span> : null}
    </>
  );
}
