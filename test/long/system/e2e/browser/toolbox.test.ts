import "../../../../system/e2e/browser/toolbox.test.ts";
