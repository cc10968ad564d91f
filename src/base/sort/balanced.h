// The links that each node of a balanced tree (balanced.def) embeds.
#ifndef TP_BASE_SORT_BALANCED_H
#define TP_BASE_SORT_BALANCED_H

#include "base/attr.h"

// In place of a node: there is no subtree on that side.
#define TP_TREE_NONE UINT32_MAX

// The links of one node. Only balanced.def writes them; a node that is in no tree needs no values.
struct tp_tree_links {
    uint32_t left;
    uint32_t right;
    uint32_t weight; // number of nodes in the subtree below and including this node, plus one
};

#endif
