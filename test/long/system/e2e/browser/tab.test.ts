import "../../../../system/e2e/browser/tab.test.ts";
