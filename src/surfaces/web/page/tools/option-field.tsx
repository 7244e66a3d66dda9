import { useSignal } from "@preact/signals";
import { h, type JSX, type TargetedInputEvent } from "preact";
import { Field } from "../ui/field.tsx";
import type { FieldSchema } from "./definition.ts";
import { kindOf, parseField, showField, toLabel, withOption } from "./fields.ts";
import type { ToolState } from "./state.ts";

export interface OptionFieldProps {
  state: ToolState;
  name: string;
  schema: FieldSchema;
  isRequired: boolean;
}

/** The control of an option, with its description. */
export function OptionField({ state, name, schema, isRequired }: OptionFieldProps): JSX.Element {
  const { options } = state;
  const kind = kindOf(name, schema);
  const value = options.value[name];
  const set = (next: unknown): void => {
    options.value = withOption(options.value, name, next, schema);
  };
  const label = isRequired ? `${toLabel(name)} (required)` : toLabel(name);
  const { description } = schema;

  if (kind === "flag")
    return (
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={(value ?? schema.default) === true}
            onChange={({ currentTarget }) => set(currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
        <p class="hint">{description}</p>
      </div>
    );
  if (kind === "choices") return <Choices label={label} schema={schema} value={value} onChange={set} />;
  return (
    <Field label={label} hint={description}>
      {(attributes) =>
        kind === "choice" ? (
          <select
            {...attributes}
            value={showField(value ?? schema.default)}
            onChange={({ currentTarget }) =>
              set(currentTarget.value === "" ? undefined : currentTarget.value)
            }
          >
            {schema.default === undefined ? <option value="">none</option> : null}
            {schema.enum?.map((choice) => (
              <option value={choice} key={choice}>
                {choice}
              </option>
            ))}
          </select>
        ) : (
          <Typed kind={kind} attributes={attributes} schema={schema} value={value} onChange={set} />
        )
      }
    </Field>
  );
}

interface TypedProps {
  kind: "number" | "lines" | "secret" | "document" | "line";
  attributes: { id: string; "aria-describedby"?: string };
  schema: FieldSchema;
  value: unknown;
  onChange(value: unknown): void;
}

function Typed({ kind, attributes, schema, value, onChange }: TypedProps): JSX.Element {
  const isShown = useSignal(false);
  const shared = {
    ...attributes,
    autocomplete: "off",
    spellcheck: false,
    placeholder: showField(schema.default).split("\n")[0] ?? "",
    value: showField(value),
  } as const;
  if (kind === "lines" || kind === "document")
    return (
      <textarea
        {...shared}
        rows={kind === "lines" ? 3 : 6}
        dir="auto"
        onInput={({ currentTarget }) => onChange(parseField(kind, currentTarget.value))}
      />
    );
  const type = kind === "number" ? "number" : kind === "secret" && !isShown.value ? "password" : "text";
  return (
    <>
      {h("input", {
        ...shared,
        type,
        ...(kind === "number" && { step: schema.type === "integer" ? 1 : "any" }),
        ...(schema.minimum !== undefined && { min: schema.minimum }),
        ...(schema.maximum !== undefined && { max: schema.maximum }),
        onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
          onChange(parseField(kind, currentTarget.value)),
      })}
      {kind === "secret" ? (
        <button type="button" aria-pressed={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
          Show
        </button>
      ) : null}
    </>
  );
}

interface ChoicesProps {
  label: string;
  schema: FieldSchema;
  value: unknown;
  onChange(value: unknown): void;
}

function Choices({ label, schema, value, onChange }: ChoicesProps): JSX.Element {
  const chosen = new Set((value ?? schema.default ?? []) as string[]);
  const all = schema.items?.enum ?? [];
  return (
    <fieldset>
      <legend>{label}</legend>
      {all.map((choice) => (
        <label class="check" key={choice}>
          <input
            type="checkbox"
            checked={chosen.has(choice)}
            onChange={({ currentTarget }) => {
              if (currentTarget.checked) chosen.add(choice);
              else chosen.delete(choice);
              onChange(all.filter((one) => chosen.has(one)));
            }}
          />
          <span>{choice}</span>
        </label>
      ))}
      <p class="hint">{schema.description}</p>
    </fieldset>
  );
}
