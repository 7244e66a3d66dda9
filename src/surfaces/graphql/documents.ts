import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  recommendedRules,
  specifiedRules,
  validate,
  type ValidationRule,
} from "graphql";
import { createLimitRule, type DocumentLimits } from "./limits.ts";
import { measure } from "./measure.ts";
import type { KeptResult } from "./operations.ts";
import { fragmentsOf, type Plan, toPlan } from "./plan.ts";

/** A validated document and its operations. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly plans: readonly KnownPlan[];
}

export interface KnownPlan extends Plan {
  /** The cost depends on the variables, so it is computed per execution. */
  readonly sized: boolean;
  /** The whole answer, if it is the same for everyone. */
  answer?: KeptResult;
}

export interface Documents {
  /** Parses and validates a document, and caches valid ones. @throws Refused for an invalid one. */
  get(source: string): KnownDocument;
  /** Number of cached documents. */
  size(): number;
}

/** Thrown for a document that cannot be executed. */
export class Refused extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super("The document cannot be executed");
    this.errors = errors;
  }
}

export interface DocumentsOptions extends DocumentLimits {
  introspection: boolean;
}

/** Most tokens of one document; one that runs every tool has a few hundred. */
const maxTokens = 5000;
/**
 * Characters of a document up to which names are suggested for mistyped ones; in larger documents that takes too long.
 */
const maxSuggested = 65_536;
/**
 * Bounds of the cache. A parsed document takes a hundred times the memory of its text, so few of the
 * largest are cached.
 */
const remembered = { documents: 1000, characters: 524_288, each: 32_768 };

export function createDocuments(schema: GraphQLSchema, options: DocumentsOptions): Documents {
  const known = new Map<string, KnownDocument>();
  const limits = [createLimitRule(options)];
  const rules: readonly ValidationRule[] = [
    ...specifiedRules,
    ...recommendedRules,
    ...(options.introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  let characters = 0;

  function validateSource(source: string): KnownDocument {
    const document = read(source);
    const hideSuggestions = !options.introspection || source.length > maxSuggested;
    // An oversized document is not parsed.
    for (const each of [limits, rules]) {
      const errors = validate(schema, document, each, { maxErrors: 5, hideSuggestions });
      if (errors.length > 0) throw new Refused(errors);
    }
    const fragments = fragmentsOf(document);
    const plans = document.definitions.flatMap((node): KnownPlan[] => {
      if (node.kind !== Kind.OPERATION_DEFINITION) return [];
      const { sized } = measure(schema, node, fragments);
      return [{ ...toPlan(node, fragments), sized }];
    });
    return { document, plans };
  }

  function remember(source: string, document: KnownDocument): void {
    if (source.length > remembered.each) return;
    characters += source.length;
    known.set(source, document);
    for (const oldest of known.keys()) {
      if (known.size <= remembered.documents && characters <= remembered.characters) return;
      characters -= oldest.length;
      known.delete(oldest);
    }
  }

  return {
    get(source) {
      const found = known.get(source);
      if (found !== undefined) {
        // Moves the entry to the end: the least recently used one is evicted first.
        known.delete(source);
        known.set(source, found);
        return found;
      }
      const document = validateSource(source);
      remember(source, document);
      return document;
    },
    size: () => known.size,
  };
}

function read(source: string): DocumentNode {
  try {
    return parse(source, { maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw new Refused([error]);
    // The parser recurses for each level of a value.
    if (error instanceof RangeError)
      throw new Refused([new GraphQLError("Syntax Error: The document is nested too deep.")]);
    throw error;
  }
}
