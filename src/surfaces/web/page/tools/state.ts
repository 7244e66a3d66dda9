import { type Signal, signal } from "@preact/signals";
import { type Handed, type Input, noInput } from "../editor/input.ts";
import type { Definition } from "./definition.ts";
import { showField, startOf, takesDocument } from "./fields.ts";
import { readLink, readLinkedDocument } from "./link.ts";

/** The choices of a person on the page of a tool. */
export interface ToolState {
  readonly definition: Definition;
  /** The values of all fields but the documents that differ from their defaults. */
  readonly options: Signal<Record<string, unknown>>;
  readonly input: Signal<Input>;
  /** The document of the field that the page's description names as the second; undefined if there is none. */
  readonly second?: Signal<Input>;
  /** Whether the document is checked, and not changed. */
  readonly check: Signal<boolean>;
}

/** @param address The address of the page, which may choose options. */
export function createState(definition: Definition, address: URL, handed?: Handed): ToolState {
  const { options, check } = readLink(address, definition);
  const linked = takesDocument(definition) ? readLinkedDocument(address) : undefined;
  const state: ToolState = {
    definition,
    options: signal({}),
    input: signal(handed?.input ?? (linked === undefined ? noInput : toText(linked))),
    ...(definition.page?.second !== undefined && { second: signal(noInput) }),
    check: signal(check),
  };
  setOptions(state, { ...startOf(definition), ...options, ...handed?.options });
  return state;
}

/** Whether an option has a value with which the page does not begin. */
export const isChanged = ({ definition, options }: ToolState, name: string): boolean =>
  name in options.value && JSON.stringify(options.value[name]) !== JSON.stringify(startOf(definition)[name]);

/** Sets the values of all fields but the document of the tool. */
export function setOptions(state: ToolState, given: Readonly<Record<string, unknown>>): void {
  const { [state.definition.page?.second ?? ""]: second, ...options } = given;
  state.options.value = options;
  if (state.second !== undefined) state.second.value = toText(showField(second));
}

/** Makes the second document the first, and the first the second. */
export function swapDocuments({ input, second }: ToolState): void {
  if (second === undefined) return;
  const first = input.peek();
  input.value = second.peek();
  second.value = first;
}

const toText = (text: string): Input => ({ kind: "text", text });
