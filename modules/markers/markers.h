/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the files of ltt-markers share.
 *
 * Layer: markers.
 */
#ifndef LTT_MARKERS_MARKERS_H
#define LTT_MARKERS_MARKERS_H

struct ltt_mark_fields;
struct ltt_mark_site;
struct module;

/* sites.c: the sites of modules as they come and go */
int ltt_sites_init(void);
void ltt_sites_exit(void);

/* mark.c: turns sites into markers.  Registry lock held; may sleep. */
void ltt_mark_add(struct ltt_mark_site *site, struct module *mod);
void ltt_mark_remove(struct module *mod);

/* pack.c: packs events with text or arrays */
int ltt_pack_prepare(const struct ltt_mark_fields *fields);
void ltt_pack_site(struct ltt_mark_site *site, const struct ltt_mark_fields *fields);
void ltt_pack_exit(void);

/* scratch.c: buffers in which providers pack events */
void ltt_scratch_exit(void);

#endif /* LTT_MARKERS_MARKERS_H */
