// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// The pointer, the wheel and the keys.

const NEAR = 4;			// pixels around the pointer in which an item is found
const PAN_SHARE = 0.15;		// of the window, for a key
let drag = null;		// { kind: "pan" | "select" | "frame", x, y, moved, ... }

/* ---- The item under the pointer ---- */

function itemNear(row, time) {
	const near = NEAR * perCssPixel();
	let best = null, distance = Infinity;
	visitItems(row.track.level(perCssPixel() / devicePixelRatio), time - near, time + near, (items, from, to) => {
		for (let i = from; i < to; i++) {
			const away = Math.max(items.start[i] - time, time - items.end[i], 0);
			if (away < distance || (away === distance && items.end[i] - items.start[i] < best.end - best.start)) {
				best = itemAt(row.track, items, i);
				distance = away;
			}
		}
	});
	return !best && row.track.kind === KIND.STATE ? sleepAround(row.track, time) : best;
}

function itemUnder(x, y) {
	const lane = laneAt(y + $("scroller").scrollTop);
	if (!lane || x < LABELS)
		return { lane };
	const inside = y + $("scroller").scrollTop - lane.top;
	const row = lane.rows.find((one) => inside >= one.y - 1 && inside <= one.y + one.height);
	return { lane, item: row && itemNear(row, timeAt(x)) };
}

function place(event, element = $("lanes")) {
	const box = element.getBoundingClientRect();
	return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function showTip(event, item, lane) {
	const tip = $("tip");
	tip.hidden = !item;
	if (!item)
		return;
	const lines = [itemTitle(item), ...itemRows(item).filter(([name]) => name !== "date" && name !== "begin").map((row) => row.join(": ")), laneText(lane)];
	tip.textContent = lines.join("\n");
	const box = tip.getBoundingClientRect();
	tip.style.left = `${Math.min(event.clientX + 14, innerWidth - box.width - 6)}px`;
	tip.style.top = `${event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 18}px`;
}

/* ---- The pointer ---- */

function lanesDown(event) {
	if (event.button)
		return;
	const { x, y } = place(event);
	if (x >= LABELS) {
		drag = { kind: event.shiftKey ? "select" : "pan", x, y, begin: view.begin, top: $("scroller").scrollTop, from: timeAt(x), moved: false };
		$("lanes").setPointerCapture(event.pointerId);
	} else {
		drag = { kind: "label", x, y, moved: false };
	}
	$("scroller").focus({ preventScroll: true });
	event.preventDefault();
}

function lanesMove(event) {
	const { x, y } = place(event);
	pointer = x >= LABELS ? { x, y } : null;
	if (!drag || drag.kind === "label") {
		const { item, lane } = itemUnder(x, y);
		showTip(event, item, lane);
		redraw();
		return;
	}
	drag.moved ||= Math.abs(x - drag.x) > 3 || Math.abs(y - drag.y) > 3;
	if (!drag.moved)
		return;
	$("tip").hidden = true;
	if (drag.kind === "select") {
		select(drag.from, timeAt(x));
	} else {
		const span = view.end - view.begin, begin = drag.begin - (x - drag.x) * perCssPixel();
		$("scroller").scrollTop = drag.top - (y - drag.y);
		show(begin, begin + span);
	}
}

function lanesUp(event) {
	if (!drag)
		return;
	const { kind, moved } = drag, { x, y } = place(event);
	drag = null;
	if (kind === "select" && moved) {
		showStatistics();
		return;
	}
	if (!moved)
		click(x, y);
}

function click(x, y) {
	const { item, lane } = itemUnder(x, y);
	if (!lane)
		return;
	focused = lane;
	if (item)
		choose(item, lane);
	else if (lane.head)
		toggle(lane);
	else
		announce(laneText(lane));
	redraw();
}

function toggle(lane) {
	if (!lane?.head)
		return;
	openGroup(lane.group, !lane.group.isOpen);
	announce(laneText(lane));
	redraw();
}

// The axis selects; the overview moves the frame, or draws a new one.
function axisDown(event) {
	const { x } = place(event, $("axis"));
	drag = { kind: "axis", from: timeAt(Math.max(LABELS, x)), moved: false };
	$("axis").setPointerCapture(event.pointerId);
}

function axisMove(event) {
	if (drag?.kind !== "axis")
		return;
	drag.moved = true;
	select(drag.from, timeAt(Math.max(LABELS, place(event, $("axis")).x)));
}

function axisUp() {
	if (drag?.kind === "axis" && drag.moved)
		showStatistics();
	drag = null;
}

function overviewTime(event) {
	return (place(event, $("overview")).x - LABELS) / overviewWidth() * trace.span;
}

function overviewDown(event) {
	const time = overviewTime(event), near = 6 / overviewWidth() * trace.span, span = view.end - view.begin;
	const edge = Math.abs(time - view.begin) < near ? "begin" : Math.abs(time - view.end) < near ? "end" : null;
	drag = { kind: "frame", edge, fixed: edge === "begin" ? view.end : view.begin, offset: time - view.begin, span };
	if (!edge && (time < view.begin || time > view.end)) {
		drag.offset = span / 2;
		show(time - span / 2, time + span / 2);
	} else if (!edge && span > trace.span * 0.95) {
		drag.edge = "new";
		drag.fixed = time;
	}
	$("overview").setPointerCapture(event.pointerId);
}

function overviewMove(event) {
	if (drag?.kind !== "frame")
		return;
	const time = overviewTime(event);
	if (drag.edge)
		show(Math.min(time, drag.fixed), Math.max(time, drag.fixed));
	else
		show(time - drag.offset, time - drag.offset + drag.span);
}

function wheel(event) {
	const { x } = place(event, event.currentTarget === $("scroller") ? $("lanes") : event.currentTarget), scale = event.deltaMode ? 30 : 1;
	const sideways = event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX;
	if (event.ctrlKey || event.metaKey || (event.currentTarget !== $("scroller") && !sideways)) {
		event.preventDefault();
		zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY * scale)) * 0.004), timeAt(Math.max(LABELS, x)));
	} else if (sideways) {
		event.preventDefault();
		pan(sideways * scale * perCssPixel());
	}
}

/* ---- Keys ---- */

function moveFocus(step) {
	const at = focused ? lanes.indexOf(focused) : -1;
	const lane = lanes[Math.max(0, Math.min(lanes.length - 1, at < 0 ? 0 : at + step))];
	if (lane)
		goToLane({ group: { isOpen: true }, lane });
}

// The row of the lane that items are taken from: that of the chosen item, or the first.
function focusedRow() {
	return focused?.rows.find(({ track }) => track === chosen?.item.track) ??
		focused?.rows.find(({ track }) => track.kind === KIND.STATE) ?? focused?.rows[0];
}

function chooseMiddle() {
	const row = focusedRow(), middle = (view.begin + view.end) / 2;
	if (!row)
		return;
	let best = null, distance = Infinity;
	visitItems(row.track.level(perCssPixel()), view.begin, view.end, (items, from, to) => {
		for (let i = from; i < to; i++) {
			const away = Math.max(items.start[i] - middle, middle - items.end[i], 0);
			if (away < distance) {
				best = itemAt(row.track, items, i);
				distance = away;
			}
		}
	});
	if (best)
		choose(best, focused);
}

function chooseNext(step) {
	const row = focusedRow();
	if (!row || !chosen || chosen.lane !== focused) {
		chooseMiddle();
		return;
	}
	const { item } = chosen;
	let next = null;
	visitItems(row.track.level(perCssPixel()), step > 0 ? item.start : 0, step > 0 ? trace.span : item.start, (items, from, to) => {
		for (let i = from; i < to; i++) {
			if (step > 0 && (items.start[i] > item.start || items.end[i] > item.end)) {
				next = itemAt(row.track, items, i);
				return false;
			}
			if (step < 0 && items.start[i] < item.start)
				next = { items, i };
		}
		return true;
	});
	if (next?.items)
		next = itemAt(row.track, next.items, next.i);
	if (!next)
		return;
	if (next.start < view.begin || next.end > view.end)
		show(next.start - (view.end - view.begin) / 2, next.start + (view.end - view.begin) / 2);
	choose(next, focused);
}

function fitChosen() {
	if (chosen)
		zoomTo(chosen.item.start, chosen.item.end);
	else if (selection.isShown)
		show(selection.begin, selection.end);
}

function selectFrom(begin) {
	const middle = (view.begin + view.end) / 2;
	if (begin || !selection.isShown)
		select(middle, Math.max(middle, selection.isShown ? selection.end : view.end));
	else
		select(Math.min(selection.begin, middle), middle);
	showStatistics();
}

function escape_() {
	if (selection.isShown)
		endSelection();
	hidePanel();
	$("scroller").focus({ preventScroll: true });
}

const ACTIONS = {
	ArrowLeft: () => pan(-PAN_SHARE * (view.end - view.begin)), ArrowRight: () => pan(PAN_SHARE * (view.end - view.begin)),
	a: () => ACTIONS.ArrowLeft(), d: () => ACTIONS.ArrowRight(),
	"+": () => zoom(0.66), "=": () => zoom(0.66), w: () => zoom(0.66), "-": () => zoom(1.5), s: () => zoom(1.5),
	0: () => show(0, trace.span), Home: () => show(0, trace.span),
	ArrowUp: () => moveFocus(-1), ArrowDown: () => moveFocus(1), PageUp: () => moveFocus(-10), PageDown: () => moveFocus(10),
	Enter: () => focused?.head ? toggle(focused) : chooseMiddle(), " ": () => ACTIONS.Enter(),
	",": () => chooseNext(-1), ".": () => chooseNext(1), f: fitChosen, "[": () => selectFrom(true), "]": () => selectFrom(false),
	Escape: escape_, "/": () => $("query").focus(), n: () => goToMatch(matchAt + 1), N: () => goToMatch(matchAt - 1),
	l: showLosses, t: () => switchTheme(), "?": showHelp,
};

function key(event) {
	const inText = event.target === $("query"), inPage = event.target === $("scroller") || event.target === document.body;
	if (event.ctrlKey || event.metaKey || event.altKey || (inText && event.key !== "Escape"))
		return;
	// Buttons, rows and the panel have keys of their own.
	if (!inPage && ["Enter", " ", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home"].includes(event.key))
		return;
	const action = ACTIONS[event.key];
	if (!action)
		return;
	event.preventDefault();
	action();
}

function listen() {
	const scroller = $("scroller"), canvas = $("lanes");
	canvas.addEventListener("pointerdown", lanesDown);
	canvas.addEventListener("pointermove", lanesMove);
	canvas.addEventListener("pointerup", lanesUp);
	canvas.addEventListener("pointerleave", () => { pointer = null; $("tip").hidden = true; redraw(); });
	canvas.addEventListener("dblclick", (event) => {
		const { item } = itemUnder(place(event).x, place(event).y);
		if (item)
			zoomTo(item.start, item.end);
	});
	for (const [id, down, move, up] of [["axis", axisDown, axisMove, axisUp], ["overview", overviewDown, overviewMove, () => { drag = null; }]]) {
		$(id).addEventListener("pointerdown", down);
		$(id).addEventListener("pointermove", move);
		$(id).addEventListener("pointerup", up);
		$(id).addEventListener("wheel", wheel, { passive: false });
	}
	scroller.addEventListener("wheel", wheel, { passive: false });
	scroller.addEventListener("scroll", redraw);
	addEventListener("keydown", key);
	new ResizeObserver(redraw).observe(scroller);
	$("search").addEventListener("submit", (event) => {
		event.preventDefault();
		// Enter again leads to the next match.
		if (matches.length && document.documentElement.dataset.searched === $("query").value.trim().toLowerCase())
			goToMatch(matchAt + 1);
		else
			startSearch();
	});
	$("query").addEventListener("input", () => { if (!$("query").value) endSearch(); });
	for (const [id, action] of [["in", () => zoom(0.5)], ["out", () => zoom(2)], ["all", () => show(0, trace.span)], ["losses", showLosses],
		["help", showHelp], ["close", escape_], ["theme", () => switchTheme()]])
		$(id).addEventListener("click", action);
}
