import "../../../../system/e2e/browser/many-keys.test.ts";
