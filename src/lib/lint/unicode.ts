import { append } from "../append.ts";
import type { TextFinding } from "../bounded-findings.ts";
import { findMixedScripts } from "./mixed-scripts.ts";

interface Rule {
  severity: "error" | "warning";
  pattern: RegExp;
  /** The end of a sentence that begins with the code point. */
  says: string;
}

/** Each code point is classified by the first rule that matches it. */
const rules: Readonly<Record<string, Rule>> = {
  "bidi-control": {
    severity: "error",
    pattern: /[\u202a-\u202e\u2066-\u2069]/u,
    says: "changes the order in which text is displayed, so that code can look different from what runs (CVE-2021-42574)",
  },
  "bidi-mark": {
    severity: "warning",
    pattern: /[\u061c\u200e\u200f]/u,
    says: "is an invisible direction mark",
  },
  "line-separator": {
    severity: "error",
    pattern: /[\u2028\u2029\u0085]/u,
    says: "ends a line in some programs and not in others",
  },
  "unusual-space": {
    severity: "warning",
    pattern: /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u,
    says: "looks like a space but is another character",
  },
  "control-character": {
    severity: "error",
    pattern: /[^\P{Cc}\t\n\r]/u,
    says: "is a control character",
  },
  "invisible-character": {
    severity: "error",
    pattern:
      // oxlint-disable-next-line no-misleading-character-class
      /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufe00-\ufe0f\u{e0000}-\u{e0fff}\u{1d173}-\u{1d17a}\u{13430}-\u{1343f}]/u,
    says: "is invisible",
  },
  noncharacter: {
    severity: "error",
    pattern: /\p{Noncharacter_Code_Point}/u,
    says: "is a noncharacter, which will never be assigned",
  },
  "lone-surrogate": {
    severity: "error",
    pattern: /\p{Surrogate}/u,
    says: "is a lone surrogate",
  },
  "replacement-character": {
    severity: "warning",
    pattern: /\ufffd/u,
    says: "replaces text that was lost in a conversion",
  },
  "private-use": {
    severity: "warning",
    pattern: /\p{Private_Use}/u,
    says: "has a meaning only in a particular font",
  },
};

export const unicodeRules = [...Object.keys(rules), "byte-order-mark", "mixed-script"];

/** @param allowed Names of rules, and code points as U+200B. */
export function lintUnicode(text: string, allowed: readonly string[], limit: number): TextFinding[] {
  const off = new Set(
    allowed.map((name) => (/^u\+/i.test(name) ? `U+${name.slice(2).toUpperCase().padStart(4, "0")}` : name)),
  );
  const found: TextFinding[] = [];
  for (const { 0: char, index } of text.matchAll(suspicious)) {
    const finding = classify(text, char, index);
    if (finding !== undefined && !off.has(finding.rule) && !off.has(toNumber(char))) found.push(finding);
    if (found.length === limit) break;
  }
  if (!off.has("mixed-script")) append(found, findMixedScripts(text, off, limit));
  return found.toSorted((a, b) => a.index - b.index).slice(0, limit);
}

const suspicious = new RegExp(
  Object.values(rules)
    .map(({ pattern }) => pattern.source)
    .join("|"),
  "gu",
);

function classify(text: string, char: string, index: number): TextFinding | undefined {
  if (char === "\ufeff" && index === 0) {
    const message =
      "The text begins with a byte order mark (U+FEFF); UTF-8 needs none, and many programs fail on it.";
    return { rule: "byte-order-mark", severity: "warning", message, index };
  }
  if (isOfEmojiOrScript(text, char, index)) return undefined;
  for (const [rule, { severity, pattern, says }] of Object.entries(rules)) {
    if (pattern.test(char)) return { rule, severity, message: `${toNumber(char)} ${says}.`, index };
  }
  return undefined;
}

/** Reports whether a joiner or selector is part of an emoji or of a script that needs it. */
function isOfEmojiOrScript(text: string, char: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + char.length, index + char.length + 2);
  if (char === "\u200d" && /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u.test(before))
    return /^\p{Extended_Pictographic}/u.test(after);
  if (char === "\u200c" || char === "\u200d") return joining.test(before);
  if (char === "\ufe0e" || char === "\ufe0f") return /\p{Emoji}$/u.test(before);
  // Variants of one ideograph; two in a row are not text but hidden data.
  if (/[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/u.test(char)) return /\p{Script=Han}$/u.test(before);
  // The flags of England, Scotland and Wales are a black flag with tags.
  if (/[\u{e0020}-\u{e007f}]/u.test(char)) {
    const near = text.slice(Math.max(0, index - 14), index);
    // Matches from the flag on: without the anchor V8 fails to match four tags and more.
    return /^\u{1f3f4}[\u{e0020}-\u{e007e}]*$/u.test(near.slice(Math.max(0, near.lastIndexOf("\u{1f3f4}"))));
  }
  return false;
}

const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

const toNumber = (char: string): string =>
  `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`;
