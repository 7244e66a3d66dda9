import { DocumentFault } from "../fault.ts";
import { isName } from "./chars.ts";
import { shorten } from "./fault.ts";
import type { XmlAttribute, XmlToken } from "./lex.ts";
import type { OnName } from "./subset.ts";
import { attributeValueOf } from "./text.ts";

const xml = "http://www.w3.org/XML/1998/namespace";
const xmlns = "http://www.w3.org/2000/xmlns/";

/**
 * Checks the names in a DOCTYPE (productions 16 to 21, and §7: entities, notations and instructions contain
 * no colon).
 */
export const createNameCheck =
  (onFault: OnFault): OnName =>
  (name, index, qualified) => {
    const [first = "", second, ...others] = name.split(":");
    const good =
      second === undefined || (qualified && isName(first) && isName(second) && others.length === 0);
    const wanted = qualified ? "at most one colon, with a name before and after it" : "no colon";
    if (!good)
      onFault(
        new DocumentFault(
          `${shorten(name)}: a name declared here must have ${wanted}.`,
          { index },
          "namespace",
        ),
      );
  };

type OnFault = (fault: DocumentFault) => void;

/** Returns a function to call with each token: it checks the additional rules of Namespaces in XML 1.0. */
export function createNamespaceCheck(text: string, onFault: OnFault): (token: XmlToken) => void {
  /** The namespaces that each prefix is bound to, the innermost last. */
  const bound = new Map<string, number[]>([["xml", [0]]]);
  /** A number for each namespace, so that a long one is compared once and not for each attribute. */
  const numbers = new Map<string, number>([[xml, 0]]);
  const open: string[][] = [];
  const report = (message: string, index: number): void =>
    onFault(new DocumentFault(message, { index }, "namespace"));

  function declare(attribute: XmlAttribute, prefix: string): void {
    const name = attributeValueOf(text, attribute);
    const message = faultOf(prefix, name);
    if (message !== undefined) report(message, attribute.from);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    const known = bound.get(prefix);
    if (known === undefined) bound.set(prefix, [number]);
    else known.push(number);
  }

  /** Returns the namespace of an element or attribute, or undefined if its name is invalid. */
  function lookUp(name: string, index: number): number | undefined {
    const colon = name.indexOf(":");
    if (colon < 0) return -1;
    const prefix = name.slice(0, colon);
    const local = name.slice(colon + 1);
    if (prefix === "" || local.includes(":") || !isName(local)) {
      report(
        `${shorten(name)} is not a qualified name: it needs one colon with text before and after it.`,
        index,
      );
      return undefined;
    }
    const number = bound.get(prefix)?.at(-1);
    if (number === undefined) report(`The prefix ${shorten(prefix)} is not declared.`, index);
    return number;
  }

  function enter(token: XmlToken): void {
    const declared: string[] = [];
    for (const attribute of token.attributes) {
      const prefix = declaredPrefix(attribute.name);
      if (prefix === undefined) continue;
      if (attribute.name === "xmlns:")
        report("xmlns: declares no prefix; write one after the colon.", attribute.from);
      declare(attribute, prefix);
      declared.push(prefix);
    }
    lookUp(token.name, token.from + 1);
    const met = new Set<string>();
    for (const { name, from } of token.attributes) {
      if (declaredPrefix(name) !== undefined || !name.includes(":")) continue;
      const number = lookUp(name, from);
      if (number === undefined) continue;
      const key = `${number} ${name.slice(name.indexOf(":") + 1)}`;
      if (met.has(key))
        report(`The attribute ${shorten(name)} occurs twice, under two prefixes of one namespace.`, from);
      met.add(key);
    }
    if (token.empty) leave(declared);
    else open.push(declared);
  }

  function leave(declared: readonly string[]): void {
    for (const prefix of declared) bound.get(prefix)?.pop();
  }

  return (token) => {
    if (token.kind === "open") enter(token);
    else if (token.kind === "close") leave(open.pop() ?? []);
    else if (token.kind === "instruction" && token.name.includes(":"))
      report("The name of a processing instruction cannot contain a colon.", token.from);
  };
}

/** Returns the prefix that an attribute declares, "" for the default, or undefined if it declares none. */
function declaredPrefix(name: string): string | undefined {
  if (name === "xmlns") return "";
  return name.startsWith("xmlns:") ? name.slice(6) : undefined;
}

/** §3 and §5 of Namespaces in XML 1.0, third edition. */
function faultOf(prefix: string, name: string): string | undefined {
  if (prefix === "xmlns") return "The prefix xmlns must not be declared.";
  if ((prefix === "xml") !== (name === xml))
    return `The prefix xml and the namespace ${xml} belong together.`;
  if (name === xmlns) return `No prefix can be bound to the namespace ${xmlns}.`;
  if (prefix !== "" && (prefix.includes(":") || !isName(prefix)))
    return "A prefix is a name without a colon.";
  return prefix !== "" && name === "" ? "A prefix cannot be unbound in XML 1.0." : undefined;
}
