import "../../../../system/e2e/browser/frame.test.ts";
