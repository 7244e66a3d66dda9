import type { JSX } from "preact";
import { Segmented } from "../ui/segmented.tsx";
import type { FieldSchema } from "./definition.ts";
import { withOption } from "./fields.ts";
import type { ToolState } from "./state.ts";

/** The indentation: spaces that people use, a tab if the tool has the option, and none. Any other number is under Advanced. */
export function IndentField({ state, schema }: { state: ToolState; schema: FieldSchema }): JSX.Element {
  const { options, definition } = state;
  const tabs = definition.input.properties["useTabs"];
  const isTab = options.value["useTabs"] === true;
  const spaces = String(options.value["indent"] ?? schema.default);
  const numbers = ["2", "4", ...(schema.minimum === 0 ? ["0"] : [])];
  const own = numbers.includes(spaces) ? numbers : [...numbers, spaces];
  const shown = own.map((one) => [one, one] as const);
  return (
    <Segmented
      label="Indent"
      options={tabs === undefined ? shown : shown.toSpliced(2, 0, ["tab", "Tab"])}
      value={isTab ? "tab" : spaces}
      onSelect={(chosen) => {
        const next =
          chosen === "tab" ? options.value : withOption(options.value, "indent", Number(chosen), schema);
        options.value = tabs === undefined ? next : withOption(next, "useTabs", chosen === "tab", tabs);
      }}
    />
  );
}
