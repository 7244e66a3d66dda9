import type { FileFinding } from "./check-files.ts";
import type { SourceRoot } from "./source-root.ts";

export interface Locator {
  /** A `location` object (§3.28). */
  toLocation(name: string, finding: FileFinding): object;
  /** `originalUriBaseIds` (§3.14.14). */
  bases: Record<string, { uri: string }>;
}

/** The name that code scanning, like most consumers, has for the top of the repository. */
const base = "%SRCROOT%";

export function createLocator(root: SourceRoot): Locator {
  return {
    toLocation(name, finding) {
      return {
        physicalLocation: { artifactLocation: toArtifact(name, root), region: toRegion(finding) },
        // The place in the value, where the document has one: RFC 6901.
        ...(finding.pointer && { logicalLocations: [{ fullyQualifiedName: finding.pointer }] }),
      };
    },
    // A base has to end with a slash, or its last segment would be replaced.
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
 * The path of a URI (RFC 3986, §3.3): everything that is not unreserved is escaped, so that neither `a#b` ends in a
 * fragment nor `a:b` begins with a scheme.
 */
const toUriPath = (path: string): string =>
  path
    .split("/")
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join("/");

/**
 * A finding is a point, which is a region of no length (§3.30.2). Code scanning refuses a result without a region:
 * what is said of a document as a whole is shown at its beginning.
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
