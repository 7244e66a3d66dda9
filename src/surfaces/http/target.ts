/** A parsed request target. */
export interface Target {
  path: string;
  query: string;
}

/**
 * Splits a request target (RFC 9112 §3.2): origin form, absolute form, or `*` of OPTIONS. It is not parsed as a URL: in
 * `//evil/api` a URL parser would take `evil` for the host.
 */
export function parseTarget(target: string): Target {
  let path = target;
  if (path.charCodeAt(0) !== 47) {
    const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(path);
    if (absolute !== null) path = path.slice(absolute[0].length);
    // `http://host?x` has an empty path, which equals `/` (RFC 9110 §4.2.3).
    if (path.charCodeAt(0) !== 47 && path !== "*") path = `/${path}`;
  }
  const mark = path.indexOf("?");
  return mark === -1 ? { path, query: "" } : { path: path.slice(0, mark), query: path.slice(mark + 1) };
}

/**
 * Returns the authority of a target in absolute form, which replaces the Host header (RFC 9112 §3.2.2); otherwise
 * undefined.
 */
export const authorityOf = (target: string): string | undefined =>
  target.charCodeAt(0) === 47 ? undefined : /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];

/** Returns the path below `basePath`, or undefined if it is not below it. */
export function stripBase(path: string, basePath: string): string | undefined {
  if (basePath === "") return path;
  if (path === basePath) return "/";
  return path.startsWith(basePath) && path.charCodeAt(basePath.length) === 47
    ? path.slice(basePath.length)
    : undefined;
}

/** Decodes the percent-encoding of a path. Returns undefined if it is not well-formed UTF-8. */
export function decodePath(path: string): string | undefined {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Removes a trailing slash, which the router ignores. */
export const toRoute = (path: string): string => path.replace(/(?<=.)\/$/, "");
