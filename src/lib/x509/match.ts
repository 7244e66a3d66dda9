import { DocumentFault } from "../fault.ts";
import type { KeyObject } from "node:crypto";
import { findWeakness } from "../weak-key-objects.ts";
import { readPem } from "./pem.ts";
import { type Kind, kindOf, readPublicKey } from "./public-keys.ts";

/** A PEM block that contains or belongs to a key. */
export interface Keyed {
  kind: Kind;
  key: KeyObject;
  offset: number;
}

/**
 * Returns the blocks of some kinds in a document; those of the kind that occurs first come first.
 * @throws DocumentFault if there is none, or one is invalid.
 */
export function readKeyed(document: Buffer, kinds: readonly Kind[]): Keyed[] {
  const blocks = readPem(document);
  const found = kinds.flatMap((kind) =>
    blocks.filter((block) => kindOf(block) === kind).map((block) => ({ block, kind })),
  );
  if (found.length === 0)
    throw new DocumentFault(`Expected a PEM block of a ${kinds.join(" or a ")}.`, { offset: 0 });
  return found.map(({ block, kind }) => ({ kind, key: readPublicKey(block, kind), offset: block.offset }));
}

/** Returns why a key is insecure although it matches the certificate. */
export const findWeak = ({
  key,
  kind,
  offset,
}: Keyed): { rule: string; message: string; offset: number } | undefined => {
  const weakness = findWeakness(key);
  return weakness === undefined
    ? undefined
    : { rule: "weak-key", message: `The ${kind}: ${weakness}`, offset };
};

/** Returns why the first block does not belong to a key, or undefined if it does. */
export function matchKey(
  [first, ...others]: readonly Keyed[],
  wanted: Keyed,
): { rule: string; message: string; offset: number } | undefined {
  if (first === undefined || first.key.equals(wanted.key)) return undefined;
  const later = others.find(({ key }) => key.equals(wanted.key));
  if (later !== undefined) {
    const message = `The ${wanted.kind} belongs to this ${later.kind}, which is not the first; servers require the matching one first.`;
    return { rule: "leaf-not-first", message, offset: later.offset };
  }
  const types = [first.key, wanted.key].map(({ asymmetricKeyType }) => asymmetricKeyType ?? "unknown");
  const why =
    types[0] === types[1]
      ? "both are of one type, but differ"
      : `one is of type ${types[0]}, the other ${types[1]}`;
  return {
    rule: "key-mismatch",
    message: `The ${first.kind} does not belong to the ${wanted.kind}: ${why}.`,
    offset: first.offset,
  };
}
