import { hash } from "node:crypto";
import { labelForm } from "../catalog/label.ts";
import type { Person } from "../catalog/principal.ts";

/** Longest issuer, and longest subject after `encodeSubject`: three times the 255 ASCII characters of OpenID Connect. */
const maxIssuer = 200;
const maxSubject = 765;
const maxName = 200;

const actorPrefix = "person:";
/** The issuer of people whom a trusted proxy names. */
export const proxyIssuer = "proxy";

/** An issuer has no fragment, so that the first `#` ends it. */
const issuerForm = /^(?:proxy|https?:\/\/[!$-~]+)$/;
// oxlint-disable-next-line no-control-regex -- these are what is refused
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** The audit trail masks keys and tokens, and two people must not become one. */
const masked = /svc_[a-z]+_/;

/**
 * Reports whether a value identifies a person: short enough, and made of characters that cannot disturb a line of a log or
 * the audit trail.
 */
export function isPerson(value: unknown): value is Person {
  if (typeof value !== "object" || value === null) return false;
  const { issuer, subject, name, ...rest } = value as Record<string, unknown>;
  return (
    Object.keys(rest).length === 0 &&
    typeof issuer === "string" &&
    issuer.length <= maxIssuer &&
    issuerForm.test(issuer) &&
    !masked.test(issuer) &&
    typeof subject === "string" &&
    isSubject(subject) &&
    (name === undefined || (typeof name === "string" && isName(name)))
  );
}

/** Makes a person of what a provider or a proxy sent; undefined if it cannot identify one. A name that is not fit to show is left out. */
export function toPerson(issuer: string, subject: string, name?: string): Person | undefined {
  const person = { issuer, subject, ...(name !== undefined && isName(name) && { name }) };
  return isPerson(person) ? person : undefined;
}

/** Reports whether two people are one. Names do not count: they change, and others can have them too. */
export const isSamePerson = (a: Person | undefined, b: Person | undefined): boolean =>
  a !== undefined && b !== undefined && a.issuer === b.issuer && a.subject === b.subject;

/**
 * Returns the actor of a person's acts, `person:<issuer>#<subject>`: different for different people, in printable ASCII without
 * spaces. It has at most 1,000 characters.
 */
export const toPersonActor = ({ issuer, subject }: Person): string =>
  `${actorPrefix}${issuer}#${encodeSubject(subject)}`;

/** Returns the owner under which a person's sessions are listed; not the name of an account. */
export const personOwner = (person: Person): string =>
  `${actorPrefix}${hash("sha256", toPersonActor(person), "hex").slice(0, 32)}`;

/** Reads what `toPersonActor` returned, also without its prefix; undefined for other text. */
export function parsePersonActor(text: string): Person | undefined {
  const plain = text.startsWith(actorPrefix) ? text.slice(actorPrefix.length) : text;
  const end = plain.indexOf("#");
  if (end === -1) return undefined;
  try {
    return toPerson(plain.slice(0, end), decodeURIComponent(plain.slice(end + 1)));
  } catch {
    return undefined;
  }
}

/** Reports whether a caller claims to be a person; only the server itself may name one as the actor of an act. */
export const isPersonActor = (actor: string): boolean => actor.startsWith(actorPrefix);

/** Escapes what may not be in the fragment of a URI (RFC 3986 §3.5), so that the issuer and the subject together are one. */
const encodeSubject = (subject: string): string => encodeURI(subject).replaceAll("#", "%23");

function isSubject(text: string): boolean {
  if (text === "" || text.length > maxSubject || !text.isWellFormed()) return false;
  if (controls.test(text) || masked.test(text) || text.trim() !== text) return false;
  return encodeSubject(text).length <= maxSubject;
}

const isName = (text: string): boolean =>
  text.trim() !== "" && text.length <= maxName && labelForm.test(text);
