// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * tests/oracle finds each difference between what the libraries read.
 */
#include "writer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../unit/unit.h"

static struct part_out part;
static struct packet_out packet;

static int compare(const char *copy)
{
	char command[4096];
	int status;

	snprintf(command, sizeof(command), ORACLE " %s %s '%s' > '%s' 2>&1", copy ? "--against" : "", copy ? copy : "",
		 part.dir, at("said"));
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void put_long_packet(void)
{
	packet_begin(&packet, &part, 100, 2);
	packet.header.events_discarded = 5;
	packet_record(&packet, EVENT_TEXT, 101, "hello", 6);
	packet_record(&packet, EVENT_MEDIUM, 102, NULL, 0);
	packet_record(&packet, EVENT_A, 103 + (1ULL << LTT_TIME_BITS), NULL, 0);
	packet_append(&packet, &part, "events_0", 104 + (1ULL << LTT_TIME_BITS));
}

static void begin(void)
{
	begin_folder();
	part_begin(&part, "t", 1);
	put_packet(&part, "events_0", 10, 0);
	put_long_packet();
	put_packet(&part, "events_1", 10, 0);
	put_packet(&part, "events_1", 20, 1);
}

static void sound_recordings_are_the_same(void)
{
	begin();
	CU_ASSERT_EQUAL(compare(NULL), 0);
	shell("cp -r %s %s", at("t"), at("copy"));
	CU_ASSERT_EQUAL(compare(at("copy")), 0);
	end_folder();
}

/* Each change of one byte is a difference. */
static void differences_are_found(void)
{
	const size_t second = PAGE, records = second + sizeof(struct ltt_ctf_packet);
	const struct { const char *what; size_t offset; u8 value; } changes[] = {
		{ "a value", records + 8, 'j' },
		{ "a context", records + 4, 1 },
		{ "an event", sizeof(struct ltt_ctf_packet), (u8)(EVENT_B | 11 << LTT_ID_BITS) },
		{ "a time", sizeof(struct ltt_ctf_packet) + 1, 2 },
		{ "a loss of events", second + offsetof(struct ltt_ctf_packet, events_discarded), 4 },
		{ "a loss of packets", second + offsetof(struct ltt_ctf_packet, packet_seq_num), 3 },
		{ "the begin of a loss", offsetof(struct ltt_ctf_packet, timestamp_end), 18 },
		{ "a CPU", offsetof(struct ltt_ctf_packet, cpu_id), 1 },
		{ "no last record", offsetof(struct ltt_ctf_packet, content_size), (76 + 8) * 8 & 0xff },
	};
	size_t i;

	begin();
	for (i = 0; i < COUNT(changes); i++) {
		shell("rm -rf %s; cp -r %s %s", at("copy"), at("t"), at("copy"));
		overwrite(at("copy/events_0"), changes[i].offset, &changes[i].value, 1);
		if (compare(at("copy")) != 1)
			printf("# %s\n", changes[i].what);
		CU_ASSERT_EQUAL(compare(at("copy")), 1);
	}
	end_folder();
}

static void damage_is_a_difference(void)
{
	begin();
	shell("cp -r %s %s", at("t"), at("copy"));
	overwrite(at("t/events_0"), PAGE, "x", 1);
	CU_ASSERT_EQUAL(compare(at("copy")), 1);
	CU_ASSERT_EQUAL(compare(NULL), 2);
	end_folder();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(sound_recordings_are_the_same),
		UNIT_TEST(differences_are_found),
		UNIT_TEST(damage_is_a_difference),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
