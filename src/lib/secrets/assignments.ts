import { type BareValue, readBare } from "./bare-values.ts";
import { sticky } from "./sticky.ts";
import { classifyName, type NameKind } from "./names.ts";
import { nameHint } from "./scan-text.ts";

/** A value assigned to the name of a secret, in any language or notation. */
export interface Assignment extends BareValue {
  name: string;
  kind: NameKind;
  /** Whether the value is in quotes or between tags. */
  quoted: boolean;
}

/** Longest name and value read; they bound the work at each place. */
const maxName = 100;
const maxValue = 4096;
const longValue = 256;

const nameUnit = /[\w.$-]/;
const restOfName = /[\w$-]*(?:\.[\w$-]+)*/y;

/**
 * Lists values assigned to the names of secrets, in text order and in linear time.
 * @param hints Where `nameHint` matches, in text order.
 */
export function* findAssignments(text: string, hints: readonly number[]): Generator<Assignment> {
  let done = 0;
  for (const hint of hints) {
    if (hint < done) continue;
    let start = hint;
    while (start > done && nameUnit.test(text.charAt(start - 1))) start--;
    done = Math.max(sticky(nameHint, text, hint), sticky(restOfName, text, hint));
    if (done - start > maxName) continue;
    const name = text.slice(start, done);
    const kind = classifyName(name);
    // A file name, such as /src/token.ts, is more often followed by a digest than by a secret.
    if (kind === undefined || (kind === "related" && text[start - 1] === "/")) continue;
    // arn:aws:secretsmanager:eu-west-1:123456789012:secret:db names a secret of AWS.
    if (text[start - 1] === ":" && /arn:[\w:/-]{1,80}:$/.test(text.slice(Math.max(0, start - 90), start)))
      continue;
    for (const value of readValues(text, start, done, { name, kind })) {
      yield value;
      // Skips names within a long value, so that the total work stays linear.
      if (value.block === true || value.end - value.index > longValue) done = value.end;
    }
  }
}

function* readValues(
  text: string,
  start: number,
  end: number,
  named: Pick<Assignment, "name" | "kind">,
): Generator<Assignment> {
  const toQuoted = (from: number, to: number): Assignment => ({
    ...named,
    index: from,
    end: to,
    tail: to,
    quoted: true,
    config: true,
  });
  const tag = startsTag(text, start) ? sticky(openTag, text, end) : -1;
  if (tag >= 0) {
    const close = sticky(/[^<]{1,4096}(?=<\/)/y, text, tag);
    if (close >= 0) yield toQuoted(tag, close);
    return;
  }
  if (text[end] === "(" && twoArguments.test(named.name)) {
    const user = readQuoted(text, sticky(/\(\s{0,40}/y, text, end));
    const second = user === undefined ? -1 : sticky(/\s{0,8},\s{0,40}/y, text, user.next);
    const password = second < 0 ? undefined : readQuoted(text, second);
    if (password !== undefined) yield { ...toQuoted(password.from, password.to), kind: "password" };
    return;
  }
  const operator = findOperator(text, start, end);
  if (operator === undefined) return;
  const list = sticky(/\[\s{0,80}(?=\\{0,3}["'])/y, text, operator.to);
  for (let at = Math.max(list, operator.to); at >= 0;) {
    const found = readQuoted(text, at);
    if (found === undefined) break;
    yield toQuoted(found.from, found.to);
    if (list < 0) return;
    at = sticky(/\s{0,8},\s{0,80}(?=\\{0,3}["'])/y, text, found.next);
  }
  if (list >= 0 || operator.quotedOnly) return;
  for (const value of readBare(text, operator.to, start, operator.spaced))
    yield { ...named, quoted: false, ...value };
}

/** Calls with a user and a password: BasicAuth("ann", "x"). */
const twoArguments =
  /(?:basic_?auth|networkcredential|passwordcredentials?|passwordauthentication|httpdigestauth)$/i;

/** <name or <space:name; a colon alone begins a symbol of Ruby. */
const startsTag = (text: string, start: number): boolean =>
  text[start - 1] === "<" ||
  (text[start - 1] === ":" && /<[\w.-]{1,40}:$/.test(text.slice(Math.max(0, start - 42), start)));

const openTag = /(?:[ \t][^<>\n]{0,200})?(?<!\/)>/y;

/** Matches the text between a name and its value: the closing quote of the name, a type, and an operator. */
const assign =
  /(?:\\{0,3}["'`]\]?|(?<=\[:\w{1,100})\])?[ \t]{0,8}(?:\[\d{0,5}\])?(?:\?|!(?!=))?[ \t]{0,16}(?:::?[ \t]{0,4}(?!["'`])[&'*\w<>[\]?.]{1,40}(?: \| [\w<>[\]]{1,40}){0,4}[ \t]{0,4}=(?![=>])|(?:string|\*string|\[\]byte)[ \t]{1,4}=(?!=)|:=|=>|:-|<-|=(?![=>~])|:(?![:=?+-])|%3[dD])/y;
/** Matches the operator before a default value: `process.env.DB_PASSWORD || "x"`. */
const fallback = /(?:["'`]\])?\)?[ \t\n]{0,40}(?:\|\|=?|\?\?=?|\?:|\bor\b)/y;
/** `{"name": "DB_PASSWORD", "value": "x"}`, also in YAML and XML, and the default of a variable of Terraform. */
const pair =
  /(?:\\{0,3}["'][ \t]{0,4},?\s{0,80}|[ \t]{0,4}\r?\n[ \t]{0,40})\\{0,3}["']?[vV]alue\\{0,3}["']?[ \t]{0,8}[:=]|"[ \t]{0,4}\{[^{}]{0,400}?\sdefault[ \t]{0,40}=/y;
const nextArgument = /\\{0,3}["'`][ \t]{0,8},/y;

const variableStart = /(?:^|\n)[ \t]{0,40}(?:(?:export|set|env|ENV|ARG|-)[ \t]{1,4})?$/;

/** Functions whose first argument is the password itself. */
const derivation = /(?:argon2|scrypt|pbkdf2|bcrypt|hkdf|hmac|derive|hash|crypt)\w{0,20}\([^(]{0,4}$/i;

const listed = /(?:(?:^|\n)[ \t]{0,40}|\(def[ \t]{1,4}|[\s({]:)$/;

interface Operator {
  /** Start of the value. */
  to: number;
  /** Whether white space surrounds the operator, as in code. */
  spaced: boolean;
  quotedOnly: boolean;
}

function findOperator(text: string, start: number, end: number): Operator | undefined {
  const behind = (at: number, quotedOnly: boolean): Operator => {
    // !!str of YAML and !unsafe of Ansible say that the value is a string.
    const to = sticky(
      /[ \t]{0,16}(?:\r?\n[ \t]{1,40}(?=\\{0,3}["'`])|(?:!!str|!unsafe)[ \t]{1,4})?/y,
      text,
      at,
    );
    return { to, spaced: to > at, quotedOnly };
  };
  const paired = sticky(pair, text, end);
  if (paired >= 0) return { ...behind(paired, false), spaced: false };
  // NAME=value at the beginning of a line, whatever the value begins with: =~ and => are operators elsewhere.
  const before = text.slice(Math.max(0, start - 80), start);
  if (text[end] === "=" && /^[A-Z][A-Z\d_]*$/.test(text.slice(start, end)) && variableStart.test(before))
    return behind(end + 1, false);
  const assigned = sticky(assign, text, end);
  if (assigned >= 0) return behind(assigned, false);
  const otherwise = sticky(fallback, text, end);
  if (otherwise >= 0) return behind(otherwise, true);
  const argument = sticky(nextArgument, text, end);
  if (argument >= 0)
    return /[([]\\{0,3}["'`]$/.test(before) && !derivation.test(before) ? behind(argument, true) : undefined;
  // setPassword("x"), .password("x"), --password x, ENV PASSWORD x, `login ann password x` of .netrc and PASSWORD 'x' of SQL.
  const name = text.slice(start, end);
  if (text[end] === "(")
    return /^(?:.*\.)?(?:set|with)|\.password$/i.test(name) ? behind(end + 1, true) : undefined;
  const gap = sticky(/[ \t]{1,8}/y, text, end);
  if (gap < 0) return undefined;
  // requirepass x of redis.conf, bindpw x of ldap.conf and IDENTIFIED BY 'x' of SQL.
  if (/^(?:requirepass|masterauth|bindpw|rootpw)$/.test(name) && /(?:^|\n)[ \t]{0,8}$/.test(before))
    return { to: gap, spaced: false, quotedOnly: false };
  if (/^identified[ \t]by$/i.test(name))
    return behind(Math.max(gap, sticky(/[ \t]{1,8}(?:VALUES|PASSWORD)[ \t]{1,8}/iy, text, end)), false);
  if (
    /^--?[a-z]/i.test(name) ||
    /(?:^|\n)(?:ENV|ARG)[ \t]{1,8}$|\bsetx[ \t]{1,4}$|\blogin[ \t]\S{1,60}\s{1,8}$/.test(before)
  )
    return { to: gap, spaced: false, quotedOnly: text[gap] === "-" };
  // storePassword 'x' of Gradle, (def password "x") and :password "x" of Clojure.
  const isBare = /^password$/i.test(name) && text[gap] === "'";
  const isListed = /password$/i.test(name) && listed.test(before);
  return isBare || isListed ? behind(gap, true) : undefined;
}

const opening = /(?:[A-Za-z@$]{1,2}(?=["'`]))?(\\{0,3})("""|'''|["'`])/y;

/**
 * Returns the text between quotes of one kind, including escaped quotes: a document within a string is read
 * like any other.
 */
function readQuoted(text: string, at: number): { from: number; to: number; next: number } | undefined {
  opening.lastIndex = at;
  const found = opening.exec(text);
  if (found === null) return undefined;
  const [, slashes = "", quote = ""] = found;
  const from = opening.lastIndex;
  const limit = Math.min(text.length, from + maxValue);
  const close = slashes + quote;
  for (let to = from; to < limit; to++) {
    if (text.startsWith(close, to)) return { from, to, next: to + close.length };
    if (text[to] === "\\" && slashes === "") to++;
    else if (text[to] === "\n" && quote.length === 1 && quote !== "`")
      return /^[^\s,;)}\]]{4,}$/.test(text.slice(from, to)) ? { from, to, next: to } : undefined;
  }
  return { from, to: limit, next: limit };
}
