/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The page's own sources, as texts.
 *
 * Layer: lttctl html.
 */
	.section .rodata

	.globl html_page, html_style, html_script
html_page:
	.incbin "lttctl/html/page/page.html"
	.byte 0
html_style:
	.incbin "lttctl/html/page/style.css"
	.byte 0
/* In this order: each file uses those above it. */
html_script:
	.incbin "lttctl/html/page/data.js"
	.incbin "lttctl/html/page/format.js"
	.incbin "lttctl/html/page/lanes.js"
	.incbin "lttctl/html/page/raster.js"
	.incbin "lttctl/html/page/draw.js"
	.incbin "lttctl/html/page/overview.js"
	.incbin "lttctl/html/page/details.js"
	.incbin "lttctl/html/page/statistics.js"
	.incbin "lttctl/html/page/search.js"
	.incbin "lttctl/html/page/input.js"
	.incbin "lttctl/html/page/main.js"
	.byte 0

	.section .note.GNU-stack, "", %progbits
