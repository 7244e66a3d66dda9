import { DocumentFault } from "../fault.ts";
import { findForeign, isSpaceUnit } from "./chars.ts";
import { type Dtd, readDoctype } from "./dtd.ts";
import { fail } from "./fault.ts";
import { lexContent, type XmlToken } from "./lex.ts";
import type { OnName } from "./subset.ts";

export interface DocumentHandler {
  onToken?(token: XmlToken): void;
  /** An entity that is not predefined, after the checks of its constraints. */
  onReference?(name: string, at: number): void;
  onDeclaredName?: OnName;
  /** Called for faults after which reading can continue; without it, they are thrown. */
  onFault?(fault: DocumentFault): void;
}

/**
 * Reads an XML 1.0 document (fifth edition) and checks everything that well-formedness requires, including
 * its DOCTYPE. `fragment` allows any number of elements, text beside them, and undeclared entities.
 * @throws DocumentFault if it is not well-formed
 */
export function readDocument(text: string, fragment: boolean, handler: DocumentHandler = {}): void {
  const foreign = findForeign(text);
  try {
    read(text, fragment, handler);
  } catch (error) {
    if (foreign < 0 || !(error instanceof DocumentFault) || (error.at.index ?? 0) < foreign) throw error;
  }
  if (foreign < 0) return;
  const unit = text.charCodeAt(foreign).toString(16).toUpperCase().padStart(4, "0");
  fail(
    `XML does not allow the character U+${unit}, not even as a reference; remove it.`,
    foreign,
    "character",
  );
}

function read(text: string, fragment: boolean, handler: DocumentHandler): void {
  let dtd: Dtd | undefined;
  let from = text.startsWith("\uFEFF") ? 1 : 0;
  let standalone = false;
  if (text.startsWith("<?xml", from) && isSpaceUnit(text.charCodeAt(from + 5))) {
    const declaration = readDeclaration(text, from);
    standalone = declaration.standalone;
    handler.onToken?.({
      kind: "declaration",
      from,
      to: declaration.to,
      name: "xml",
      attributes: [],
      empty: false,
    });
    from = declaration.to;
  }
  lexContent(text, from, fragment, {
    ...(handler.onToken && { onToken: handler.onToken }),
    ...(handler.onFault && { onFault: handler.onFault }),
    onReference(name, at, inAttribute) {
      const undeclared = fragment
        ? undefined
        : `&${name.slice(0, 64)}; is not declared; XML predefines only amp, lt, gt, quot and apos.`;
      const message = dtd === undefined ? undeclared : dtd.check(name, inAttribute);
      if (message !== undefined) {
        const fault = new DocumentFault(message, { index: at }, "entity");
        if (handler.onFault === undefined) throw fault;
        handler.onFault(fault);
      }
      handler.onReference?.(name, at);
    },
    doctype(at) {
      dtd = readDoctype(text, at, standalone, handler.onDeclaredName);
      return dtd.to;
    },
  });
}

const declared =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.\d+"|'1\.\d+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(yes|no)"|'(yes|no)'))?[ \t\r\n]*\?>/y;

/** Production 23. Its encoding does not matter here: the text is already decoded. */
function readDeclaration(text: string, at: number): { to: number; standalone: boolean } {
  declared.lastIndex = at;
  const found = declared.exec(text);
  if (found === null) {
    fail(
      'The XML declaration is <?xml version="1.0" encoding="…" standalone="…"?>, in this order; the last two may be left out.',
      at,
      "declaration",
    );
  }
  return { to: declared.lastIndex, standalone: (found[1] ?? found[2]) === "yes" };
}
