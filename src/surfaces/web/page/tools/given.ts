import { isEmpty, type PipelineStart } from "../editor/input.ts";
import type { Definition } from "./definition.ts";
import { kindOf, parseField } from "./fields.ts";
import type { ToolState } from "./state.ts";

/**
 * Returns the values of all fields but the document of the tool, with the second document where it is text.
 * @param peeks Whether nothing that depends on the caller's result is told of later changes.
 */
export function givenOptions(
  { definition, options, second }: ToolState,
  peeks = false,
): Record<string, unknown> {
  const given = peeks ? options.peek() : options.value;
  const document = peeks ? second?.peek() : second?.value;
  if (document?.kind !== "text" || isEmpty(document)) return given;
  return { ...given, ...toSecond(definition, document.text) };
}

/** Returns what a pipeline with the tool as its first step begins with. */
export const toPipelineStart = (state: ToolState): PipelineStart => ({
  slug: state.definition.slug,
  options: givenOptions(state, true),
  input: state.input.peek(),
});

/** Returns the field of the second document with the value that a text has there. */
export function toSecond({ page, input }: Definition, text: string): Record<string, unknown> {
  const name = page?.second;
  const schema = name === undefined ? undefined : input.properties[name];
  if (name === undefined || schema === undefined) return {};
  return { [name]: parseField(kindOf(name, schema), text) };
}
