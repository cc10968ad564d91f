#include "tracepipe/loss.h"

const char *tp_loss_key(enum tp_loss_kind kind)
{
    static const char *const keys[] = {
#define TP_X(name, key, sentence) key,
        TP_LOSS_MAP(TP_X)
#undef TP_X
    };
    return keys[kind];
}

const char *tp_loss_sentence(enum tp_loss_kind kind)
{
    static const char *const sentences[] = {
#define TP_X(name, key, sentence) sentence,
        TP_LOSS_MAP(TP_X)
#undef TP_X
    };
    return sentences[kind];
}
