import "../../../../system/e2e/browser/usage.test.ts";
