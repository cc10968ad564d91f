// The page of the report without its data (share/report/), put together when the program is built.
#ifndef TP_SINK_REPORT_PAGE_H
#define TP_SINK_REPORT_PAGE_H

// What comes before the data, and what comes after; `_end` is one past the last byte. Constant.
extern const char tp_report_head[], tp_report_head_end[];
extern const char tp_report_tail[], tp_report_tail_end[];

#endif
