import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { Segmented } from "../ui/segmented.tsx";
import type { FieldSchema } from "./definition.ts";
import { kindOf, showField, withOption } from "./fields.ts";
import { IndentField } from "./indent-field.tsx";
import { OptionField } from "./option-field.tsx";
import { PatternField } from "./pattern-field.tsx";
import { isChanged, type ToolState } from "./state.ts";
import { Typed } from "./typed.tsx";
import { labelOf, wordOf } from "./words.ts";
import { ZoneField } from "./zone-field.tsx";

export interface ControlProps {
  state: ToolState;
  name: string;
  schema: FieldSchema;
  isRequired: boolean;
  /** Whether it has all the width that the others leave. */
  isLarge?: boolean;
}

/** Values and characters of a choice all of whose values are seen. */
const maxSegments = 5;
const maxSegmentText = 36;

/** The control of a usual option: label and value in one line. A dot marks a value that is not the page's own. */
export function Control({ state, name, schema, isRequired, isLarge = false }: ControlProps): JSX.Element {
  const { definition, options } = state;
  const id = useId();
  const kind = kindOf(name, schema);
  const value = options.value[name] ?? schema.default;
  const label = labelOf(definition, name);
  const { description } = schema;
  const set = (next: unknown): void => {
    options.value = withOption(options.value, name, next, schema);
  };

  if (kind === "flag")
    return (
      <label class="check option" title={description}>
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
        {label}
        <Dot state={state} name={name} />
      </label>
    );
  if (name === "indent" && kind === "number")
    return (
      <span class="option" title={description}>
        <span class="label">
          {label}
          <Dot state={state} name={state.options.value["useTabs"] === true ? "useTabs" : name} />
        </span>
        <IndentField state={state} schema={schema} />
      </span>
    );
  if (kind === "lines" || kind === "choices")
    return <Several state={state} name={name} schema={schema} isRequired={isRequired} />;
  const words =
    kind === "choice" ? (schema.enum ?? []).map((one) => [one, wordOf(definition, name, one)] as const) : [];
  const isShort =
    words.length <= maxSegments && words.reduce((sum, [, text]) => sum + text.length, 0) <= maxSegmentText;
  if (kind === "choice" && isShort && value !== undefined)
    return (
      <span class="option" title={description}>
        <span class="label">
          {label}
          <Dot state={state} name={name} />
        </span>
        <Segmented label={label} options={words} value={String(value)} onSelect={set} />
      </span>
    );
  return (
    <span class={isLarge ? "option large" : isWide(kind) ? "option wide" : "option"} title={description}>
      <label for={id}>
        {label}
        <Dot state={state} name={name} />
      </label>
      {kind === "choice" ? (
        <select
          id={id}
          value={showField(value)}
          onChange={({ currentTarget }) => set(currentTarget.value === "" ? undefined : currentTarget.value)}
        >
          {value === undefined ? <option value="">Choose …</option> : null}
          {words.map(([one, text]) => (
            <option value={one} key={one}>
              {text}
            </option>
          ))}
        </select>
      ) : name === definition.page?.regex?.field ? (
        <PatternField id={id} state={state} name={name} schema={schema} />
      ) : definition.page?.zones?.includes(name) === true ? (
        <ZoneField
          id={id}
          value={showField(options.value[name])}
          placeholder={showField(schema.default)}
          onChange={(zone) => set(zone === "" ? undefined : zone)}
        />
      ) : (
        <Typed
          id={id}
          label={label}
          kind={kind}
          schema={schema}
          value={options.value[name]}
          isRequired={isRequired}
          onChange={set}
        />
      )}
    </span>
  );
}

const isWide = (kind: string): boolean => kind === "document" || kind === "secret";

/** Marks an option whose value somebody has chosen. */
export const Dot = ({ state, name }: { state: ToolState; name: string }): JSX.Element | null =>
  isChanged(state, name) ? (
    <span class="dot" title="Changed">
      <span class="unseen"> (changed)</span>
    </span>
  ) : null;

/** A list or a set of choices: a button with what is chosen, which opens the whole control. */
function Several({ state, name, schema, isRequired }: ControlProps): JSX.Element {
  const id = `several-${useId()}`;
  const value = state.options.value[name] ?? schema.default;
  const chosen = Array.isArray(value) ? value.map((one) => wordOf(state.definition, name, String(one))) : [];
  const shown = chosen.join(", ");
  return (
    <span class="option" title={schema.description}>
      <span class="label">
        {labelOf(state.definition, name)}
        <Dot state={state} name={name} />
      </span>
      <button type="button" class="small several" popovertarget={id} aria-haspopup="dialog">
        <span class="unseen">{labelOf(state.definition, name)}: </span>
        <span class="cut">{shown === "" ? "none" : shown}</span>
      </button>
      <div
        popover="auto"
        id={id}
        class="menu sheet"
        role="dialog"
        aria-label={labelOf(state.definition, name)}
      >
        <OptionField state={state} name={name} schema={schema} isRequired={isRequired} />
      </div>
    </span>
  );
}
