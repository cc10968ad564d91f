// The parts of the page, which page.cmake puts into the build folder.
    .section .rodata
    .global tp_report_head, tp_report_head_end, tp_report_tail, tp_report_tail_end
    .hidden tp_report_head, tp_report_head_end, tp_report_tail, tp_report_tail_end
tp_report_head:
    .incbin "report-head.html"
tp_report_head_end:
tp_report_tail:
    .incbin "report-tail.html"
tp_report_tail_end:
    .section .note.GNU-stack, "", %progbits
