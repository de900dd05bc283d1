// Which commit this program is of. What knows it, Sources/Programs/CCommit, is linked into programs alone, so that no
// library is compiled anew for a commit; it is missing where a test has no program in it.
const char *bitpal_commit(void) __attribute__((weak));

// Never null: empty where nobody knows.
static inline const char *bitpal_known_commit(void) { return bitpal_commit ? bitpal_commit() : ""; }
