// What is read of GitHub's own libraries: the schemas of workflows and actions, and the parser of expressions. Their module of
// YAML is left out: it would parse before the depth and the aliases are known.
export { Lexer, Parser } from "@actions/expressions";
export * as ast from "@actions/expressions/ast";
export { ExpressionError } from "@actions/expressions/errors";
export { getActionSchema } from "@actions/workflow-parser/actions/action-schema";
export { splitAllowedContext } from "@actions/workflow-parser/templates/allowed-context";
export {
  TemplateContext,
  TemplateValidationErrors,
} from "@actions/workflow-parser/templates/template-context";
export { readTemplate } from "@actions/workflow-parser/templates/template-reader";
export {
  BooleanToken,
  MappingToken,
  NullToken,
  NumberToken,
  SequenceToken,
  StringToken,
} from "@actions/workflow-parser/templates/tokens/index";
export { NoOperationTraceWriter } from "@actions/workflow-parser/templates/trace-writer";
export { getWorkflowSchema } from "@actions/workflow-parser/workflows/workflow-schema";
