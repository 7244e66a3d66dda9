import type { JSX } from "preact";
import { Coloured } from "../ui/coloured.tsx";
import { maxColoured } from "../ui/piece.ts";
import { adoptSheet } from "../views/sheet.ts";
import { explainPattern } from "../views/pattern-words.ts";
import type { FieldSchema } from "./definition.ts";
import { showField, withOption } from "./fields.ts";
import sheet from "./pattern-field.css";
import type { ToolState } from "./state.ts";

adoptSheet(sheet);

export interface PatternFieldProps {
  id: string;
  state: ToolState;
  name: string;
  schema: FieldSchema;
}

/** The field of a regular expression: between slashes, in colours, with a switch for each flag. As plain text, it has none of them. */
export function PatternField({ id, state, name, schema }: PatternFieldProps): JSX.Element {
  const { options, definition } = state;
  const engine = engineOf(state);
  const text = showField(options.value[name]);
  const flags = definition.input.properties["flags"];
  return (
    <span class={engine === undefined ? "pattern-box" : "pattern-box of-regex"}>
      {engine === undefined ? null : <Slash />}
      <Coloured
        dir="ltr"
        pieces={
          engine === undefined || text.length > maxColoured
            ? undefined
            : explainPattern(text).map(({ text: piece, kind }) => ({
                text: piece,
                kind: kind === "plain" ? undefined : kind,
              }))
        }
      >
        <textarea
          id={id}
          rows={1}
          dir="ltr"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={engine === undefined ? "" : "A regular expression"}
          value={text}
          onInput={({ currentTarget: { value } }) =>
            (options.value = withOption(options.value, name, value === "" ? undefined : value, schema))
          }
        />
      </Coloured>
      {engine === undefined ? null : <Slash />}
      {flags === undefined ? null : <Flags state={state} schema={flags} engine={engine} />}
    </span>
  );
}

const Slash = (): JSX.Element => (
  <code class="muted" aria-hidden="true">
    /
  </code>
);

/** Returns the engine that reads the pattern; undefined if it is plain text or a glob. */
export function engineOf({ definition, options }: ToolState): "re2" | "js" | undefined {
  const { engine = "" } = definition.page?.regex ?? {};
  const value = options.value[engine] ?? definition.input.properties[engine]?.default;
  if (value === "re2") return "re2";
  return value === "js" || value === "regex" ? "js" : undefined;
}

interface FlagsProps {
  state: ToolState;
  schema: FieldSchema;
  engine: "re2" | "js" | undefined;
}

/** The effect of each flag, and the engines that have it; a search for plain text has only the first. */
const flagWords: readonly (readonly [flag: string, words: string, engines: readonly string[]])[] = [
  ["i", "ignore case", ["text", "re2", "js"]],
  ["m", "^ and $ at each line", ["re2", "js"]],
  ["s", ". takes line feeds, too", ["re2", "js"]],
  ["x", "white space and comments are layout", ["re2", "js"]],
  ["u", "Unicode", ["js"]],
  ["v", "sets of characters", ["js"]],
  ["y", "only where the last match ended", ["js"]],
];

function Flags({ state: { definition, options }, schema, engine }: FlagsProps): JSX.Element {
  const set = showField(options.value["flags"] ?? schema.default);
  const described = schema.description ?? "";
  const shown = flagWords.filter(
    ([flag, , engines]) =>
      set.includes(flag) || (engines.includes(engine ?? "text") && isTaken(flag, described)),
  );
  return (
    <span class="segmented flags" role="group" aria-label={`Flags of ${definition.title}`}>
      {shown.map(([flag, words]) => {
        const isOn = set.includes(flag);
        return (
          <button
            type="button"
            class="small"
            aria-pressed={isOn}
            aria-label={`${flag}: ${words}`}
            title={`${flag}: ${words}`}
            key={flag}
            onClick={() =>
              (options.value = withOption(
                options.value,
                "flags",
                isOn ? set.replaceAll(flag, "") : set + flag,
                schema,
              ))
            }
          >
            {flag}
          </button>
        );
      })}
    </span>
  );
}

/** Whether a tool has a flag: the description of the field names each as a word. */
const isTaken = (flag: string, description: string): boolean => new RegExp(`\\b${flag}\\b`).test(description);
