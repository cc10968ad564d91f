#include "tracepipe/loss.h"

static const struct {
    const char *key, *sentence;
} losses[] = {
#define TP_X(name, key, sentence) {key, sentence},
    TP_LOSS_MAP(TP_X)
#undef TP_X
};

const char *tp_loss_key(enum tp_loss_kind kind)
{
    return losses[kind].key;
}

const char *tp_loss_sentence(enum tp_loss_kind kind)
{
    return losses[kind].sentence;
}
