import type { FileFinding } from "../../../../checks/verdict.ts";
import { encodeFileName } from "../../../../lib/file-name.ts";
import type { SourceRoot } from "./source-root.ts";

export interface Locator {
  /** A `location` object (§3.28). */
  toLocation(name: string, finding: FileFinding): object;
  /** `originalUriBaseIds` (§3.14.14). */
  bases: Record<string, { uri: string }>;
}

/** The conventional name of the repository root, used by code scanning among others. */
const base = "%SRCROOT%";

export function createLocator(root: SourceRoot): Locator {
  return {
    toLocation(name, finding) {
      return {
        physicalLocation: { artifactLocation: toArtifact(name, root), region: toRegion(finding) },
        // A JSON Pointer (RFC 6901).
        ...(finding.pointer && { logicalLocations: [{ fullyQualifiedName: finding.pointer }] }),
      };
    },
    // A base URI must end with a slash, or resolution would replace its last segment.
    bases: { [base]: { uri: `${toFileUri(root.path).replace(/\/$/, "")}/` } },
  };
}

function toArtifact(name: string, root: SourceRoot): object {
  if (name === "-") return { uri: "-", description: { text: "Standard input" } };
  const { inside, absolute } = root.locate(name);
  return inside === undefined ? { uri: toFileUri(absolute) } : { uri: toUriPath(inside), uriBaseId: base };
}

const toFileUri = (path: string): string => `file://${path.startsWith("/") ? "" : "/"}${toUriPath(path)}`;

/**
 * Escapes a path for a URI (RFC 3986 §3.3): everything that is not unreserved, so that `a#b` has no fragment and `a:b`
 * no scheme.
 */
const toUriPath = (path: string): string =>
  path
    .split("/")
    .map((segment) => (segment.isWellFormed() ? encodeURIComponent(segment) : escapeBytes(segment)))
    .join("/");

/** A URI has room for names that are not UTF-8. */
const escapeBytes = (segment: string): string =>
  Array.from(Buffer.from(encodeFileName(segment)), (byte) =>
    byte < 0x80 ? encodeURIComponent(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`,
  ).join("");

/**
 * A finding is a point, which is a region of length zero (§3.30.2). Code scanning refuses results without a region, so a
 * finding about the whole document points to its start.
 */
function toRegion({ line = 1, column = 1, offset }: FileFinding): object {
  return {
    startLine: line,
    startColumn: column,
    endLine: line,
    endColumn: column,
    ...(offset !== undefined && { byteOffset: offset, byteLength: 0 }),
  };
}
