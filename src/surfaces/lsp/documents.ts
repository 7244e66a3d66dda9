import { codes, objectAt, type Params, RequestError, textAt } from "./message.ts";
import { uriOf } from "./session.ts";
import { applyChanges, createTextDocument, type Encoding, type TextDocument } from "./text-document.ts";

/** A document that the editor has open. */
export interface OpenDocument {
  readonly uri: string;
  readonly version: number | null;
  /** Undefined if the text is not kept: it is too long, or changes were too many to be applied. */
  readonly document: TextDocument | undefined;
  /** Stops the check that runs. */
  readonly control: AbortController;
}

/** Most open documents; an editor has tens. */
const maxOpen = 2000;
/** Most characters of a document, and of all together. */
const maxText = 32 * 1024 * 1024;
const maxTotal = 128 * 1024 * 1024;

/** The documents that the editor has open, as its notifications say. */
export interface Documents {
  get(uri: string): OpenDocument | undefined;
  all(): readonly OpenDocument[];
  /** @throws RequestError */
  open(params: Params): OpenDocument;
  /** @throws RequestError */
  change(params: Params): OpenDocument;
  /** Closes a document, and returns it. @throws RequestError */
  close(params: Params): OpenDocument | undefined;
}

export function createDocuments(encoding: Encoding): Documents {
  const open = new Map<string, OpenDocument>();
  let total = 0;

  const lengthOf = (uri: string): number => open.get(uri)?.document?.text.length ?? 0;

  function put(uri: string, version: unknown, text: string | undefined): OpenDocument {
    const before = open.get(uri);
    before?.control.abort();
    if (before === undefined && open.size >= maxOpen)
      throw new RequestError(codes.requestFailed, `More than ${maxOpen} documents are open.`);
    const others = total - lengthOf(uri);
    const kept = text !== undefined && text.length <= maxText && others + text.length <= maxTotal;
    total = others + (kept ? text.length : 0);
    const one: OpenDocument = {
      uri,
      version: typeof version === "number" ? version : null,
      document: kept ? createTextDocument(text, encoding) : undefined,
      control: new AbortController(),
    };
    open.set(uri, one);
    return one;
  }

  return {
    get: (uri) => open.get(uri),
    all: () => [...open.values()],
    open(params) {
      const document = objectAt(params, "textDocument");
      return put(uriOf(params), document["version"], textAt(document, "text"));
    },
    change(params) {
      const uri = uriOf(params);
      const before = open.get(uri);
      if (before === undefined)
        throw new RequestError(codes.invalidParams, "The document that changes is not open.");
      const { version } = objectAt(params, "textDocument");
      const changes = params["contentChanges"];
      // A whole text makes a document known again.
      const text =
        before.document === undefined && !isWhole(changes)
          ? undefined
          : applyChanges(before.document?.text ?? "", changes, encoding);
      return put(uri, version, text);
    },
    close(params) {
      const uri = uriOf(params);
      const before = open.get(uri);
      before?.control.abort();
      total -= lengthOf(uri);
      open.delete(uri);
      return before;
    },
  };
}

const isWhole = (changes: unknown): boolean =>
  Array.isArray(changes) &&
  changes.length > 0 &&
  typeof changes[0] === "object" &&
  changes[0] !== null &&
  !("range" in changes[0]);
