import "../../../system/corpora/fixing.test.ts";
