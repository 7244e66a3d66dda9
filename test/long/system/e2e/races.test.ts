import "../../../system/e2e/races.test.ts";
