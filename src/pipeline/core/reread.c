#include "pipeline/core/reread.h"

// Smaller files are not reread: copying their bytes to memory already in use costs less.
#define LEAST_BYTES TP_MIB(1)

// Returns the smallest size of a file, in bytes, for which rereading pays.
static uint64_t least_bytes(const struct tp_settings *s)
{
    if (s->reread == TP_REREAD_AUTO)
        return LEAST_BYTES;
    return s->reread == TP_REREAD_ALWAYS ? 0 : UINT64_MAX;
}

void tp_reread_open(struct tp_input_run *in)
{
    const struct tp_settings *s = &in->run->settings;
    uint64_t least = tp_window_is_given(&s->window) ? 0 : least_bytes(s);
    if (in->order != NULL && !in->input->is_stdin)
        (void)tp_reread_file_open(&in->reread, in->input->path, least);
}

bool tp_reread_has_stream(const struct tp_input_run *in)
{
    return in->reread.fd >= 0 && in->stored.codec == TP_CODEC_PLAIN && !in->info.is_text_form &&
           in->reread.size_bytes >= least_bytes(&in->run->settings);
}
