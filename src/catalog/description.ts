import type { Example, ToolPage } from "./tool.ts";

/** An entry of the list of tools. */
export interface ToolSummary {
  slug: string;
  title: string;
  summary: string;
  category: string;
  /** A noun phrase for the content of `data`, such as "a JSON Web Token"; not set by tools without a document. */
  accepts?: string;
  /** Names that people and other tools use for it. */
  aliases: string[];
  version: string;
  deterministic: boolean;
  checkable: boolean;
}

/** An entry of the list that the pages search. */
export interface ListedTool extends Pick<ToolSummary, "slug" | "title" | "summary" | "category" | "accepts"> {
  /** Separated by commas. */
  aliases?: string;
}

/** A tool with everything needed to call it. */
export interface ToolDescription extends ToolSummary {
  /** JSON Schema 2020-12 of a JSON body. */
  input: Record<string, unknown>;
  examples: readonly Example<Record<string, unknown>>[];
  /** The tools of a pipeline, in order. Their options are omitted: an operator may have put secrets in them. */
  steps?: string[];
}

/** A tool with everything that its page needs. */
export interface ToolPageDescription extends ToolDescription {
  page?: ToolPage;
  /** The category in words, and the icon that stands for it. */
  shownCategory: { name: string; icon: string };
  /** Whether the tool takes bytes that are no text. */
  takesBytes: boolean;
  /** The tool that undoes this one. */
  inverse?: string;
  /** Whether the server answers calls without a key. */
  anonymous: boolean;
  /** Whether the server has a script that runs the tool in a tab; an older browser may still not run it. */
  runsInTab: boolean;
}
