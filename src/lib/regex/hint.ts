/** Explains why a pattern that was copied with its slashes matches nothing. */
export function hintFor(pattern: string, flags: string, matches: number): string | undefined {
  const [, inner, more = ""] = /^\/(.+)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (inner === undefined || matches > 0) return undefined;
  const all = [...new Set(more + flags)].join("");
  return `The slashes are part of the pattern. To leave them out, set pattern to ${inner}${all === "" ? "" : ` and flags to ${all}`}.`;
}
