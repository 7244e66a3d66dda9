import "../../../../system/e2e/browser/keys.test.ts";
