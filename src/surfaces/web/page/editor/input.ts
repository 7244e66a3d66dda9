/** The input of a tool: typed text, or a file, whose bytes stay as they are. */
export type Input = { kind: "text"; text: string } | { kind: "file"; file: Blob; name: string };

export const noInput: Input = { kind: "text", text: "" };

export const isEmpty = (input: Input): boolean => input.kind === "text" && input.text === "";

/** The input and options that the page of a tool begins with. */
export interface Handed {
  input: Input;
  options: Readonly<Record<string, unknown>>;
}

/** The first step of a new pipeline, and its document. */
export interface PipelineStart {
  slug: string;
  options: Readonly<Record<string, unknown>>;
  input: Input;
}
