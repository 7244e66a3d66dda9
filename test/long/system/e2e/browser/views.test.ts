import "../../../../system/e2e/browser/views.test.ts";
