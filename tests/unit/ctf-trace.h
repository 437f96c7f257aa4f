/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Traces made by core/ alone, metadata and packets, and read by babeltrace2.
 *
 * The records are written to a ring as anywhere else, the packets read from it
 * and put in a file as they are, up to the end of the page.  The lines that
 * babeltrace2 must print are noted as the records are written.  One trace at a time.
 */
#ifndef LTT_TESTS_CTF_TRACE_H
#define LTT_TESTS_CTF_TRACE_H

#include "ring-fixture.h"

#define TEXT_MAX	(256 * 1024)

/* The ring that records are written to; its clock stands still but for emit(). */
extern struct ring_fixture fx;

/* Where events are described, in stream FX_STREAM. */
extern struct ltt_ctf ctf;

/* The output of babeltrace2, and the expected output so far. */
extern char output[TEXT_MAX], errors[TEXT_MAX], expected[TEXT_MAX];
extern size_t expected_len;

/* Whether babeltrace2 is missing; prints a comment if so. */
bool is_missing(void);

/* The trace's part of the metadata: clock ltt_clock, 1 GHz, 0 is 1600000000.25 s. */
void put_trace(const char *const (*env)[2], u32 nr_env);

/* Make a trace in a new folder; end it; remove the folder, unless LTT_KEEP_TRACES names
 * another to keep it in, for ../reader. */
void start_trace(const char *const (*env)[2], u32 nr_env);
void finish_trace(void);
void remove_trace(void);

/* Add bytes, or the low bytes of a number, to the payload of the next record. */
void pack(const void *bytes, size_t len);
void pack_int(u64 value, u32 size);

/* Write the record, one count after the last; the line's time is expected. */
void emit(u32 id, u32 tid);

/* Add to what is expected: text, or a number as babeltrace2 shows it. */
__attribute__((format(printf, 1, 2)))
void expect(const char *format, ...);
void expect_int(u64 value, u32 size, bool is_signed, u32 base);

/* Read the trace into @output and @errors, which are to be none if @quiet. */
void babeltrace(const char *options, bool quiet);

/* Compare the output with what was expected, which is then forgotten. */
void check_output(void);

#endif /* LTT_TESTS_CTF_TRACE_H */
