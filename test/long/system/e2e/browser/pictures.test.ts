import "../../../../system/e2e/browser/pictures.test.ts";
