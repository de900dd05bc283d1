#include "commit.h"

// Package.swift gives it: a text in quotes.
const char *bitpal_commit(void) { return BUILD_COMMIT; }
