import { DocumentFault } from "../fault.ts";
import { nearest } from "../nearest.ts";
import { deprecatedIds, exceptionIds, licenseIds } from "./identifiers.ts";

/** One licence of an expression, with its exception. */
export interface License {
  /** As the licence list spells it; a reference as it is written. */
  id: string;
  /** Whether `+` follows: this version or a later one. */
  plus: boolean;
  exception: string | undefined;
  /** In UTF-16 code units of the expression. */
  index: number;
  /** Whether the identifier is a `LicenseRef-` or `DocumentRef-`, whose text the list does not have. */
  custom: boolean;
}

/** An expression in postfix notation: an operator follows both of its operands. It has no depth, so nothing recurses over it. */
export type Expression = readonly (License | Operator)[];

export type Operator = "AND" | "OR";

/** Most parentheses open at once; spdx-expression-parse ends at 5,000 by a full stack. */
const maxDepth = 1000;

/** Identifiers by their lower-case spelling: case does not distinguish them (SPDX 2.3, D.2). */
const byLowerCase = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name.toLowerCase(), name]));

const licenses = byLowerCase([...licenseIds, ...deprecatedIds]);
const exceptions = byLowerCase(exceptionIds);

/** Returns the spelling of the licence list, undefined if it lacks the identifier. */
export const findLicense = (name: string): string | undefined => licenses.get(name.toLowerCase());

/** Returns the spelling of the list of exceptions; a reference to one's own (`AdditionRef-`, SPDX 3) is returned as it is. */
export const findException = (name: string): string | undefined =>
  exceptions.get(name.toLowerCase()) ??
  (/^(?:DocumentRef-[\w.-]+:)?AdditionRef-[A-Za-z0-9.-]+$/.test(name) ? name : undefined);

export const isReference = (name: string): boolean =>
  /^(?:DocumentRef-[A-Za-z0-9.-]+:)?LicenseRef-[A-Za-z0-9.-]+$/.test(name);

type Waiting = { operator: Operator | "("; index: number };

/**
 * Parses an SPDX licence expression (SPDX 2.3, annex D). Operators are upper-case or, since SPDX 3, lower-case.
 * @throws DocumentFault with the index of the fault
 */
export function parseExpression(text: string): Expression {
  const output: (License | Operator)[] = [];
  const waiting: Waiting[] = [];
  let depth = 0;
  /** Whether a licence or ( must follow. */
  let wanted = true;
  /** The token before is a licence without an exception, which WITH may follow. */
  let plain: License | undefined;
  /** Where WITH was read, until its exception. */
  let exceptionAt: number | undefined;

  const reduce = (least: number): void => {
    for (let top = waiting.at(-1); top !== undefined && top.operator !== "("; top = waiting.at(-1)) {
      if (strength[top.operator] < least) return;
      output.push(top.operator);
      waiting.pop();
    }
  };

  for (const { 0: token, index } of text.matchAll(/[()]|[^\s()]+/g)) {
    if (exceptionAt !== undefined && plain !== undefined) {
      plain.exception = readException(token, index);
      [plain, exceptionAt] = [undefined, undefined];
    } else if (wanted) {
      if (token === "(") {
        if (++depth > maxDepth)
          throw new DocumentFault(
            `More than ${maxDepth} parentheses are open here.`,
            { index },
            "limit",
            maxDepth,
          );
        waiting.push({ operator: "(", index });
        continue;
      }
      plain = readLicense(token, index);
      output.push(plain);
      wanted = false;
    } else if (token === ")") {
      plain = undefined;
      reduce(0);
      if (waiting.pop() === undefined) throw fault("This ) closes nothing; remove it.", index);
      depth--;
    } else if (/^(?:with|WITH)$/.test(token)) {
      if (plain === undefined) throw fault("WITH must follow a licence without an exception.", index);
      exceptionAt = index;
    } else if (/^(?:and|AND|or|OR)$/.test(token)) {
      const operator = token.toUpperCase() as Operator;
      reduce(strength[operator]);
      waiting.push({ operator, index });
      wanted = true;
    } else throw fault(adviceBetween(token), index);
  }

  if (exceptionAt !== undefined) throw fault("An exception must follow WITH.", exceptionAt);
  const last = waiting.at(-1);
  if (wanted)
    throw fault(
      last === undefined
        ? "A licence must stand here, such as MIT or `MIT OR Apache-2.0`."
        : `A licence must follow ${last.operator}.`,
      last?.index ?? 0,
    );
  reduce(0);
  const open = waiting.pop();
  if (open !== undefined) throw fault("This ( is never closed.", open.index);
  return output;
}

const strength: Readonly<Record<Operator, number>> = { OR: 1, AND: 2 };

const fault = (message: string, index: number): DocumentFault => new DocumentFault(message, { index });

function readLicense(token: string, index: number): License {
  if (token === ")") throw fault("A licence must stand here, not a parenthesis.", index);
  if (/^(?:and|or|with)$/i.test(token)) throw fault(`A licence must stand before ${token}.`, index);
  const known = findLicense(token);
  const license = { exception: undefined, index, custom: false };
  if (known !== undefined) return { ...license, id: known, plus: false };
  if (isReference(token)) return { ...license, id: token, plus: false, custom: true };
  const base = token.endsWith("+") ? findLicense(token.slice(0, -1)) : undefined;
  if (base !== undefined) return { ...license, id: base, plus: true };
  // Tag-value and XML documents, which are not read.
  const advice = /^(?:SPDXVersion:|<)/.test(token) && index < 3;
  if (advice) throw fault("This is no SPDX expression; bills of materials are read as JSON.", index);
  throw fault(`${shorten(token)} is not on the SPDX licence list${proposal(token)}`, index);
}

function readException(token: string, index: number): string {
  const known = findException(token);
  if (known !== undefined) return known;
  const near = nearest(token, exceptionIds);
  throw fault(
    `${shorten(token)} is not an exception on the SPDX list${near === undefined ? "." : `; did you mean ${near}?`}`,
    index,
  );
}

function adviceBetween(token: string): string {
  if (/^(?:and|or|with)$/i.test(token)) return `Write ${token.toUpperCase()} in capital letters.`;
  if (token === "(") return "AND or OR must stand before a parenthesis.";
  if (/^(?:\/|\||\|\|)$/.test(token)) return `Write OR in the place of ${token}.`;
  if (/^(?:&|&&|,)$/.test(token)) return `Write AND in the place of ${token}.`;
  return `AND or OR must stand before ${shorten(token)}.`;
}

/** Returns the end of a sentence about an identifier that the list lacks. */
export function proposal(token: string): string {
  // Cargo once wrote alternatives so.
  if (token.includes("/") && token.split("/").every((part) => findLicense(part) !== undefined))
    return "; write OR in the place of /.";
  if (/^[^,]+,$/.test(token)) return "; write AND or OR in the place of the comma.";
  const near = likelyLicense(token);
  return near === undefined ? "; a licence of your own is LicenseRef-NAME." : `; did you mean ${near}?`;
}

/** Usual names of licences that no spelling correction leads to. */
const names: readonly (readonly [RegExp, string])[] = [
  [/^(?:the )?mit(?: license| licence|\/x11)?$/, "MIT"],
  [/^apache(?: software)?(?: license| licence)?,?(?: version)?[ -]?v?2(?:\.0)?$/, "Apache-2.0"],
  [/^(?:the )?(?:new|modified|revised|3-clause) bsd(?: license)?$|^bsd[ -]?3$/, "BSD-3-Clause"],
  [/^(?:the )?(?:simplified|2-clause|freebsd) bsd(?: license)?$|^bsd[ -]?2$/, "BSD-2-Clause"],
  [/^(?:the )?isc license$/, "ISC"],
  [/^(?:gnu )?gpl ?v?2(?:\.0)?$/, "GPL-2.0-only"],
  [/^(?:gnu )?gpl ?v?3(?:\.0)?$/, "GPL-3.0-only"],
  [/^(?:gnu )?lgpl ?v?2\.1$/, "LGPL-2.1-only"],
  [/^(?:gnu )?lgpl ?v?3(?:\.0)?$/, "LGPL-3.0-only"],
  [/^(?:gnu )?agpl ?v?3(?:\.0)?$/, "AGPL-3.0-only"],
  [/^mozilla public license(?:,? v(?:ersion )?)? ?2\.0$|^mpl ?v?2$/, "MPL-2.0"],
  [/^(?:the )?unlicense$/, "Unlicense"],
];

/** Returns the identifier that a text probably means, undefined if none is near. */
export function likelyLicense(text: string): string | undefined {
  const plain = text.trim().toLowerCase();
  if (plain.length > 64) return undefined;
  const named = names.find(([pattern]) => pattern.test(plain))?.[1];
  if (named !== undefined) return named;
  const near = nearest(plain, licenseIds);
  // Short identifiers are near each other: nobody who writes BSD means ISC.
  return near !== undefined && plain.length > 4 ? near : undefined;
}

const shorten = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
