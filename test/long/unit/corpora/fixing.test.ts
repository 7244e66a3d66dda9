import "../../../unit/corpora/fixing.test.ts";
