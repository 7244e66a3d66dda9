interface Parts {
  scheme: string | undefined;
  authority: string | undefined;
  path: string;
  query: string | undefined;
}

/**
 * Resolves a reference against a base (RFC 3986 §5.2), without its fragment. Only dots in paths are
 * normalized: a URI is a name here, not an address.
 */
export function resolveUri(base: string, reference: string): string {
  const target = split(reference);
  if (target.scheme !== undefined) return join({ ...target, path: withoutDots(target.path) });
  const from = split(base);
  if (target.authority !== undefined)
    return join({ ...target, scheme: from.scheme, path: withoutDots(target.path) });
  if (target.path === "") return join({ ...from, query: target.query ?? from.query });
  const path = target.path.startsWith("/") ? target.path : merge(from, target.path);
  return join({ ...from, path: withoutDots(path), query: target.query });
}

/** Returns the text after `#`, or undefined if there is none. */
export function fragmentOf(reference: string): string | undefined {
  const at = reference.indexOf("#");
  return at < 0 ? undefined : reference.slice(at + 1);
}

/** RFC 3986, appendix B. */
function split(uri: string): Parts {
  const [, scheme, authority, path = "", query] =
    /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(uri) ?? [];
  return { scheme, authority, path, query };
}

const join = ({ scheme, authority, path, query }: Parts): string =>
  `${scheme === undefined ? "" : `${scheme}:`}${authority === undefined ? "" : `//${authority}`}${path}${query === undefined ? "" : `?${query}`}`;

const merge = ({ authority, path }: Parts, relative: string): string =>
  authority !== undefined && path === ""
    ? `/${relative}`
    : path.slice(0, path.lastIndexOf("/") + 1) + relative;

/** RFC 3986 §5.2.4. */
function withoutDots(path: string): string {
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path;
  const result: string[] = [];
  const parts = path.split("/");
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    if (part === "..") {
      if (result.length > 1 || (result.length === 1 && result[0] !== "")) result.pop();
      if (last) result.push("");
    } else if (part !== ".") result.push(part);
    else if (last) result.push("");
  }
  return result.join("/");
}
