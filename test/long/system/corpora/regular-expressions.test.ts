import "../../../system/corpora/regular-expressions.test.ts";
