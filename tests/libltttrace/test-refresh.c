// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Recordings that grow while they are read.
 */
#include "writer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../unit/unit.h"

static struct part_out part, other;
static struct packet_out packet;
static struct ltttrace *trace;
static struct ltttrace_cursor *cursor;

static void begin(void)
{
	begin_folder();
	part_begin(&part, "r/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	trace = open_trace(0, at("r"), NULL);
	CU_ASSERT_FATAL(!ltttrace_merge(trace, NULL, NULL, &cursor));
	SAME(" a@11 g:b@12", take_text(cursor));
}

static int refresh(void)
{
	struct ltttrace_error error;
	int status = ltttrace_refresh(trace, &error);

	if (status < 0)
		printf("# %s\n", error.text);
	return status;
}

static void end(void)
{
	ltttrace_cursor_free(cursor);
	ltttrace_close(trace);
	end_folder();
}

static void packets_that_were_added(void)
{
	u64 i;

	begin();
	CU_ASSERT_EQUAL(refresh(), 0);
	SAME("", take_text(cursor));
	put_packet(&part, "events_0", 20, 1);
	SAME("", take_text(cursor));
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@21 g:b@22", take_text(cursor));
	CU_ASSERT_EQUAL(refresh(), 0);
	for (i = 2; i < 300; i++) {
		put_packet(&part, "events_0", i * 10, i);
		CU_ASSERT_EQUAL(refresh(), 1);
		if (i % 50 == 0)
			take_text(cursor);
	}
	CU_ASSERT(strstr(take_text(cursor), " g:b@2992") != NULL);
	CU_ASSERT_EQUAL(ltttrace_stream(trace, 0)->packets, 300);
	end();
}

/* Records that were not taken before the refresh come before the new ones. */
static void a_cursor_in_the_middle(void)
{
	const struct ltttrace_record *record;

	begin();
	CU_ASSERT_EQUAL(ltttrace_seek(cursor, BASE_NS), 0);
	CU_ASSERT(ltttrace_next(cursor, &record) == 1 && record->ns == BASE_NS + 11);
	put_packet(&part, "events_0", 20, 1);
	put_packet(&part, "events_1", 5, 0);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@6 g:b@7 g:b@12 a@21 g:b@22", take_text(cursor));
	end();
}

static void a_cut_end_that_becomes_a_packet(void)
{
	begin();
	packet_begin(&packet, &part, 20, 1);
	packet_record(&packet, EVENT_A, 21, NULL, 0);
	packet_end(&packet, 29);
	append(at("r/kernel/events_0"), packet.bytes, 100);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" cut-100@19", take_text(cursor));
	CU_ASSERT_EQUAL(refresh(), 0);
	SAME("", take_text(cursor));
	append(at("r/kernel/events_0"), packet.bytes + 100, 1000);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" cut-1100@19", take_text(cursor));
	append(at("r/kernel/events_0"), packet.bytes + 1100, PAGE - 1100);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@21", take_text(cursor));
	CU_ASSERT_EQUAL(refresh(), 0);
	end();
}

static void an_end_that_is_cut_within_the_header(void)
{
	begin();
	packet_begin(&packet, &part, 20, 1);
	packet_record(&packet, EVENT_A, 21, NULL, 0);
	packet_end(&packet, 29);
	append(at("r/kernel/events_0"), packet.bytes, 10);
	CU_ASSERT_EQUAL(refresh(), 1);
	append(at("r/kernel/events_0"), packet.bytes + 10, PAGE - 10);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@21", take_text(cursor));
	end();
}

static void new_files_and_parts(void)
{
	begin();
	put_packet(&part, "events_1", 15, 0);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@16 g:b@17", take_text(cursor));
	part_begin(&other, "r/user-3", 2);
	CU_ASSERT_EQUAL(refresh(), 1);
	put_packet(&other, "events_0", 30, 0);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@31 g:b@32", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_nr_parts(trace), 2);
	end();
}

static void an_empty_file_that_gets_packets(void)
{
	begin();
	append(at("r/kernel/events_1"), "", 0);
	refresh();
	put_packet(&part, "events_1", 15, 0);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@16 g:b@17", take_text(cursor));
	end();
}

static void new_events(void)
{
	begin();
	ltt_ctf_put_event(&part.ctf, EVENTS, 9, NULL, "new", NULL, 0);
	ltt_ctf_put_event(&part.ctf, EVENTS, 900, NULL, "newer", NULL, 0);
	packet_begin(&packet, &part, 20, 1);
	packet_record(&packet, 9, 21, NULL, 0);
	packet_record(&packet, 900, 22, NULL, 0);
	packet_append(&packet, &part, "events_0", 29);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" new@21 newer@22", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_nr_events(trace), 7);
	end();
}

static void a_channel_that_comes_later(void)
{
	begin();
	ltt_ctf_put_stream(&part.ctf, 5, "late", NULL, 0);
	ltt_ctf_put_event(&part.ctf, 5, 0, NULL, "new", NULL, 0);
	packet_begin(&packet, &part, 20, 0);
	packet.header.stream_id = 5;
	packet_bytes(&packet, "\xa0\2\0\0", 4);	/* id 0, time 21 */
	packet_append(&packet, &part, "late_0", 29);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" new@21", take_text(cursor));
	end();
}

/* The metadata of a new part is being written. */
static void a_part_whose_metadata_is_cut(void)
{
	char text[65536];
	size_t len;
	FILE *file;

	begin();
	part_begin(&other, "other", 2);
	file = fopen(at("other/metadata"), "r");
	len = fread(text, 1, sizeof(text), file);
	fclose(file);
	shell("mkdir %s", at("r/user-3"));
	CU_ASSERT_EQUAL(refresh(), 0);
	append(at("r/user-3/metadata"), "", 0);
	CU_ASSERT_EQUAL(refresh(), 0);
	append(at("r/user-3/metadata"), text, 1000);
	CU_ASSERT(refresh() >= 0);
	append(at("r/user-3/metadata"), text + 1000, len - 1000);
	strcpy(other.dir, at("r/user-3"));
	put_packet(&other, "events_0", 30, 0);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@31 g:b@32", take_text(cursor));
	end();
}

/* Each packet has an event that the metadata has got just before: the reader never sees one without the other. */
static atomic_bool stop;

static void *write_on(void *unused)
{
	u32 i;

	for (i = 1; i < 3000 && !stop; i++) {
		ltt_ctf_put_event(&part.ctf, EVENTS, 1000 + i, NULL, "new", NULL, 0);
		packet_begin(&packet, &part, 100 * i, i);
		packet_record(&packet, 1000 + i, 100 * i + 1, NULL, 0);
		packet_append(&packet, &part, i % 10 ? "events_0" : "events_1", 100 * i + 2);
	}
	stop = true;
	return unused;
}

static void metadata_is_read_after_the_data(void)
{
	const struct ltttrace_record *record;
	unsigned int damaged = 0;
	pthread_t writer;

	begin();
	stop = false;
	CU_ASSERT_FATAL(!pthread_create(&writer, NULL, write_on, NULL));
	while (!stop) {
		CU_ASSERT(refresh() >= 0);
		while (ltttrace_next(cursor, &record) > 0)
			damaged += record->kind == LTTTRACE_DAMAGE;
	}
	pthread_join(writer, NULL);
	CU_ASSERT_EQUAL(damaged, 0);
	end();
}

/* --- Pieces ------------------------------------------------------------------------------- */

static void begin_pieces(void)
{
	begin_folder();
	part_begin(&part, "r/0001/kernel", 1);
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, "events_0", 20, 1);
	trace = open_trace(0, at("r"), NULL);
	CU_ASSERT_FATAL(!ltttrace_merge(trace, NULL, NULL, &cursor));
}

static void put_second_piece(void)
{
	part_begin(&part, "r/0002/kernel", 1);
	put_packet(&part, "events_0", 30, 2);
}

static void a_new_piece(void)
{
	begin_pieces();
	SAME(" a@11 g:b@12 a@21 g:b@22", take_text(cursor));
	put_second_piece();
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@31 g:b@32", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_nr_streams(trace), 1);
	end();
}

static void a_piece_is_deleted_while_it_is_open(void)
{
	begin_pieces();
	put_second_piece();
	remove_all(at("r/0001"));
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@11 g:b@12 a@21 g:b@22 a@31 g:b@32", take_text(cursor));
	CU_ASSERT_EQUAL(refresh(), 0);
	end();
}

/* Return: true if a file below the directory is open or mapped. */
static bool is_held(const char *directory)
{
	char command[1200];

	sprintf(command, "{ cat /proc/%d/maps; ls -l /proc/%d/fd; } | grep -q '%s/'", getpid(), getpid(), directory);
	return !system(command);
}

/* With a quota, the disk would be full otherwise. */
static void a_deleted_piece_is_closed_when_it_was_read(void)
{
	struct ltttrace_cursor *late;
	char name[32];
	u64 i;

	begin_pieces();
	CU_ASSERT_FATAL(!ltttrace_merge(trace, NULL, NULL, &late));
	SAME(" a@11 g:b@12 a@21 g:b@22", take_text(cursor));
	put_second_piece();
	remove_all(at("r/0001"));
	CU_ASSERT_EQUAL(refresh(), 1);
	CU_ASSERT(is_held(at("r/0001")) && is_held(at("r/0002")));
	SAME(" a@11 g:b@12 a@21 g:b@22 a@31 g:b@32", take_text(late));
	SAME(" a@31 g:b@32", take_text(cursor));
	CU_ASSERT_EQUAL(refresh(), 0);
	CU_ASSERT(!is_held(at("r/0001")) && is_held(at("r/0002")));
	/* A new file may have the number of the deleted one. */
	for (i = 3; i < 10; i++) {
		sprintf(name, "r/000%u/kernel", (unsigned int)i);
		part_begin(&part, name, 1);
		put_packet(&part, "events_0", 10 * i + 10, i);
		CU_ASSERT_EQUAL(refresh(), 1);
		sprintf(name, " a@%u g:b@%u", (unsigned int)(10 * i + 11), (unsigned int)(10 * i + 12));
		SAME(name, take_text(cursor));
	}
	CU_ASSERT(!ltttrace_seek(late, BASE_NS));
	CU_ASSERT(!strncmp(take_text(late), " damage-4096@10-19 damage-4096@20-29 a@31 ", 42));
	ltttrace_cursor_free(late);
	end();
}

static void a_piece_is_compressed_while_it_is_open(void)
{
	begin_pieces();
	put_second_piece();
	CU_ASSERT_EQUAL(refresh(), 1);
	compress(at("r/0001/kernel/events_0"));
	CU_ASSERT_EQUAL(refresh(), 0);
	SAME(" a@11 g:b@12 a@21 g:b@22 a@31 g:b@32", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_seek(cursor, BASE_NS + 12), 0);
	SAME(" g:b@12 a@21 g:b@22 a@31 g:b@32", take_text(cursor));
	end();
}

/* The writer has gone on to the next piece, and this one is finished between two looks. */
static void a_piece_grows_and_ends_between_two_refreshes(void)
{
	begin_pieces();
	put_packet(&part, "events_0", 25, 2);
	part_begin(&part, "r/0002/kernel", 1);
	put_packet(&part, "events_0", 40, 3);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@11 g:b@12 a@21 g:b@22 a@26 g:b@27 a@41 g:b@42", take_text(cursor));
	end();
}

static void a_stream_that_comes_after_a_seek(void)
{
	begin();
	CU_ASSERT_EQUAL(ltttrace_seek(cursor, BASE_NS + 40), 0);
	put_packet(&part, "events_1", 30, 0);
	put_packet(&part, "events_1", 40, 1);
	put_packet(&part, "events_0", 39, 1);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME(" a@40 g:b@41 a@41 g:b@42", take_text(cursor));
	end();
}

static void descriptions_stay_where_they_are(void)
{
	const struct ltttrace_stream *stream;
	const struct ltttrace_event *event;
	const struct ltttrace_part *first;
	const char *name;
	char file[32];
	u32 i;

	begin();
	stream = ltttrace_stream(trace, 0);
	event = ltttrace_event(trace, 0);
	first = ltttrace_part(trace, 0);
	name = event->name;
	for (i = 0; i < 40; i++) {
		ltt_ctf_put_event(&part.ctf, EVENTS, 600 + i, NULL, "new", NULL, 0);
		sprintf(file, "events_%u", i + 1);
		put_packet(&part, file, 20, 0);
		CU_ASSERT_EQUAL(refresh(), 1);
	}
	CU_ASSERT(stream == ltttrace_stream(trace, 0) && event == ltttrace_event(trace, 0));
	CU_ASSERT(first == ltttrace_part(trace, 0) && name == event->name && !strcmp(name, "a"));
	end();
}

/* Of two streams of which one is late, no record comes before its time. */
static void records_after_the_limit_are_held_back(void)
{
	begin();
	ltttrace_limit(cursor, BASE_NS + 15);
	put_packet(&part, "events_0", 20, 1);
	CU_ASSERT_EQUAL(refresh(), 1);
	SAME("", take_text(cursor));
	put_packet(&part, "events_1", 15, 0);
	CU_ASSERT_EQUAL(refresh(), 1);
	ltttrace_limit(cursor, BASE_NS + 17);
	SAME(" a@16 g:b@17", take_text(cursor));
	ltttrace_limit(cursor, INT64_MAX);
	SAME(" a@21 g:b@22", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_ns(ltttrace_part(trace, 0), 17), BASE_NS + 17);
	end();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(packets_that_were_added),
		UNIT_TEST(a_cursor_in_the_middle),
		UNIT_TEST(records_after_the_limit_are_held_back),
		UNIT_TEST(a_cut_end_that_becomes_a_packet),
		UNIT_TEST(an_end_that_is_cut_within_the_header),
		UNIT_TEST(new_files_and_parts),
		UNIT_TEST(an_empty_file_that_gets_packets),
		UNIT_TEST(new_events),
		UNIT_TEST(a_channel_that_comes_later),
		UNIT_TEST(a_part_whose_metadata_is_cut),
		UNIT_TEST(metadata_is_read_after_the_data),
		UNIT_TEST(a_new_piece),
		UNIT_TEST(a_piece_is_deleted_while_it_is_open),
		UNIT_TEST(a_deleted_piece_is_closed_when_it_was_read),
		UNIT_TEST(a_piece_is_compressed_while_it_is_open),
		UNIT_TEST(a_piece_grows_and_ends_between_two_refreshes),
		UNIT_TEST(a_stream_that_comes_after_a_seek),
		UNIT_TEST(descriptions_stay_where_they_are),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
