import { DocumentFault } from "../fault.ts";
import { fail, shorten } from "./fault.ts";
import { lexContent } from "./lex.ts";
import type { Entity, EntityCheck } from "./subset.ts";
import { checkAttributeValue } from "./tag.ts";

/** Most nested entities; bounds the stack. */
const maxNesting = 64;

/**
 * Checks the constraints of §4.1 and §4.3.2 on references to general entities. Each entity is read once as
 * content and once as part of an attribute, so that a thousand references, or a billion laughs, cost no more.
 */
export function createEntityCheck(
  entities: ReadonlyMap<string, Entity>,
  complete: () => boolean,
): EntityCheck {
  const verdicts = new Map<string, string | undefined | null>();
  let nesting = 0;

  const check: EntityCheck = (name, inAttribute) => {
    const entity = entities.get(name);
    const shown = `&${shorten(name)};`;
    // Unread declarations may declare it.
    if (entity === undefined) return complete() ? `${shown} is not declared.` : undefined;
    if (entity.unparsed) return `${shown} is declared as data that is not text (NDATA).`;
    if (entity.text === undefined) {
      return inAttribute
        ? `${shown} is external, which is not allowed in the value of an attribute.`
        : undefined;
    }
    const key = `${inAttribute ? "a" : "c"}${name}`;
    const known = verdicts.get(key);
    if (known === null) return `${shown} contains itself.`;
    if (known !== undefined || verdicts.has(key)) return known;
    if (nesting >= maxNesting) return `Entities are nested more than ${maxNesting} levels deep.`;
    verdicts.set(key, null);
    nesting++;
    const verdict = inspect(entity.text, inAttribute, shown);
    nesting--;
    verdicts.set(key, verdict);
    return verdict;
  };

  function inspect(text: string, inAttribute: boolean, shown: string): string | undefined {
    const onReference = (name: string, at: number, attribute: boolean): void => {
      const message = check(name, inAttribute || attribute);
      if (message !== undefined) fail(message, at, "entity");
    };
    try {
      if (inAttribute) checkAttributeValue(text, 0, { onReference });
      else lexContent(text, 0, true, { onReference });
      return undefined;
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      return `The text of ${shown} is not well-formed: ${error.message}`;
    }
  }
  return check;
}
