import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ErrorPlace } from "../../../../catalog/errors.ts";
import type { Refusal } from "../tab/call.ts";
import { Icon } from "../ui/icon.tsx";
import type { Runner } from "./runner.ts";
import type { ToolState } from "./state.ts";

export interface RefusedProps {
  refusal: Refusal;
  /** Shows a place in the document, if the page shows the document. */
  onGoTo: ((line: number, column: number) => void) | undefined;
  /** The state and the runner that a repair changes; undefined where there is no repair. */
  repairs: { state: ToolState; runner: Runner } | undefined;
  /** URL of the home page. */
  root: URL;
}

/** Shows why there is no result, the place of the fault, and what to do about it. */
export function Refused({ refusal, onGoTo, repairs, root }: RefusedProps): JSX.Element {
  const place = refusal.places.find(isInDocument);
  const { line = 1, column = 1 } = place ?? {};
  const { code, message } = refusal;
  return (
    <div class="refusal">
      <div class="banner bad refused" role="alert">
        <Icon name="bad" />
        <p>
          {place === undefined || message.startsWith("Line ") ? null : (
            <b>
              Line {line}, column {column}:{" "}
            </b>
          )}
          <bdi>{message}</bdi>
        </p>
      </div>
      <p class="actions">
        {place === undefined || onGoTo === undefined ? null : (
          <button type="button" class="primary small" onClick={() => onGoTo(line, column)}>
            Go to the place <kbd>F8</kbd>
          </button>
        )}
        {code.endsWith("_key") ? (
          <a class="button small" href={new URL("sign-in", root).href}>
            Sign in
          </a>
        ) : null}
        {repairs === undefined ? null : <Repair refusal={refusal} {...repairs} />}
      </p>
    </div>
  );
}

/** Whether a place is in the document of a call, and not in another field. */
export const isInDocument = ({ line, field }: ErrorPlace): boolean =>
  line !== undefined && (field === undefined || field === "data");

/** Values of options with which a tool may take what it refused, and what their button says. */
const repairs: readonly (readonly [name: string, value: unknown, label: string])[] = [
  ["engine", "js", "Use engine js"],
  ["dialect", "jsonc", "Read as JSONC"],
  ["dialect", "json5", "Read as JSON5"],
  ["skipInvalid", true, "Skip what is invalid"],
];

/** Longest document that is tried with other options, in UTF-16 code units. */
const maxTried = 1_000_000;
/** An engine that backtracks may go on for ever. */
const maxTriedMs = 1000;

/** Offers the one change of an option with which the tool has a result. */
function Repair({
  refusal,
  state,
  runner,
}: {
  refusal: Refusal;
  state: ToolState;
  runner: Runner;
}): JSX.Element | null {
  const found = useSignal<(typeof repairs)[number] | undefined>(undefined);
  useEffect(() => {
    let isOld = false;
    found.value = undefined;
    void offer();
    async function offer(): Promise<void> {
      const one = await search(state, runner, () => isOld);
      if (!isOld) found.value = one;
    }
    return () => {
      isOld = true;
    };
  }, [refusal]);
  if (found.value === undefined) return null;
  const [name, value, label] = found.value;
  return (
    <button
      type="button"
      class="small"
      onClick={() => (state.options.value = { ...state.options.peek(), [name]: value })}
    >
      {label}
    </button>
  );
}

async function search(
  { definition, options, input }: ToolState,
  runner: Runner,
  isOld: () => boolean,
): Promise<(typeof repairs)[number] | undefined> {
  const given = input.peek();
  if (runner.place.peek() !== "tab" || given.kind !== "text" || given.text.length > maxTried)
    return undefined;
  for (const repair of repairs) {
    const [name, value] = repair;
    const schema = definition.input.properties[name];
    const isPossible = schema?.enum?.includes(String(value)) ?? schema?.type === typeof value;
    if (!isPossible || options.peek()[name] === value) continue;
    if (isOld()) return undefined;
    const { kind } = await runner.callInTab({ [name]: value }, undefined, AbortSignal.timeout(maxTriedMs));
    if (kind === "answer") return repair;
  }
  return undefined;
}
