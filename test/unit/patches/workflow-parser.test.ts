import { expect, test } from "vitest";
import { getActionSchema } from "@actions/workflow-parser/actions/action-schema";
import { getWorkflowSchema } from "@actions/workflow-parser/workflows/workflow-schema";

test("Node imports the schemas of workflows and actions", () => {
  expect(Object.keys(getWorkflowSchema().definitions)).toContain("workflow-root-strict");
  expect(Object.keys(getActionSchema().definitions)).toContain("action-root-strict");
});
