import "../../../../system/e2e/browser/operator.test.ts";
