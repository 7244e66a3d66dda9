import "../../../../system/e2e/browser/pipelines.test.ts";
