import type { JSX } from "preact";
import { Field } from "../ui/field.tsx";
import type { FieldSchema } from "./definition.ts";
import { kindOf, parseField, showField, withOption } from "./fields.ts";
import type { ToolState } from "./state.ts";
import { Typed } from "./typed.tsx";
import { labelOf, wordOf } from "./words.ts";

export interface OptionFieldProps {
  state: ToolState;
  name: string;
  schema: FieldSchema;
  isRequired: boolean;
}

/** The control of an option, with its description below it. */
export function OptionField({ state, name, schema, isRequired }: OptionFieldProps): JSX.Element {
  const { definition, options } = state;
  const kind = kindOf(name, schema);
  const value = options.value[name];
  const set = (next: unknown): void => {
    options.value = withOption(options.value, name, next, schema);
  };
  const label = labelOf(definition, name);
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
  if (kind === "choices")
    return (
      <Choices
        label={label}
        schema={schema}
        value={value}
        wordOf={(choice) => wordOf(definition, name, choice)}
        onChange={set}
      />
    );
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
            {schema.default === undefined ? (
              <option value="">{isRequired ? "Choose …" : "None"}</option>
            ) : null}
            {schema.enum?.map((choice) => (
              <option value={choice} key={choice}>
                {wordOf(definition, name, choice)}
              </option>
            ))}
          </select>
        ) : kind === "lines" ? (
          <textarea
            {...attributes}
            autocomplete="off"
            spellcheck={false}
            rows={3}
            dir="auto"
            placeholder={showField(schema.default)}
            value={showField(value)}
            onInput={({ currentTarget }) => set(parseField(kind, currentTarget.value))}
          />
        ) : (
          <Typed
            {...attributes}
            label={label}
            kind={kind}
            schema={schema}
            value={value}
            isRequired={isRequired}
            onChange={set}
          />
        )
      }
    </Field>
  );
}

interface ChoicesProps {
  label: string;
  schema: FieldSchema;
  value: unknown;
  wordOf(choice: string): string;
  onChange(value: unknown): void;
}

function Choices({ label, schema, value, wordOf: show, onChange }: ChoicesProps): JSX.Element {
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
          <span>{show(choice)}</span>
        </label>
      ))}
      <p class="hint">{schema.description}</p>
    </fieldset>
  );
}
