import "../../../system/fuzz/fuzz.test.ts";
