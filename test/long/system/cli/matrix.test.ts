import "../../../system/cli/matrix.test.ts";
