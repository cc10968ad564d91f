// Explains the terms that reports use, each in one screen. The table is terms.def.
#ifndef TP_CLI_EXPLAIN_H
#define TP_CLI_EXPLAIN_H

#include <stdio.h>

#include "tracepipe/tracepipe.h"

// The word that stands for the list of all terms.
#define TP_EXPLAIN_LIST "list"

// The longest text of a term.
#define TP_EXPLAIN_TEXT_BYTES 1200

// The longest name of a term, with NUL.
#define TP_EXPLAIN_WORD_BYTES 97

// Returns the name of term number `idx`, from 0; NULL past the last one.
const char *tp_explain_term(size_t idx);
// Explains a term to `to`; capitals, '-' or '_' for a space, and parentheses around it make no
// difference. With TP_EXPLAIN_LIST, or an unknown term, writes the list of all terms. An unknown
// term fails with TP_E_USAGE; the error has a near name, if there is one. Returns 0 otherwise.
int tp_explain(FILE *to, const char *term, struct tp_error *err);

#endif
