import "../../../system/corpora/corpora.test.ts";
