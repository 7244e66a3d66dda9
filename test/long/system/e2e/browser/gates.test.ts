import "../../../../system/e2e/browser/gates.test.ts";
