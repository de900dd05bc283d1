// Which commit the sources are of, as scripts/commit.sh says it; empty where they were built without git.
const char *bitpal_commit(void);
