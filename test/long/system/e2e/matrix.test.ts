import "../../../system/e2e/matrix.test.ts";
