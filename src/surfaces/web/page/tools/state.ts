import { type Signal, signal } from "@preact/signals";
import { type Handed, type Input, noInput } from "../editor/input.ts";
import { readLink, readLinkedDocument } from "./link.ts";
import type { Definition } from "./definition.ts";
import { takesDocument } from "./fields.ts";

/** What a person has chosen on the page of a tool. */
export interface ToolState {
  readonly definition: Definition;
  /** The values of all fields but `data` that differ from their defaults. */
  readonly options: Signal<Record<string, unknown>>;
  readonly input: Signal<Input>;
  /** Whether the document is checked, and not changed. */
  readonly check: Signal<boolean>;
}

/** @param address The address of the page, which may choose options. */
export function createState(definition: Definition, address: URL, handed?: Handed): ToolState {
  const { options, check } = readLink(address, definition);
  const linked = takesDocument(definition) ? readLinkedDocument(address) : undefined;
  return {
    definition,
    options: signal({ ...options, ...handed?.options }),
    input: signal(handed?.input ?? (linked === undefined ? noInput : { kind: "text", text: linked })),
    check: signal(check),
  };
}
