import "../../../../system/e2e/browser/toolbox-limits.test.ts";
