// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// The overview: the use of all CPUs from begin to end, where events are missing, and a frame around what is shown.

const OVERVIEW_HEIGHT = 46;
let use = null;		// the use of the CPUs for each pixel: from 0 to the number of CPUs

function overviewWidth() {
	return Math.max(50, $("scroller").clientWidth - LABELS);
}

function computeUse(width) {
	const columns = new Float32Array(width), perPixel = trace.span / width;
	for (const track of trace.tracks)
		if (track.kind === KIND.RUN)
			visitItems(track.level(perPixel), 0, trace.span, ({ start, end, count, a }, from, to) => {
				for (let i = from; i < to; i++)
					spread(columns, start[i] / perPixel, end[i] / perPixel,
					       (count[i] > 1 ? a[i] : end[i] - start[i]) / perPixel);
			});
	return columns;
}

// Without the scheduler's events: how many points there are.
function computePoints(width) {
	const columns = new Float32Array(width), perPixel = trace.span / width;
	for (const track of trace.tracks)
		if (track.kind === KIND.POINT)
			visitItems(track.level(perPixel), 0, trace.span, ({ start, end, count }, from, to) => {
				for (let i = from; i < to; i++)
					spread(columns, start[i] / perPixel, end[i] / perPixel, count[i]);
			});
	return columns;
}

function useOf(width) {
	if (use?.columns.length !== width) {
		const nr = trace.tracks.filter(({ kind }) => kind === KIND.RUN).length;
		const columns = nr ? computeUse(width) : computePoints(width);
		use = { columns, full: nr || columns.reduce((most, value) => Math.max(most, value), 1), title: nr ? "CPU use" : "Events" };
	}
	return use;
}

// The columns in a colour, as an image that is drawn again and again.
function imageOf(width, colour) {
	const { columns, full } = useOf(width), image = new OffscreenCanvas(width, OVERVIEW_HEIGHT), context = image.getContext("2d");
	context.fillStyle = colour;
	for (let x = 0; x < width; x++) {
		const part = Math.min(1, columns[x] / full) * (OVERVIEW_HEIGHT - 5);
		context.fillRect(x, OVERVIEW_HEIGHT - part, 1, part);
	}
	return image;
}

function imagesOf(width) {
	const colours = [css(theme.sleeping), css(theme.running)];
	if (use?.images?.width !== width || use.images.colours.join() !== colours.join()) {
		useOf(width);
		use.images = { width, colours, all: imageOf(width, colours[0]), shown: imageOf(width, colours[1]) };
	}
	return use.images;
}

function drawOverview() {
	const width = overviewWidth(), all = $("scroller").offsetWidth, height = OVERVIEW_HEIGHT;
	const context = prepare($("overview"), all, height), images = imagesOf(width);
	context.fillStyle = css(theme.band);
	context.fillRect(0, 0, all, height);
	context.font = `11px ${FONT}`;
	context.fillStyle = css(theme.faint);
	context.fillText(use.title, 12, 15);
	context.fillText(`${duration(trace.span)} in all`, 12, 32);
	const left = LABELS + view.begin / trace.span * width, right = LABELS + view.end / trace.span * width;
	context.drawImage(images.all, LABELS, 0);
	context.save();
	context.beginPath();
	context.rect(left, 0, Math.max(1, right - left), height);
	context.clip();
	context.fillStyle = css(theme.ground);
	context.fillRect(left, 0, right - left, height);
	context.drawImage(images.shown, LABELS, 0);
	context.restore();
	context.fillStyle = css(theme.loss);
	for (const { start, length } of trace.losses)
		context.fillRect(LABELS + start / trace.span * width - 1, 0, Math.max(3, length / trace.span * width), 4);
	context.fillStyle = css(theme.accent);
	context.fillRect(left, 0, 2, height);
	context.fillRect(right - 2, 0, 2, height);
	context.fillRect(left, 0, Math.max(2, right - left), 2);
	context.fillRect(left, height - 1, Math.max(2, right - left), 1);
}
