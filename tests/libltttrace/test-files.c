// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Which files are read, and as which streams: parts, pieces, copies, compressed files.
 */
#include "writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/unit.h"

static struct part_out part, other;
static struct packet_out packet;
static struct ltttrace *trace;

static void parts_of_a_recording(void)
{
	begin_folder();
	part_begin(&part, "r/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, "events_1", 15, 0);
	part_begin(&other, "r/user-0", 2);
	put_packet(&other, "events_0", 12, 0);
	trace = open_trace(0, at("r"), NULL);
	SAME(" a@11 g:b@12 a@13 g:b@14 a@16 g:b@17", merged_text(trace, ALL));
	CU_ASSERT_EQUAL(ltttrace_nr_parts(trace), 2);
	CU_ASSERT_EQUAL(ltttrace_nr_streams(trace), 3);
	CU_ASSERT_EQUAL(ltttrace_nr_events(trace), 10);
	CU_ASSERT_STRING_EQUAL(ltttrace_part(trace, 0)->name, "kernel");
	CU_ASSERT_STRING_EQUAL(ltttrace_part(trace, 0)->path, at("r/kernel"));
	CU_ASSERT_STRING_EQUAL(ltttrace_part(trace, 1)->name, "user-0");
	CU_ASSERT_STRING_EQUAL(ltttrace_part(trace, 1)->host, "box \"1\"");
	CU_ASSERT_STRING_EQUAL(ltttrace_env(ltttrace_part(trace, 1), "tracer_major"), "2");
	CU_ASSERT_PTR_NULL(ltttrace_env(ltttrace_part(trace, 1), "nothing"));
	CU_ASSERT(ltttrace_part(trace, 1)->uuid[3] == 2 && ltttrace_part(trace, 1)->clock_uuid[1] == 2);
	CU_ASSERT(ltttrace_part(trace, 1)->frequency == 1000000000 && !ltttrace_part(trace, 1)->is_state);
	CU_ASSERT(ltttrace_event(trace, 9)->number == 9 && ltttrace_event(trace, 9)->part == ltttrace_part(trace, 1));
	CU_ASSERT_STRING_EQUAL(ltttrace_stream(trace, 1)->name, "events_1");
	ltttrace_close(trace);
	end_folder();
}

static void several_recordings(void)
{
	begin_folder();
	part_begin(&part, "one/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	part_begin(&other, "two/kernel", 2);
	put_packet(&other, "events_0", 10, 0);
	trace = open_trace(0, at("one"), at("two"), NULL);
	SAME(" a@11 a@11 g:b@12 g:b@12", merged_text(trace, ALL));
	CU_ASSERT_EQUAL(ltttrace_nr_parts(trace), 2);
	ltttrace_close(trace);
	trace = open_trace(0, at("one/kernel"), NULL);
	SAME(" a@11 g:b@12", merged_text(trace, ALL));
	ltttrace_close(trace);
	CU_ASSERT_FATAL(!ltttrace_open(NULL, 0, 0, &trace, NULL));
	SAME("", merged_text(trace, ALL));
	ltttrace_close(trace);
	end_folder();
}

static void states_are_read_on_request(void)
{
	begin_folder();
	part_begin(&part, "r/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	part_begin(&other, "r/state", 2);
	put_packet(&other, "state_0", 12, 0);
	part_begin(&other, "r/state-2", 3);
	put_packet(&other, "state_0", 13, 0);
	SAME(" a@11 g:b@12", text_of(at("r")));
	trace = open_trace(LTTTRACE_WITH_STATES, at("r"), NULL);
	SAME(" a@11 g:b@12 a@13 g:b@14 a@14 g:b@15", merged_text(trace, ALL));
	CU_ASSERT(!ltttrace_part(trace, 0)->is_state && ltttrace_part(trace, 2)->is_state);
	ltttrace_close(trace);
	SAME(" a@14 g:b@15", text_of(at("r/state-2")));
	remove_all(at("r/kernel"));
	CU_ASSERT_EQUAL(try_open(at("r")), -ENODATA);
	end_folder();
}

/* --- The same more than once --------------------------------------------------------------- */

static void a_directory_that_is_named_twice(void)
{
	begin_folder();
	part_begin(&part, "r/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, "events_0", 20, 1);
	symlink(at("r"), at("link"));
	trace = open_trace(0, at("r"), at("r/kernel"), at("r/"), at("r/./kernel"), at("r/kernel/"), at("link"), at("link/kernel"), NULL);
	SAME(" a@11 g:b@12 a@21 g:b@22", merged_text(trace, ALL));
	CU_ASSERT_EQUAL(ltttrace_nr_parts(trace), 1);
	CU_ASSERT_STRING_EQUAL(ltttrace_part(trace, 0)->name, "kernel");
	ltttrace_close(trace);
	end_folder();
}

static void a_recording_and_its_copy(void)
{
	begin_folder();
	part_begin(&part, "r/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, "events_0", 20, 1);
	shell("cp -r %s %s", at("r"), at("copy"));
	/* The original has gone on. */
	put_packet(&part, "events_0", 30, 2);
	trace = open_trace(0, at("r"), at("copy"), NULL);
	SAME(" a@11 g:b@12 a@21 g:b@22 a@31 g:b@32", merged_text(trace, ALL));
	ltttrace_close(trace);
	trace = open_trace(0, at("copy"), at("r"), NULL);
	SAME(" a@11 g:b@12 a@21 g:b@22 a@31 g:b@32", merged_text(trace, ALL));
	ltttrace_close(trace);
	overwrite(at("r/kernel/events_0"), 2 * PAGE, "x", 1);
	trace = open_trace(0, at("r"), at("copy"), NULL);
	SAME(" a@11 g:b@12 a@21 g:b@22 damage-4096@29-29", merged_text(trace, ALL));
	ltttrace_close(trace);
	end_folder();
}

/* --- Pieces ------------------------------------------------------------------------------------ */

/* Pieces 0001 to 0003 with two packets in each. */
static void put_pieces(void)
{
	char name[32];
	u64 i;

	begin_folder();
	for (i = 0; i < 3; i++) {
		sprintf(name, "r/%04u/kernel", (unsigned int)i + 1);
		part_begin(&part, name, 1);
		put_packet(&part, "events_0", 100 * i + 10, 2 * i);
		put_packet(&part, "events_0", 100 * i + 20, 2 * i + 1);
		put_packet(&part, "events_1", 100 * i + 15, i);
	}
}

static const char pieces_text[] = " a@11 g:b@12 a@16 g:b@17 a@21 g:b@22 a@111 g:b@112 a@116 g:b@117 a@121 g:b@122 "
				  "a@211 g:b@212 a@216 g:b@217 a@221 g:b@222";

static void a_stream_continues_in_the_next_piece(void)
{
	put_pieces();
	trace = open_trace(0, at("r"), NULL);
	SAME(pieces_text, merged_text(trace, ALL));
	SAME(strstr(pieces_text, " a@116"), merged_text(trace, 113));
	CU_ASSERT(ltttrace_nr_parts(trace) == 1 && ltttrace_nr_streams(trace) == 2);
	CU_ASSERT_EQUAL(ltttrace_stream(trace, 0)->bytes, 6 * PAGE);
	CU_ASSERT_EQUAL(ltttrace_stream(trace, 0)->packets, 6);
	ltttrace_close(trace);
	SAME(" a@111 g:b@112 a@116 g:b@117 a@121 g:b@122", text_of(at("r/0002")));
	end_folder();
}

static void pieces_may_be_named_in_any_order(void)
{
	put_pieces();
	trace = open_trace(0, at("r/0003"), at("r/0001"), at("r/0002"), NULL);
	SAME(pieces_text, merged_text(trace, ALL));
	ltttrace_close(trace);
	trace = open_trace(0, at("r/0002"), at("r"), NULL);
	SAME(pieces_text, merged_text(trace, ALL));
	ltttrace_close(trace);
	end_folder();
}

static void a_piece_that_is_missing_is_a_loss(void)
{
	put_pieces();
	remove_all(at("r/0002"));
	SAME(" a@11 g:b@12 a@16 g:b@17 a@21 g:b@22 packets-1@24-215 packets-2@29-210 a@211 g:b@212 a@216 g:b@217 a@221 g:b@222",
	     text_of(at("r")));
	end_folder();
}

static void a_piece_that_is_cut(void)
{
	put_pieces();
	CU_ASSERT(!truncate(at("r/0002/kernel/events_0"), PAGE + 100));
	SAME(" a@11 g:b@12 a@16 g:b@17 a@21 g:b@22 a@111 g:b@112 a@116 g:b@117 damage-100@119-210 packets-1@119-210 "
	     "a@211 g:b@212 a@216 g:b@217 a@221 g:b@222", text_of(at("r")));
	end_folder();
}

#define FILES_MANY 64

static void *compress_all(void *unused)
{
	unsigned int i;

	for (i = 0; i < FILES_MANY; i++)
		compress(at("r/0001/kernel/events_%u", i));
	return unused;
}

/* lttd compresses closed pieces beside readers.  at() is of this thread alone while the other one runs. */
static void a_piece_is_compressed_while_it_is_opened(void)
{
	static char root[512];
	const char *path = root;
	struct ltttrace_error error;
	pthread_t compressor;
	unsigned int i;

	begin_folder();
	snprintf(root, sizeof(root), "%s", at("r"));
	part_begin(&part, "r/0001/kernel", 1);
	for (i = 0; i < FILES_MANY; i++)
		put_packet(&part, strrchr(at("events_%u", i), '/') + 1, 10, 0);
	CU_ASSERT_FATAL(!pthread_create(&compressor, NULL, compress_all, NULL));
	do {
		CU_ASSERT_FATAL(!ltttrace_open(&path, 1, 0, &trace, &error));
		CU_ASSERT_EQUAL(ltttrace_nr_streams(trace), FILES_MANY);
		ltttrace_close(trace);
	} while (pthread_tryjoin_np(compressor, NULL));
	end_folder();
}

/* lttd opens a piece while the one before it is read. */
static void a_piece_whose_metadata_is_not_written_yet(void)
{
	put_pieces();
	shell("mkdir -p %s && touch %s", at("r/0004/kernel"), at("r/0004/kernel/metadata"));
	CU_ASSERT_EQUAL(try_open(at("r")), -EBADMSG);
	shell("touch %s", at("r/0004/open"));
	SAME(pieces_text, text_of(at("r")));
	CU_ASSERT_EQUAL(try_open(at("r/0004/kernel")), -EBADMSG);
	end_folder();
}

static void pieces_of_programs_and_kernels(void)
{
	put_pieces();
	part_begin(&other, "r/0001/user-5", 7);
	put_packet(&other, "events_0", 40, 0);
	part_begin(&other, "r/0003/user-5", 7);
	put_packet(&other, "events_0", 240, 1);
	shell("mkdir %s && touch %s", at("r/0004"), at("r/0005"));
	trace = open_trace(0, at("r"), NULL);
	CU_ASSERT(ltttrace_nr_parts(trace) == 2 && ltttrace_nr_streams(trace) == 3);
	CU_ASSERT_STRING_EQUAL(ltttrace_stream(trace, 2)->part->name, "user-5");
	CU_ASSERT(ltttrace_stream(trace, 2)->packets == 2);
	ltttrace_close(trace);
	end_folder();
}

/* The metadata of a later piece has the events that were enabled since. */
static void a_piece_that_has_more_events(void)
{
	begin_folder();
	part_begin(&part, "r/0001/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	part_begin(&part, "r/0002/kernel", 1);
	ltt_ctf_put_event(&part.ctf, EVENTS, 8, NULL, "more", NULL, 0);
	packet_begin(&packet, &part, 20, 1);
	packet_record(&packet, 8, 21, NULL, 0);
	packet_append(&packet, &part, "events_0", 22);
	SAME(" a@11 g:b@12 more@21", text_of(at("r")));
	end_folder();
}

/* --- Compressed files -------------------------------------------------------------------------- */

static void compressed_pieces(void)
{
	put_pieces();
	compress(at("r/0001/kernel/events_0"));
	compress(at("r/0001/kernel/events_1"));
	compress(at("r/0002/kernel/events_0"));
	trace = open_trace(0, at("r"), NULL);
	SAME(pieces_text, merged_text(trace, ALL));
	SAME(strstr(pieces_text, " a@116"), merged_text(trace, 113));
	CU_ASSERT_EQUAL(ltttrace_nr_streams(trace), 2);
	CU_ASSERT_STRING_EQUAL(ltttrace_stream(trace, 0)->name, "events_0");
	ltttrace_close(trace);
	end_folder();
}

static void a_file_beside_its_compressed_form(void)
{
	put_pieces();
	shell("cp %s %s", at("r/0001/kernel/events_0"), at("saved"));
	compress(at("r/0001/kernel/events_0"));
	shell("cp %s %s", at("saved"), at("r/0001/kernel/events_0"));
	SAME(pieces_text, text_of(at("r")));
	end_folder();
}

static void damaged_frames(void)
{
	struct stat stat;
	off_t i, size;

	begin_folder();
	part_begin(&part, "t", 1);
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, "events_0", 20, 1);
	put_packet(&part, "events_0", 30, 2);
	compress(at("t/events_0"));
	CU_ASSERT(!lstat(at("t/events_0.zst"), &stat));
	size = stat.st_size;
	shell("cp %s %s", at("t/events_0.zst"), at("saved"));
	for (i = 0; i < size; i++) {
		overwrite(at("t/events_0.zst"), i, "\x5a", 1);
		text_of(at("t"));
		shell("cp %s %s", at("saved"), at("t/events_0.zst"));
	}
	for (i = size - 1; i >= 0; i--) {
		CU_ASSERT(!truncate(at("t/events_0.zst"), i));
		text_of(at("t"));
	}
	append(at("t/events_0.zst"), "junk", 4);
	SAME(" damage-4@0-0", text_of(at("t")));
	end_folder();
}

/* --- Directories without a recording ------------------------------------------------------------------------ */

static void directories_without_a_recording_are_errors(void)
{
	begin_folder();
	CU_ASSERT_EQUAL(try_open(at("nothing")), -ENOENT);
	CU_ASSERT(strstr(open_error.text, "/nothing") != NULL);
	shell("mkdir %s", at("empty"));
	CU_ASSERT_EQUAL(try_open(at("empty")), -ENODATA);
	CU_ASSERT(strstr(open_error.text, "/empty") != NULL);
	shell("touch %s", at("file"));
	CU_ASSERT_EQUAL(try_open(at("file")), -ENOTDIR);
	shell("mkdir -p %s", at("r/kernel/metadata"));
	CU_ASSERT(try_open(at("r")) < 0);
	remove_all(at("r"));
	shell("mkdir -p %s && mkfifo %s", at("r/kernel"), at("r/kernel/metadata"));
	CU_ASSERT_EQUAL(try_open(at("r")), -EBADMSG);
	end_folder();
}

static void other_files_are_left(void)
{
	begin_folder();
	part_begin(&part, "r/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, ".hidden_0", 10, 0);
	shell("mkdir %s && mkfifo %s && touch %s && ln -s nowhere %s", at("r/kernel/index"), at("r/kernel/fifo"),
	      at("r/kernel/events_7"), at("r/kernel/events_8"));
	SAME(" a@11 g:b@12", text_of(at("r")));
	end_folder();
}

static void a_file_that_is_not_a_stream(void)
{
	begin_folder();
	part_begin(&part, "r/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	append(at("r/kernel/notes"), "hello", 5);
	trace = open_trace(0, at("r"), NULL);
	CU_ASSERT_STRING_EQUAL(ltttrace_stream(trace, 1)->channel, "");
	SAME(" cut-5@0 a@11 g:b@12", merged_text(trace, ALL));
	ltttrace_close(trace);
	end_folder();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(parts_of_a_recording),
		UNIT_TEST(several_recordings),
		UNIT_TEST(states_are_read_on_request),
		UNIT_TEST(a_directory_that_is_named_twice),
		UNIT_TEST(a_recording_and_its_copy),
		UNIT_TEST(a_stream_continues_in_the_next_piece),
		UNIT_TEST(pieces_may_be_named_in_any_order),
		UNIT_TEST(a_piece_that_is_missing_is_a_loss),
		UNIT_TEST(a_piece_that_is_cut),
		UNIT_TEST(a_piece_is_compressed_while_it_is_opened),
		UNIT_TEST(a_piece_whose_metadata_is_not_written_yet),
		UNIT_TEST(pieces_of_programs_and_kernels),
		UNIT_TEST(a_piece_that_has_more_events),
		UNIT_TEST(compressed_pieces),
		UNIT_TEST(a_file_beside_its_compressed_form),
		UNIT_TEST(damaged_frames),
		UNIT_TEST(directories_without_a_recording_are_errors),
		UNIT_TEST(other_files_are_left),
		UNIT_TEST(a_file_that_is_not_a_stream),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
