import { findSecrets, secretRules } from "../secrets/find.ts";
import { findAuthorization, findCommandLine, findCookies } from "../secrets/headers.ts";
import { findMasked } from "../secrets/masked.ts";
import { findUrlLogins } from "../secrets/url-logins.ts";
import { isReference } from "../secrets/values.ts";
import { findPersonal, personalKinds } from "../secrets/personal.ts";
import { stripAnsi } from "../text/strip-ansi.ts";
import { lintUnicode } from "../lint/unicode.ts";
import { type Guess, shareOf } from "./guess.ts";
import { cutAtLine, type Sample } from "./sample.ts";

/** Sequences of terminals, as bytes or written as escapes. */
export function detectAnsi({ raw }: Sample): Guess[] {
  const head = raw.slice(0, 16_384);
  if ((head.includes("\u001b") || head.includes("\u009b")) && stripAnsi(head) !== head)
    return [{ kind: "terminal-output", confidence: 0.98, reason: "It has control sequences of a terminal." }];
  if (/(?:\\(?:x1b|033|e|u001b)|\^\[|␛)\[\d*(?:;\d+)*m/i.test(raw))
    return [
      {
        kind: "terminal-escapes",
        confidence: 0.94,
        reason: "It has control sequences of a terminal, written as escapes.",
      },
    ];
  if (/(?:^|\n)(?:\[\d+(?:;\d+)*m\S?).*\[0?m/.test(raw.slice(0, 8192)))
    return [
      {
        kind: "terminal-output",
        confidence: 0.8,
        reason: "It has the rest of control sequences of a terminal.",
      },
    ];
  return /[^\n\r]\r[^\n\r]/.test(head) || head.includes("\b")
    ? [{ kind: "terminal-output", confidence: 0.75, reason: "It overwrites lines, as progress bars do." }]
    : [];
}

const stamp =
  /^(?:<\d{1,3}>\d? ?)?\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{10,13}\b|\d\d\/[A-Z][a-z]{2}\/\d{4}:)/;
const level =
  /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE|PANIC)\b|\blevel=\w+|\[(?:trace|debug|info|warn|error|fatal)\]|^(?:E|W|I)\d{4} /;
const access = /^\S+ \S+ \S+ \[[^\]]{10,40}\] "[A-Z]+ [^"]*" \d{3} /;

export function detectLog({ lines }: Sample): Guess[] {
  const checked = lines.slice(0, 200);
  if (shareOf(checked, (line) => access.test(line)) > 0.6)
    return [
      { kind: "access-log", confidence: 0.95, reason: "Its lines are those of the log of a web server." },
    ];
  const isEntry = (line: string): boolean =>
    (stamp.test(line) && line.length > 20 && /\s\S+\s\S/.test(line)) ||
    (level.test(line) && line.length > 12);
  const share = shareOf(checked, isEntry);
  const trace = shareOf(checked, (line) => /^\s+at \S|^\s+File "|^Caused by: |^goroutine \d/.test(line));
  if (share > 0.5 || (share + trace > 0.6 && share > 0))
    return [
      {
        kind: "log",
        confidence: checked.length > 1 ? 0.93 : 0.75,
        reason: "Its lines begin with a time or have a level, as those of a log.",
      },
    ];
  if (trace > 0 && checked.some((line) => /^Traceback |^[\w.]*(?:Error|Exception)\b/.test(line)))
    return [{ kind: "log", confidence: 0.9, reason: "It is a stack trace." }];
  return trace > 0.3 && checked.length > 1
    ? [{ kind: "log", confidence: 0.7, reason: "It is a stack trace." }]
    : [];
}

/** Most text that is searched for secrets: each rule is a search of its own. */
const maxSearched = 8 * 1024;

export function detectSecrets({ text, isText }: Sample): Guess[] {
  if (!isText) return [];
  const head = cutAtLine(text, maxSearched);
  const guesses: Guess[] = [];
  const found = findSecrets(head, secretRules, 5).filter(
    ({ rule }) => rule.id !== "jwt" && rule.id !== "private-key",
  );
  const [first] = found;
  if (first !== undefined) {
    const certain = found.some(
      ({ rule }) => !["high-entropy", "authorization", "url-password"].includes(rule.id),
    );
    const isHeader = found.every(({ rule }) => rule.id === "authorization");
    if (!isHeader)
      guesses.push({
        kind: "secret",
        confidence: certain ? 0.955 : 0.88,
        reason: `It contains ${first.rule.title}.`,
      });
  }
  const assigned = findMasked(head).find(({ index, end }) => !isReference(head.slice(index, end)));
  if (first === undefined && assigned !== undefined)
    guesses.push({ kind: "secret", confidence: 0.88, reason: "It assigns a value to the name of a secret." });
  const credentials = [findAuthorization, findCookies, findUrlLogins, findCommandLine].some(
    (find) => find(head).next().done === false,
  );
  if (credentials)
    guesses.push({
      kind: "credentials",
      confidence: 0.9,
      reason: "It contains credentials of a request or a URL.",
    });
  return guesses;
}

export function detectPersonal({ text, line, isText }: Sample): Guess[] {
  if (!isText) return [];
  const head = cutAtLine(text, maxSearched);
  const kinds = personalKinds.filter((kind) => findPersonal(head, kind).next().done === false);
  if (kinds.length === 0) return [];
  const strong =
    kinds.some((kind) => kind === "card" || kind === "iban") || (kinds.includes("email") && kinds.length > 1);
  const prose = / \p{L}+ \p{L}+/u.test(head) || (line !== "" && kinds.includes("email"));
  const confidence =
    strong && prose
      ? 0.94
      : strong
        ? 0.86
        : prose && (kinds.includes("email") || kinds.includes("phone"))
          ? 0.84
          : 0.72;
  const reason = `It contains ${kinds.map((kind) => titles[kind]).join(", ")}.`;
  // In JSON the redactor goes by names.
  return /^[[{]\s*["{[]/.test(text)
    ? [{ kind: "json-personal", confidence: strong ? 0.88 : confidence >= 0.84 ? 0.78 : 0.72, reason }]
    : [{ kind: "personal-data", confidence, reason }];
}

const titles: Readonly<Record<(typeof personalKinds)[number], string>> = {
  email: "an e-mail address",
  phone: "a phone number",
  ip: "an IP address",
  mac: "a MAC address",
  card: "a card number",
  iban: "an account number",
};

/** White space and characters that deceive. */
export function detectCharacters({ raw, text, isText }: Sample): Guess[] {
  if (!isText || text === "") return [];
  const guesses: Guess[] = [];
  const head = raw.slice(0, 16_384);
  const findings = lintUnicode(text.slice(0, 16_384), [], 20).filter(
    ({ rule, message }) => !(rule === "control-character" && /U\+00(?:1B|08|07)/.test(message)),
  );
  const wrong = findings.find(({ severity }) => severity === "error");
  if (wrong !== undefined) guesses.push({ kind: "deceptive-text", confidence: 0.965, reason: wrong.message });
  else if (findings.length > 0)
    guesses.push({ kind: "unusual-space", confidence: 0.9, reason: findings[0]?.message ?? "" });
  const faults = [
    /[^\s][ \t]+\r?\n/.test(head) && "spaces at the end of lines",
    /\r\n/.test(head) && "line ends of Windows",
    /\n(?:[ \t]*\r?\n){3,}/.test(head) && "several blank lines",
    raw.startsWith("\ufeff") && "a byte order mark",
    /^\t/m.test(head) && /^ {2,}\S/m.test(head) && "both tabs and spaces",
    /\S {3,}\S/.test(head) && !head.includes("\n") && "several spaces in a row",
    /^\n{2,}|\n{3,}$/.test(head) && "blank lines around it",
  ].filter((fault) => fault !== false);
  const deliberate = !/[^\s](?: | {3,}|[ \t]*\t[ \t]*)\r?\n/.test(head) && faults.length === 1;
  if (faults.length > 0)
    guesses.push({
      kind: "untidy-text",
      confidence: faults.length > 1 ? 0.86 : deliberate ? 0.7 : 0.76,
      reason: `It has ${faults.join(", ")}.`,
    });
  return guesses;
}

/** Detects the kinds of any text: lines or prose. */
export function detectPlain({ text, line, lines, isText }: Sample): Guess[] {
  if (!isText || text === "") return [];
  const guesses: Guess[] = [];
  const add = (kind: Guess["kind"], confidence: number, reason: string): void =>
    void guesses.push({ kind, confidence, reason });
  const short = shareOf(
    lines,
    (each) => each.length <= 80 && each.trim().split(/\s+/).length <= 6 && !/[{};]$|[.!?]$/.test(each),
  );
  if (lines.length > 2 && short > 0.8) add("lines", 0.8, `It is a list of ${lines.length} lines.`);
  else if (lines.length > 1) add("lines", 0.35, "It has several lines.");
  const special = /["'\\$`]/.test(text);
  if (text.length < 4000) {
    if (special)
      add(
        "quotable",
        line === "" ? 0.6 : /\s|["'\\]/.test(line) ? 0.72 : 0.55,
        "It has characters that strings and shells treat specially.",
      );
    else if (line !== "" && /[&<>?#%+=]|\P{ASCII}|\/.* |\s/u.test(line))
      add(
        "special-characters",
        /[&<>?#%+=/]|\P{ASCII}/u.test(line) ? 0.68 : 0.4,
        "It has characters that URLs and HTML treat specially.",
      );
  }
  if (/\p{L}{2}[,.;:!?]?\s+\p{L}/u.test(text))
    add("prose", lines.length > 1 && short < 0.8 ? 0.62 : 0.45, "It is prose.");
  add("text", line !== "" && text.length <= 64 ? 0.5 : 0.3, "It is text.");
  return guesses;
}
