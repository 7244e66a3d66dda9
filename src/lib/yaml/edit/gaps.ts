import type { Piece } from "./source.ts";

/** Returns the white space between two pieces of one line. */
export function spaceBetween(text: string, before: Piece, piece: Piece, bracketSpacing: boolean): string {
  const padding = bracketSpacing ? " " : "";
  switch (piece.type) {
    case "comment": {
      const written = text.slice(before.to, piece.from);
      return /^ +$/.test(written) ? written : " ";
    }
    case "comma":
    case "flow-seq-end":
      return "";
    case "flow-map-end":
      return before.type === "flow-map-start" ? "" : padding;
    case "map-value-ind":
      // The name of an anchor, an alias or a tag can end in a colon.
      if (endsWithContent(before)) return "";
  }
  switch (before.type) {
    case "flow-map-start":
      return padding;
    case "flow-seq-start":
      return "";
    default:
      return " ";
  }
}

function endsWithContent({ type }: Piece): boolean {
  switch (type) {
    case "scalar":
    case "single-quoted-scalar":
    case "double-quoted-scalar":
    case "template":
    case "flow-map-end":
    case "flow-seq-end":
      return true;
    default:
      return false;
  }
}
