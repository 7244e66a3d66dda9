import "../../../../system/e2e/browser/pages.test.ts";
