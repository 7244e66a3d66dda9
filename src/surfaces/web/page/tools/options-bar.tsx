import type { JSX } from "preact";
import { Icon } from "../ui/icon.tsx";
import { Control } from "./control.tsx";
import type { Definition } from "./definition.ts";
import { optionsOf, takesDocument } from "./fields.ts";
import type { Runner } from "./runner.ts";
import { isChanged, type ToolState } from "./state.ts";

type Option = ReturnType<typeof optionsOf>[number];

/** The options above the panes, in the order of the page, and those under Advanced. */
export function divideOptions(definition: Definition): { usual: Option[]; advanced: Option[] } {
  const { options: named = [], second, regex } = definition.page ?? {};
  // The field of a regular expression has the switches of the flags, and that of the indentation tabs.
  const isElsewhere = (name: string): boolean =>
    name === second ||
    (regex !== undefined && name === "flags") ||
    (name === "useTabs" && named.includes("indent"));
  const all = optionsOf(definition).filter(([name]) => !isElsewhere(name));
  // A tool that names none, such as an operator's, shows a few of its first.
  const few = definition.page === undefined ? 4 : 0;
  const isUsual = ([name, , isRequired]: Option, index: number): boolean =>
    isRequired || named.includes(name) || index < few;
  const placeOf = ([name]: Option): number => named.indexOf(name);
  return {
    usual: all.filter(isUsual).toSorted((one, other) => placeOf(one) - placeOf(other)),
    // The usual choice of the indentation has few numbers.
    advanced: all.filter((option, index) => option[0] === "indent" || !isUsual(option, index)),
  };
}

export interface OptionsBarProps {
  state: ToolState;
  runner: Runner;
  /** URL of the home page. */
  root: URL;
  isAdvancedOpen: boolean;
  onAdvanced(): void;
}

/** The usual options in one row; where the server runs the tool, Run is at its end. */
export function OptionsBar(props: OptionsBarProps): JSX.Element | null {
  const { state, runner, root, isAdvancedOpen, onAdvanced } = props;
  const { definition } = state;
  const { usual, advanced } = divideOptions(definition);
  const place = runner.place.value ?? (definition.runsInTab ? "tab" : "server");
  const hasAdvanced = advanced.length > 0 || definition.checkable;
  if (usual.length === 0 && !hasAdvanced && place === "tab") return null;
  const changed =
    advanced.filter((option) => isChanged(state, option[0]) && !usual.includes(option)).length +
    (state.check.value ? 1 : 0);
  return (
    <div class="options-bar" role="group" aria-label="Options">
      {usual.map(([name, schema, isRequired]) => (
        <Control
          state={state}
          name={name}
          schema={schema}
          isRequired={isRequired}
          isLarge={isPattern(definition, name)}
          key={name}
        />
      ))}
      {hasAdvanced ? (
        <button type="button" class="quiet small" aria-expanded={isAdvancedOpen} onClick={onAdvanced}>
          <Icon name="filter" /> Advanced
          {changed === 0 ? null : <span class="count">{changed}</span>}
        </button>
      ) : null}
      {place === "tab" ? null : <Run state={state} runner={runner} root={root} />}
    </div>
  );
}

/** A pattern has all the width that the others leave. */
const isPattern = ({ page }: Definition, name: string): boolean =>
  page?.layout === "pattern" && page.options?.[0] === name;

function Run({
  state: { definition },
  runner,
  root,
}: Pick<OptionsBarProps, "state" | "runner" | "root">): JSX.Element {
  const needsKey = !definition.anonymous && document.documentElement.dataset["account"] === undefined;
  return (
    <span class="option run">
      <button type="button" class="primary small" onClick={runner.run}>
        <Icon name="run" /> {takesDocument(definition) ? "Run" : "Generate"}
        {runner.isEarlier.value ? (
          <span class="dot">
            <span class="unseen"> (something has changed)</span>
          </span>
        ) : null}
      </button>
      <span class="hint">
        {needsKey ? (
          <>
            Runs on the server and needs a key of yours: <a href={new URL("sign-in", root).href}>sign in</a>{" "}
            first, or call it over HTTP.
          </>
        ) : (
          "runs on the server; counts as a request"
        )}
      </span>
    </span>
  );
}
