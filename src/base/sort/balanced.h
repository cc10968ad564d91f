// The links that each node of a balanced tree (balanced.def) embeds.
#ifndef TP_BASE_SORT_BALANCED_H
#define TP_BASE_SORT_BALANCED_H

#include "base/attr.h"

// No node: no subtree on that side.
#define TP_TREE_NONE UINT32_MAX

// Written by balanced.def only. A node that is in no tree needs no values here.
struct tp_tree_links {
    uint32_t left;
    uint32_t right;
    uint32_t weight; // number of nodes of the subtree whose root it is, plus one
};

#endif
