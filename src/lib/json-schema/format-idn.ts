/** Code points that RFC 5892 §2.6 allows or disallows regardless of their category. */
const allowed = new Set("\u00df\u03c2\u06fd\u06fe\u0f0b\u3007");
const refused = new Set("\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b");

/** Reports whether a label that is not ASCII is valid in IDNA 2008 (RFC 5891 §4.2, RFC 5892). */
export function isIdnLabel(label: string): boolean {
  if (label === "" || label !== label.normalize("NFC") || /^-|-$/.test(label) || label.slice(2, 4) === "--")
    return false;
  if (/^\p{M}/u.test(label)) return false;
  const points = Array.from(label);
  // The two kinds of Arabic digits must not be mixed (RFC 5892, A.8 and A.9).
  if (/[\u0660-\u0669]/.test(label) && /[\u06f0-\u06f9]/.test(label)) return false;
  return points.every((point, at) => isAllowed(point) || fitsContext(points, at, label));
}

/** PVALID: lower-case letters, marks and digits that compatibility mapping does not change. */
function isAllowed(point: string): boolean {
  if (allowed.has(point) || /[a-z\d-]/.test(point)) return true;
  if (refused.has(point) || !/^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$/u.test(point)) return false;
  if (/^[\u115f\u1160\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]$/.test(point)) return false;
  return (
    point.normalize("NFKC").toLowerCase() === point || point.normalize("NFKC") === point.normalize("NFC")
  );
}

/** Contextual rules of RFC 5892, appendix A. */
function fitsContext(points: readonly string[], at: number, label: string): boolean {
  const before = points[at - 1] ?? "";
  const after = points[at + 1] ?? "";
  switch (points[at]) {
    case "\u00b7":
      return before === "l" && after === "l";
    case "\u0375":
      return /^\p{Script=Greek}$/u.test(after);
    case "\u05f3":
    case "\u05f4":
      return /^\p{Script=Hebrew}$/u.test(before);
    case "\u30fb":
      return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label.replaceAll("\u30fb", ""));
    case "\u200d":
      return virama.test(before);
    case "\u200c":
      return virama.test(before) || joins(points, at);
    default:
      return false;
  }
}

/** Marks of combining class 9. */
const virama =
  /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed]$/;

/**
 * Reports whether joining letters stand on both sides, ignoring marks; only joining scripts have such
 * letters.
 */
function joins(points: readonly string[], at: number): boolean {
  const isJoining = (point: string | undefined): boolean =>
    point !== undefined &&
    /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]$/u.test(point) &&
    /^\p{L}$/u.test(point);
  const isMark = (point: string | undefined): boolean => point !== undefined && /^\p{Mn}$/u.test(point);
  let left = at - 1;
  while (isMark(points[left])) left--;
  let right = at + 1;
  while (isMark(points[right])) right++;
  return isJoining(points[left]) && isJoining(points[right]);
}
