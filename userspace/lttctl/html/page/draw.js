// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// The view: the lanes, the axis, and on them the selection, arrows and texts.

const FONT = '"Segoe UI", system-ui, Roboto, "DejaVu Sans", sans-serif';
const ARROWS_MAX = 250;
const SPAN_LEAST = 50;		// nanoseconds in the window

const view = { begin: 0, end: 1 };
const selection = { begin: 0, end: 0, isShown: false };
let chosen = null;		// the item whose details are shown: { item, lane }
let focused = null;		// the lane that keys act on
let pointer = null;		// { x, y } over the lanes

const $ = (id) => document.getElementById(id);
const raster = new Raster();
let drawing = 0;

function plotWidth() {
	return Math.max(50, $("scroller").clientWidth - LABELS);
}

function perCssPixel() {
	return (view.end - view.begin) / plotWidth();
}

function xOf(time) {
	return LABELS + (time - view.begin) / perCssPixel();
}

function timeAt(x) {
	return view.begin + (x - LABELS) * perCssPixel();
}

// Show a range of time, within that of the recording.
function show(begin, end) {
	const span = Math.min(trace.span, Math.max(SPAN_LEAST, end - begin));
	begin = Math.max(0, Math.min(begin, trace.span - span));
	view.begin = begin;
	view.end = begin + span;
	redraw();
}

function zoom(factor, time = (view.begin + view.end) / 2) {
	const span = Math.min(trace.span, Math.max(SPAN_LEAST, (view.end - view.begin) * factor));
	const begin = time - (time - view.begin) / (view.end - view.begin) * span;
	show(begin, begin + span);
}

function pan(ns) {
	show(view.begin + ns, view.end + ns);
}

// Draw once before the next frame of the screen.
function redraw() {
	if (!drawing)
		drawing = requestAnimationFrame(draw);
}

function prepare(canvas, width, height) {
	const ratio = devicePixelRatio, w = Math.round(width * ratio), h = Math.round(height * ratio);
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
	}
	const context = canvas.getContext("2d", { alpha: false });
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.textBaseline = "middle";
	return context;
}

function draw() {
	drawing = 0;
	const started = performance.now();
	drawOverview();
	drawAxis();
	drawLanes();
	const root = document.documentElement.dataset;
	root.drawn = String(Number(root.drawn ?? 0) + 1);
	root.milliseconds = (performance.now() - started).toFixed(1);
}

/* ---- The axis ---- */

function stepFor(span, width) {
	const least = span / width * 110;
	const power = 10 ** Math.floor(Math.log10(least));
	return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= least);
}

function drawAxis() {
	const width = $("scroller").clientWidth, context = prepare($("axis"), $("scroller").offsetWidth, 24);
	context.fillStyle = css(theme.ground);
	context.fillRect(0, 0, $("scroller").offsetWidth, 24);
	const step = stepFor(view.end - view.begin, width - LABELS);
	context.font = `11px ${FONT}`;
	context.textAlign = "left";
	context.fillStyle = css(theme.faint);
	context.fillText(`${duration(view.end - view.begin)} shown`, 12, 12);
	context.save();
	context.beginPath();
	context.rect(LABELS, 0, width - LABELS, 24);
	context.clip();
	for (let time = Math.floor(view.begin / step) * step; time <= view.end; time += step) {
		const x = xOf(time);
		context.fillStyle = css(theme.line);
		context.fillRect(Math.round(x), 14, 1, 10);
		context.fillStyle = css(theme.faint);
		context.fillText(moment(time, step), x + 4, 12);
	}
	if (selection.isShown)
		drawSelectionOnAxis(context);
	context.restore();
}

function drawSelectionOnAxis(context) {
	const x0 = xOf(selection.begin), x1 = xOf(selection.end), text = duration(selection.end - selection.begin);
	context.fillStyle = css(theme.accent);
	context.fillRect(x0, 20, Math.max(1, x1 - x0), 4);
	const wide = context.measureText(text).width + 8;
	const x = Math.max(LABELS, Math.min($("scroller").clientWidth - wide, (x0 + x1 - wide) / 2));
	context.fillRect(x, 3, wide, 16);
	context.fillStyle = css(theme.ground);
	context.fillText(text, x + 4, 11);
}

/* ---- The lanes ---- */

function shownLanes(top, height) {
	const shown = [];
	let lane = laneAt(top);
	for (let i = lane ? lanes.indexOf(lane) : lanes.length; i < lanes.length && lanes[i].top < top + height; i++)
		shown.push(lanes[i]);
	return shown;
}

function drawLanes() {
	const scroller = $("scroller"), width = scroller.clientWidth, height = scroller.clientHeight, ratio = devicePixelRatio;
	$("spacer").style.height = `${lanesHeight + 30}px`;
	const context = prepare($("lanes"), width, height);
	const top = scroller.scrollTop, shown = shownLanes(top, height);
	raster.resize(Math.round((width - LABELS) * ratio), Math.round(height * ratio));
	raster.pixels.fill(theme.ground32);
	const painter = new Painter(raster, view, (view.end - view.begin) / raster.width);
	paintGrid(painter, width);
	const y = (css_) => Math.round((css_ - top) * ratio);
	for (const lane of shown)
		paintLane(painter, lane, y);
	context.fillStyle = css(theme.ground);
	context.fillRect(0, 0, LABELS, height);
	context.putImageData(raster.image, Math.round(LABELS * ratio), 0);
	drawTexts(context, painter.texts, ratio);
	for (const lane of shown)
		drawLabel(context, lane, lane.top - top, width);
	drawArrows(context, painter.wakes, theme.text, stateY, top);
	drawArrows(context, shownFlows(painter.perPixel), theme.accent, flowY, top);
	drawMarks(context, top, width, height);
}

function paintGrid(painter, width) {
	const step = stepFor(view.end - view.begin, width - LABELS);
	for (let time = Math.ceil(view.begin / step) * step; time <= view.end; time += step) {
		const x = Math.round(painter.x(time));
		raster.fill(x, 0, x + 1, raster.height, theme.band32);
	}
}

function paintLane(painter, lane, y) {
	if (lane.head) {
		raster.fill(0, y(lane.top), raster.width, y(lane.top + lane.height) - 1, theme.band32);
		if (!lane.group.isOpen)
			painter.paintGroup(lane.group, y(lane.top + 4), y(lane.top + lane.height - 5));
	}
	for (const row of lane.rows)
		painter.paint(row.track, y(lane.top + row.y), y(lane.top + row.y + row.height), lane);
	raster.fill(0, y(lane.top + lane.height) - 1, raster.width, y(lane.top + lane.height), theme.line32);
}

// Cut a text to a width; letters of the same font are nearly the same on average.
function fit(context, text, width) {
	if (context.measureText(text).width <= width)
		return text;
	const letters = Math.floor(text.length * width / context.measureText(text).width) - 1;
	return letters > 1 ? text.slice(0, letters) + "…" : "";
}

function drawTexts(context, texts, ratio) {
	context.textAlign = "left";
	for (const { x0, x1, y0, y1, text, faint } of texts) {
		const height = (y1 - y0) / ratio;
		context.font = `${height < 12 ? 8.5 : 10.5}px ${FONT}`;
		context.fillStyle = faint ? css(theme.text) : isDark() ? "#0b0d10" : "#ffffff";
		const cut = fit(context, text, (x1 - x0) / ratio - 6);
		if (cut)
			context.fillText(cut, LABELS + x0 / ratio + 3, (y0 + y1) / 2 / ratio + 0.5);
	}
}

function drawLabel(context, lane, y, width) {
	context.fillStyle = css(lane === focused ? theme.accent : theme.line);
	context.fillRect(0, y + lane.height - 1, LABELS, 1);
	if (lane.head) {
		context.fillStyle = css(theme.band);
		context.fillRect(0, y, LABELS, lane.height - 1);
	}
	if (lane === focused) {
		context.fillStyle = css(theme.accent);
		context.fillRect(0, y, 3, lane.height);
		context.fillRect(LABELS, y, width - LABELS, 1);
		context.fillRect(LABELS, y + lane.height - 1, width - LABELS, 1);
	}
	const middle = lane.head ? y + lane.height / 2 : y + Math.min(lane.height / 2, 12), single = isSingle(lane.group);
	const left = lane.head || single ? 12 : 26;
	context.font = `${lane.head || single ? "600 " : ""}12px ${FONT}`;
	context.textAlign = "left";
	context.fillStyle = css(theme.text);
	if (lane.head)
		context.fillText(lane.group.isOpen ? "▾" : "▸", left, middle);
	context.font = `11px ${FONT}`;
	const note = lane.note, noteWidth = note ? context.measureText(note).width + 10 : 0;
	context.fillStyle = css(theme.faint);
	context.textAlign = "right";
	context.fillText(note, LABELS - 10, middle);
	context.textAlign = "left";
	context.fillStyle = css(theme.text);
	context.font = `${lane.head || single ? "600 " : ""}12px ${FONT}`;
	context.fillText(fit(context, lane.label, LABELS - left - (lane.head ? 14 : 0) - 10 - noteWidth), left + (lane.head ? 14 : 0), middle);
	context.fillStyle = css(theme.line);
	context.fillRect(LABELS - 1, y, 1, lane.height);
}

// The steps of flows in the window, in the form of the wakes of a Painter.
function shownFlows(perPixel) {
	const steps = [];
	for (const track of flows)
		visitItems(track.level(perPixel), view.begin, view.end, ({ start, end, value, count, a }, from, to) => {
			for (let i = from; i < to; i++)
				if (count[i] === 1)
					steps.push({ from: value[i], to: a[i], begin: start[i], end: end[i] });
		});
	return steps;
}

// From a thread to the one that it woke, or handed work to; @yOf: the place in a lane.
function drawArrows(context, all, colour, yOf, top) {
	const thread = focused?.thread?.index, isOf = ({ from, to }) => from === thread || to === thread;
	const arrows = all.length > ARROWS_MAX && thread !== undefined ? all.filter(isOf) : all;
	if (!arrows.length || arrows.length > ARROWS_MAX)
		return;
	context.save();
	context.beginPath();
	context.rect(LABELS, 0, context.canvas.width, context.canvas.height);
	context.clip();
	context.lineWidth = 1.2;
	for (const arrow of arrows) {
		const from = laneOfThread.get(arrow.from), to = laneOfThread.get(arrow.to);
		if (!from || !to || (from === to && (from.head || arrow.begin === arrow.end)))
			continue;
		context.strokeStyle = context.fillStyle = css(thread === undefined || isOf(arrow) ? colour : theme.sleeping);
		drawArrow(context, xOf(arrow.begin), yOf(from, arrow.begin) - top, xOf(arrow.end), yOf(to, arrow.end) - top);
	}
	context.restore();
}

function middleOf(lane, row) {
	return lane.top + (row ? row.y + row.height / 2 : lane.height / 2);
}

function stateY(lane) {
	return middleOf(lane, lane.rows.find(({ track }) => track.kind === KIND.STATE));
}

// The innermost slice of that time, or the point of the flow's event.
function flowY(lane, time) {
	const covers = ({ track }) => track.kind === KIND.SLICE && !visitItems(track.finest, time, time, () => false);
	return middleOf(lane, lane.rows.findLast(covers) ?? lane.rows.find(({ track }) => track.kind === KIND.POINT));
}

function drawArrow(context, x0, y0, x1, y1) {
	x0 = Math.floor(x0) + 0.5;
	x1 = Math.floor(x1) + 0.5;
	const length = Math.hypot(x1 - x0, y1 - y0) || 1, dx = (x1 - x0) / length, dy = (y1 - y0) / length;
	const before = (distance, aside) => [x1 - distance * dx - aside * dy, y1 - distance * dy + aside * dx];
	context.beginPath();
	context.moveTo(x0, y0);
	context.lineTo(...before(6, 0));
	context.stroke();
	context.beginPath();
	context.moveTo(...before(4, 0));
	context.lineTo(...before(11, 3.5));
	context.lineTo(...before(11, -3.5));
	context.fill();
	context.beginPath();
	context.arc(x0, y0, 2, 0, 7);
	context.fill();
}

function drawMarks(context, top, width, height) {
	context.save();
	context.beginPath();
	context.rect(LABELS, 0, width - LABELS, height);
	context.clip();
	if (selection.isShown) {
		const x0 = xOf(selection.begin), x1 = xOf(selection.end);
		context.globalAlpha = 0.13;
		context.fillStyle = css(theme.accent);
		context.fillRect(x0, 0, Math.max(1, x1 - x0), height);
		context.globalAlpha = 1;
		context.fillRect(x0, 0, 1, height);
		context.fillRect(x1, 0, 1, height);
	}
	if (chosen && lanes.includes(chosen.lane))
		drawChosen(context, top);
	if (pointer) {
		context.globalAlpha = 0.5;
		context.fillStyle = css(theme.faint);
		context.fillRect(Math.round(pointer.x), 0, 1, height);
	}
	context.restore();
}

function drawChosen(context, top) {
	const { item, lane } = chosen, row = lane.rows.find(({ track }) => track === item.track);
	if (!row)
		return;
	const x0 = Math.max(LABELS - 5, xOf(item.start)), x1 = Math.min(context.canvas.width, xOf(item.end));
	context.lineWidth = 2;
	context.strokeStyle = css(theme.text);
	context.strokeRect(x0 - 1, lane.top - top + row.y - 1, Math.max(3, x1 - x0 + 2), row.height + 2);
}

function isDark() {
	const set = document.documentElement.dataset.theme;
	return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
