#!/bin/bash
# Names that have gone: an identifier that was renamed does not come back. Words of English are
# free; what is listed here are exact beginnings of names of ours, with the name they have now
# (docs/glossary.md).
#
#   words.sh SOURCE_ROOT
set -euo pipefail
cd "$1"
gone=(
    'tp_stretch  tp_partial'
    'TP_STRETCH  TP_PARTIAL'
    'tp_carry    tp_stitch'
    'tp_sum_     tp_totals_, tp_top_goroutine, tp_stack_place'
    'TP_SUM_     TP_TOTALS_'
    'tp_ledger   tp_durations'
    'TP_LEDGER   TP_DURATIONS'
    'tp_opens    tp_open_intervals'
    'tp_late_    tp_deferred_'
    'tp_guess    tp_assumption'
    'TP_GUESS_   TP_ASSUME_'
    'tp_ahead    tp_speculative_order'
    'tp_place    tp_upgrader, tp_sequencer_pos'
    'tp_v1_orig  tp_legacy_event'
    'tp_original tp_legacy_event'
    'tp_records  tp_spilled_array'
    'tp_moment   tp_time_arg'
    'tp_held     tp_pending'
    'tp_origin   tp_reread_file'
    'tp_hop      tp_header_walk'
    'tp_front_   tp_ingest'
    'tp_turn_    tp_input_order'
    'tp_lone_    tp_single_input'
    'tp_whole    tp_state_input'
    'tp_v1_told  tp_v1_open_event'
    'tp_v1_surv  tp_v1_prescan'
    'tp_wish     tp_requirement'
    'tp_window_w tp_window_args'
    'tp_levels_te tp_levels_set'
    'TP_NEED_BL  TP_NEED_FOLD'
    'TP_FINDINGS TP_FINDING_KINDS'
    'is_old\>    tp_decoder, tp_orderer: ask the row of the format'
    'takes_old   accepts (enum tp_input_kind)'
    'shows_lega  tp_event_model'
    'old_tally   tp_tally'
    '[a-z_]*_plus_1\> a slot, from 1 on (base/slots.h)'
)
pattern=$(printf '%s\n' "${gone[@]}" | awk '{ print "\\<" $1 }')
if grep -rnE "$pattern" src include tests bench examples --include='*.[ch]' --include='*.def'; then
    echo 'these names have gone; what they are called now:'
    printf '    %s\n' "${gone[@]}"
    exit 1
fi
echo "none of ${#gone[@]} names has come back"
