import {
  Binary,
  ContextAccess,
  FunctionCall,
  Grouping,
  IndexAccess,
  Literal,
  Logical,
  Star,
  Unary,
} from "@actions/expressions/ast";
import { ExpressionError } from "@actions/expressions/errors";
import { Lexer } from "@actions/expressions/lexer";
import { Parser } from "@actions/expressions/parser";
import { getActionSchema } from "@actions/workflow-parser/actions/action-schema";
import { splitAllowedContext } from "@actions/workflow-parser/templates/allowed-context";
import {
  TemplateContext,
  TemplateValidationErrors,
} from "@actions/workflow-parser/templates/template-context";
import { readTemplate } from "@actions/workflow-parser/templates/template-reader";
import {
  BooleanToken,
  MappingToken,
  NullToken,
  NumberToken,
  SequenceToken,
  StringToken,
} from "@actions/workflow-parser/templates/tokens/index";
import { NoOperationTraceWriter } from "@actions/workflow-parser/templates/trace-writer";
import { getWorkflowSchema } from "@actions/workflow-parser/workflows/workflow-schema";

/**
 * The parts of GitHub's own libraries that are used: the schemas of workflows and actions, and the parser of expressions. Their module
 * for YAML is left out: it would parse before the depth and the aliases are known.
 */
export const library = {
  // An object of names, and not of the module: the build would make a script for what such a one needs, which every start loads.
  ast: { Binary, ContextAccess, FunctionCall, Grouping, IndexAccess, Literal, Logical, Star, Unary },
  BooleanToken,
  ExpressionError,
  getActionSchema,
  getWorkflowSchema,
  Lexer,
  MappingToken,
  NoOperationTraceWriter,
  NullToken,
  NumberToken,
  Parser,
  readTemplate,
  SequenceToken,
  splitAllowedContext,
  StringToken,
  TemplateContext,
  TemplateValidationErrors,
};

export type Library = typeof library;
