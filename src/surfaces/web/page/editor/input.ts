/** What a person gives to a tool: typed text, or a file, whose bytes stay as they are. */
export type Input = { kind: "text"; text: string } | { kind: "file"; file: Blob; name: string };

export const noInput: Input = { kind: "text", text: "" };

export const isEmpty = (input: Input): boolean => input.kind === "text" && input.text === "";

/** What a tool's page begins with. */
export interface Handed {
  input: Input;
  options: Readonly<Record<string, unknown>>;
}

/** What a new pipeline begins with: its first step, and the document. */
export interface PipelineStart {
  slug: string;
  options: Readonly<Record<string, unknown>>;
  input: Input;
}
