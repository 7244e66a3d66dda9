import { load } from "../load.ts";
import { splitWords } from "../text/words.ts";
import { type Guess, shareOf } from "./guess.ts";
import type { Sample } from "./sample.ts";

const version = /^[v=]{0,2}\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/i;
const range = /^[\^~<>=!*\dvxX]/;

/** Versions and ranges of them. */
export async function detectVersion({ line, lines }: Sample): Promise<Guess[]> {
  const add = (kind: Guess["kind"], confidence: number, reason: string): Guess[] => [
    { kind, confidence, reason },
  ];
  const checked = lines.map((each) =>
    each.trim().replaceAll(/^["'](?=[v\d^~<>=])|["'],?$|^refs\/tags\//g, ""),
  );
  if (line === "") {
    const share = shareOf(
      checked,
      (each) => version.test(each) || /^v\d+(?:\.\d+){1,3}(?:-?\w+)?$/.test(each),
    );
    return lines.length > 1 && share > 0.8 ? add("versions", 0.95, "Each line is a version.") : [];
  }
  const text = checked[0] ?? "";
  if (version.test(text)) return add("version", 0.95, "It is a semantic version.");
  if (/^(?:@[\w.-]+\/)?[\w.-]+@[\^~]?\d+\.\d+|^[a-z][\w.]*[-/]v?\d+\.\d+\.\d+/i.test(text))
    return add("version", 0.75, "It is a package with its version.");
  if (/^\d+\.\d+\.\d+\S* *(?:, *|vs\.? |<|>|==? ?| and | to |->| ) *\d+\.\d+\.\d+/.test(text))
    return add("version", 0.85, "It compares versions.");
  if (/^v\d+(?:\.\d+){0,3}(?:[-.]?(?:rc|beta|alpha|pre)\.?\d*)?$/i.test(text))
    return add("version", 0.85, "It is a version after v.");
  if (text.length > 200 || !range.test(text) || !/[\^~<>=|xX*]|\s-\s/.test(text) || !/\d/.test(text))
    return [];
  if (/^0x/i.test(text)) return [];
  const { validRange } = await load("semver");
  return validRange(text) !== null ||
    validRange(text.replaceAll("~> ", "~").replaceAll(",", " ").replaceAll("==", "=")) !== null
    ? add("version-range", 0.93, "It is a range of versions.")
    : [];
}

const uuid = /^(?:urn:uuid:)?\{?[\da-f]{8}-[\da-f]{4}-([\da-f])[\da-f]{3}-[\da-f]{4}-[\da-f]{12}\}?$/i;

/** Identifiers, and values that look random. */
export function detectIdentifier({ line, lines }: Sample): Guess[] {
  const add = (kind: Guess["kind"], confidence: number, reason: string): Guess[] => [
    { kind, confidence, reason },
  ];
  const isUlid = (text: string): boolean =>
    /^[0-7][\dA-HJKMNP-TV-Z]{25}$/.test(text) || /^[0-7][\da-hjkmnp-tv-z]{25}$/.test(text);
  if (line === "") {
    if (lines.length < 2) return [];
    const trimmed = lines.map((each) => each.trim());
    if (shareOf(trimmed, (each) => uuid.test(each)) > 0.9)
      return add("uuid-list", 0.95, "Each line is a UUID.");
    return shareOf(trimmed, isUlid) > 0.9 ? add("ulid", 0.9, "Each line is a ULID.") : [];
  }
  const digit = uuid.exec(line)?.[1];
  if (digit !== undefined)
    return /[167]/.test(digit)
      ? add("uuid-timed", 0.97, `It is a UUID of version ${digit}, which has a time.`)
      : add("uuid", 0.97, `It is a UUID of version ${digit}.`);
  if (isUlid(line)) return add("ulid", 0.95, "It is a ULID.");
  if (/^[\da-f]{24}$/.test(line) && /[a-f]/.test(line))
    return add("object-id", 0.94, "It has the length of an ObjectId of MongoDB.");
  if (/\s/.test(line) || line.length < 8 || line.length > 128) return [];
  const classes = [/[a-z]/, /[A-Z]/, /\d/].filter((each) => each.test(line)).length;
  const marks = /[!@#$%^&*+?~]/.test(line);
  if (classes === 3 && marks && line.length <= 40 && !/[/=:<>(){}[\]]/.test(line))
    return add("password", 0.6, "It has letters of both cases, digits and marks, as a password has.");
  if (classes < 3 || !/^[\w-]+$/.test(line) || /^[A-Z]?[a-z]+(?:[A-Z\d_-]+[a-z]+)*$/.test(line)) return [];
  return line.length === 21
    ? add("nanoid", 0.75, "It has the length and the alphabet of a Nano ID.")
    : line.length >= 16
      ? add("token", 0.55, "It looks random.")
      : [];
}

const identifier = /^[$_]?[A-Za-z][A-Za-z\d]*(?:[_.-][A-Za-z\d]+)*$/;

/** A name of several words; what is random has words of one or two letters. */
function isCompound(text: string): boolean {
  if (
    !identifier.test(text) ||
    !/[a-z\d][A-Z]|[A-Z]{2}[a-z]|[A-Za-z\d][_-][A-Za-z\d]|^[a-z]+(?:\.[a-z]+){2,}$/.test(text)
  )
    return false;
  const words = splitWords(text);
  return (
    words.length > 1 && text.length >= words.length * 2.5 && shareOf(words, (word) => /\d/.test(word)) <= 0.5
  );
}

/** Names of a program, and titles. */
export function detectCase({ line, lines, text }: Sample): Guess[] {
  const add = (confidence: number, reason: string): Guess[] => [{ kind: "identifier", confidence, reason }];
  const checked = lines.slice(0, 100).map((each) => each.trim().replace(/,$/, ""));
  if (
    text.length < 8192 &&
    checked.every((each) => identifier.test(each)) &&
    shareOf(checked, isCompound) > 0.6
  )
    return add(
      /\./.test(text) ? 0.7 : lines.length > 1 ? 0.88 : 0.9,
      "It is a name in camel, snake or kebab case.",
    );
  const words = line.split(/\s+/);
  if (line === "" || words.length < 2 || words.length > 14 || /[^\p{L}\p{N}\s'’,&-]/u.test(line)) return [];
  const lower = line === line.toLowerCase();
  const upper = line === line.toUpperCase();
  const titled = words.every((word) => /^\p{Lu}/u.test(word) || word.length < 5);
  if (!/\p{L}{2}/u.test(line)) return [];
  return add(lower || upper || titled ? 0.7 : 0.5, "It is a few words, such as a title.");
}

/** Short texts that are shown on badges or scanned from pictures. */
export function detectCaption({ text, line }: Sample): Guess[] {
  if (
    /^(?:WIFI:|otpauth:\/\/|BEGIN:V(?:CARD|EVENT|CALENDAR)|MECARD:|geo:-?\d|tel:\+?\d|sms(?:to)?:|mailto:|bitcoin:|ethereum:|MATMSG:|SPC\n|BCD\n|upi:\/\/)/i.test(
      text,
    )
  )
    return [
      { kind: "qr-text", confidence: 0.97, reason: "Its prefix is one that readers of QR codes act on." },
    ];
  if (line === "" || line.length > 48) return [];
  const states =
    "passing|failing|passed|failed|unknown|stable|unstable|success|error|pending|experimental|deprecated|maintained|up to date|outdated|active|inactive|beta|alpha|production|online|offline|release|latest|A\\+?|none|yes|no|enabled|disabled|brightgreen|running|canceled|skipped";
  const subjects =
    "build|tests?|coverage|cov|license|licence|version|release|downloads?|status|docs?|documentation|npm|pypi|docker|ci|deploy|deployment|quality|uptime|dependencies|deps|chat|style|code style|stars|forks|issues|pulls|size|platform|node|python|go|rust|powered by|made with|maintenance|security|audit|lint";
  const badge =
    new RegExp(`^(?:${states})$`, "i").test(line) ||
    new RegExp(
      `^(?:${subjects})(?: ?[:|=-] ?| )(?:v?[\\d.,]+ ?[%kMG]?(?:/\\w+)?|${states}|[A-Z][\\w.+-]*|\\w+ [\\d.]+)$`,
      "i",
    ).test(line) ||
    /^[\w ]{2,24}: ?\d{1,3}(?:\.\d+)? ?%$/.test(line) ||
    /^(?:\w+: ?)?\d+(?:\/\d+)? (?:tests? )?(?:passed|passing|failed|ok)$/i.test(line);
  if (/^\d{1,3}(?:\.\d+)? ?%$/.test(line))
    return [{ kind: "caption", confidence: 0.75, reason: "It is a share, as badges show." }];
  return badge
    ? [{ kind: "caption", confidence: 0.85, reason: "It is a short status, as badges show." }]
    : [];
}

const types =
  "feat|fix|docs|style|refactor|perf|test|tests|build|ci|chore|revert|wip|hotfix|release|security|deps|improvement|feature|bugfix|merge|config|init|types|ux|ui|i18n|a11y";

export function detectCommit({ text, lines }: Sample): Guess[] {
  const first = lines[0] ?? "";
  const add = (confidence: number, reason: string): Guess[] => [
    { kind: "commit-message", confidence, reason },
  ];
  if (new RegExp(`^(?:${types})(?: ?\\([^()]{0,60}\\))? ?!?: ?\\S`, "i").test(first) && first.length < 200)
    return add(0.96, "It begins with the type of a conventional commit.");
  if (/^(?:Merge (?:branch|pull request|remote|tag)|Revert "|(?:fixup|squash|amend)! )/.test(first))
    return add(0.93, "It begins as commit messages of git do.");
  if (
    lines.length > 1 &&
    /^(?:Signed-off-by|Co-authored-by|Reviewed-by|Change-Id|Fixes|Closes|Refs|Acked-by|BREAKING CHANGE): ?\S/m.test(
      text,
    )
  )
    return add(0.92, "It has a trailer of a commit message.");
  if (/^(?:commit [\da-f]{40}|[\da-f]{7} )/.test(text)) return [];
  if (/^(?:Closes|Fixes|Resolves) #\d+/m.test(text))
    return add(0.85, "It refers to an issue, as commit messages do.");
  if (/^wip\b/i.test(first)) return add(0.6, "It says work in progress.");
  const imperative =
    /^(?:Add|Fix|Update|Remove|Refactor|Bump|Use|Rename|Move|Implement|Improve|Support|Allow|Make|Change|Delete|Revert|Upgrade|Handle|Prevent|Avoid|Drop|Introduce|Replace|WIP)(?:s|ed|d)? \S/.test(
      first,
    );
  const body = /^[^\n]{1,100}\n\s*\n\S/.test(text);
  return imperative && !/[.!?]$/.test(first) && first.length < 100
    ? add(body ? 0.85 : lines.length === 1 ? 0.72 : 0.6, "It is a subject in the imperative.")
    : [];
}
