// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Write the page: its own sources, the chunks of the tracks and events, and a description of both.
 *
 * Layer: lttctl html.
 *
 * All that comes from the recording is base64 in the file.  So none of its texts can be taken for a part of the
 * page.  Descriptions are JSON, in a blob of their own.
 */
#include "html.h"
#include "levels.h"

#include "core/version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_OF_CHUNK 1024

/* embed.S */
extern const char html_page[], html_style[], html_script[];

/* ---- Lists ---- */

static void put_string(struct bytes *json, const char *text)
{
	bytes_json(json, text, strlen(text));
}

static const char *comma(size_t i)
{
	return i ? "," : "";
}

static void put_names(struct bytes *json, const struct page *page)
{
	size_t i;

	bytes_text(json, "\"names\":[");
	for (i = 0; i < page->names.nr; i++) {
		bytes_text(json, comma(i));
		put_string(json, page->names.texts[i]);
	}
	bytes_text(json, "],\"paths\":[");
	for (i = 0; i < page->nr_paths; i++) {
		bytes_text(json, comma(i));
		put_string(json, page->paths[i]);
	}
	bytes_text(json, "]");
}

static void put_owners(struct bytes *json, const struct page *page)
{
	size_t i;

	bytes_text(json, ",\"hosts\":[");
	for (i = 0; i < page->nr_hosts; i++)
		bytes_printf(json, "%s%u", comma(i), page->hosts[i]);
	bytes_text(json, "],\"cpus\":[");
	for (i = 0; i < page->nr_cpus; i++)
		bytes_printf(json, "%s[%u,%u]", comma(i), page->cpus[i].cpu, page->cpus[i].host);
	bytes_text(json, "],\"processes\":[");
	for (i = 0; i < page->nr_processes; i++)
		bytes_printf(json, "%s[%d,%u,%d,%u]", comma(i), page->processes[i].pid, page->processes[i].name,
			     page->processes[i].is_kernel, page->processes[i].host);
	bytes_text(json, "],\"threads\":[");
	for (i = 0; i < page->nr_threads; i++)
		bytes_printf(json, "%s[%d,%u,%u,%" PRIu64 "]", comma(i), page->threads[i].tid,
			     page->threads[i].process, page->threads[i].name, page->threads[i].run);
	bytes_text(json, "]");
}

static void put_losses(struct bytes *json, const struct page *page)
{
	size_t i;

	bytes_text(json, ",\"losses\":[");
	for (i = 0; i < page->nr_losses; i++) {
		const struct page_loss *loss = &page->losses[i];

		bytes_printf(json, "%s[%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%d,", comma(i), loss->kind, loss->start,
			     loss->length, loss->count, loss->stream->cpu,
			     loss->why == NO_NAME ? -1 : (int)loss->why);
		put_string(json, loss->stream->part->name);
		bytes_text(json, ",");
		put_string(json, loss->stream->name);
		bytes_text(json, "]");
	}
	bytes_printf(json, "],\"moreLosses\":%" PRIu64 ",\"lost\":[", page->more_losses);
	for (i = 0; i < sizeof(page->lost) / sizeof(page->lost[0]); i++)
		bytes_printf(json, "%s%" PRIu64, comma(i), page->lost[i]);
	bytes_text(json, "]");
}

static void put_levels(struct bytes *json, const struct levels *levels)
{
	unsigned int i;

	bytes_text(json, ",\"levels\":[");
	for (i = 0; i < levels->nr; i++)
		bytes_printf(json, "%s[%" PRIu64 ",%" PRIu64 "]", comma(i), levels->resolution[i], levels->unit[i]);
	bytes_text(json, "]");
}

static void put_tracks(struct bytes *json, const struct tracks *tracks, const struct bytes *directories)
{
	size_t i;

	bytes_text(json, ",\"tracks\":[");
	for (i = 0; i < tracks->nr; i++) {
		const struct track *track = tracks->tracks[i];

		bytes_printf(json, "%s[%d,%u,%u,%u,%" PRIu64 ",[", comma(i), track->kind, track->owner, track->row, track->name,
			     track->resolution);
		bytes_put(json, directories[i].data, directories[i].size);
		bytes_text(json, "]]");
	}
	bytes_text(json, "]");
}

/* ---- Events ---- */

static void put_classes(struct bytes *json, const struct events *events)
{
	size_t i;

	bytes_text(json, ",\"classes\":[");
	for (i = 0; i < events->nr_classes; i++) {
		const struct event_class *class = &events->classes[i];

		bytes_text(json, comma(i));
		if (!class->event) {
			bytes_text(json, "null");
			continue;
		}
		bytes_text(json, "[");
		put_string(json, class->event->name);
		bytes_printf(json, ",%" PRIu64 ",%" PRIu64 ",", class->count, class->stride);
		events_describe(json, class->event);
		bytes_text(json, "]");
	}
	bytes_text(json, "]");
}

/* The list has for each chunk: start, blob, offset, events. */
static int write_events(struct bytes *json, const struct events *events, struct blobs *blobs)
{
	struct bytes chunk = { 0 };
	size_t i, j;
	int err = 0;

	bytes_text(json, ",\"events\":[");
	for (i = 0; i < events->nr_kept && !err; i = j) {
		uint64_t last = events->kept[i].start;

		bytes_printf(json, "%s%" PRIu64 ",%u,%zu,", comma(i), last, blobs->nr, blobs->blob.size);
		chunk.size = 0;
		for (j = i; j < events->nr_kept && j < i + EVENTS_OF_CHUNK; j++) {
			const struct kept *kept = &events->kept[j];

			bytes_number(&chunk, kept->start - last);
			bytes_number(&chunk, kept->class);
			bytes_number(&chunk, kept->cpu);
			bytes_number(&chunk, kept->thread);
			bytes_put(&chunk, events->fields.data + kept->offset, kept->size);
			last = kept->start;
		}
		bytes_printf(json, "%zu", j - i);
		err = blobs_add(blobs, &chunk);
	}
	bytes_text(json, "]");
	bytes_free(&chunk);
	return err;
}

/* ---- The page ---- */

static int write_data(const struct page *page, FILE *file)
{
	struct bytes *directories = calloc(page->tracks.nr + 1, sizeof(*directories));
	struct blobs blobs = { .file = file };
	struct bytes json = { 0 };
	struct levels levels;
	int err, end;
	size_t i;

	if (!directories)
		return -ENOMEM;
	levels_choose(&levels, page->span);
	bytes_printf(&json, "{\"version\":1,\"producer\":\"LTT %s\",\"begin\":\"%" PRId64 "\",\"span\":%" PRIu64
		     ",\"records\":%" PRIu64 ",", LTT_VERSION, page->begin, page->span, page->nr_records);
	put_names(&json, page);
	put_owners(&json, page);
	put_losses(&json, page);
	put_levels(&json, &levels);
	err = levels_write(&levels, &page->tracks, &blobs, directories);
	put_tracks(&json, &page->tracks, directories);
	put_classes(&json, &page->events);
	if (!err)
		err = write_events(&json, &page->events, &blobs);
	bytes_text(&json, "}");
	end = blobs_end(&blobs);
	err = err ? err : end;
	if (!err && json.failed)
		err = -ENOMEM;
	if (!err) {
		fputs("<script type=\"text/plain\" id=\"description\">", file);
		base64_write(file, json.data, json.size);
		fputs("</script>\n", file);
	}
	for (i = 0; i < page->tracks.nr; i++)
		bytes_free(&directories[i]);
	free(directories);
	bytes_free(&json);
	return err;
}

/* Write @text up to a line "@NAME@".  Return: the text after that line. */
static const char *write_until(FILE *file, const char *text, const char *mark)
{
	const char *at = strstr(text, mark);

	fwrite(text, 1, at - text, file);
	return at + strlen(mark);
}

int page_write(const struct page *page, FILE *file)
{
	const char *text = html_page;
	int err;

	errno = 0;
	text = write_until(file, text, "@STYLE@\n");
	fputs(html_style, file);
	text = write_until(file, text, "@DATA@\n");
	err = write_data(page, file);
	if (err)
		return err;
	text = write_until(file, text, "@SCRIPT@\n");
	fputs(html_script, file);
	fputs(text, file);
	if (fflush(file) || ferror(file))
		return errno ? -errno : -EIO;
	return 0;
}

void page_free(struct page *page)
{
	names_free(&page->names);
	tracks_free(&page->tracks);
	events_free(&page->events);
	free(page->hosts);
	free(page->cpus);
	free(page->threads);
	free(page->processes);
	free(page->losses);
}
