// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// Statistics of the selected time, computed in pieces, so that the page can be used meanwhile.

const PIECE_MS = 12;
const ROWS_MAX = 25;
let computation = 0;	// the number of the newest; older ones end

// Let the browser draw and answer.
function pause() {
	return new Promise((resolve) => setTimeout(resolve));
}

// The part of an item that is in the range.
function overlap(start, end, range) {
	return Math.max(0, Math.min(end, range.end) - Math.max(start, range.begin));
}

function addTo(map, key, time, count = 1) {
	const entry = map.get(key) ?? { time: 0, count: 0, longest: 0 };
	entry.time += time;
	entry.count += count;
	entry.longest = Math.max(entry.longest, count === 1 ? time : 0);
	map.set(key, entry);
	return entry;
}

function sumItems(sums, track, range, items, from, to) {
	const { start, end, value, count, a, b, c } = items;
	for (let i = from; i < to; i++) {
		const length = end[i] - start[i], inside = overlap(start[i], end[i], range), part = length > 0 ? inside / length : 1;
		const exact = count[i] === 1;
		switch (track.kind) {
		case KIND.STATE: {
			const state = sums.threads.get(track.owner) ?? sums.threads.set(track.owner, [0, 0, 0]).get(track.owner);
			if (!exact)
				[a, b, c].forEach((sum, n) => state[n] += sum[i] * part);
			else if (value[i] < STATE.SLEEPING)
				state[value[i]] += inside;
			if (exact && value[i] === STATE.RUNNABLE)
				addWait(sums, track, items, i);
			break;
		}
		case KIND.RUN:
			sums.busy.set(track.owner, (sums.busy.get(track.owner) ?? 0) + (exact ? inside : a[i] * part));
			break;
		case KIND.SYSCALL: case KIND.SLICE: case KIND.ASYNC: case KIND.IRQ:
			addTo(sums.names[track.kind], exact ? value[i] : -1, exact ? inside : a[i] * part, exact ? 1 : count[i] * part);
			break;
		}
	}
}

function addWait(sums, track, items, i) {
	const length = items.end[i] - items.start[i], waits = sums.waits;
	sums.waited.count++;
	sums.waited.time += length;
	if (waits.length < 8 || length > waits[7].length) {
		waits.push({ length, track, item: itemAt(track, items, i) });
		waits.sort((one, other) => other.length - one.length);
		waits.length = Math.min(waits.length, 8);
	}
}

async function computeSums(range, isWanted) {
	const sums = {
		threads: new Map(), busy: new Map(), waits: [], waited: { count: 0, time: 0 }, classes: new Map(),
		names: { [KIND.SYSCALL]: new Map(), [KIND.SLICE]: new Map(), [KIND.ASYNC]: new Map(), [KIND.IRQ]: new Map() },
	};
	let since = performance.now();
	for (const track of trace.tracks) {
		if (track.kind === KIND.POINT || track.kind === KIND.COUNTER || track.kind === KIND.LOSS || track.kind === KIND.FLOW)
			continue;
		visitItems(track.finest, range.begin, range.end, (items, from, to) => sumItems(sums, track, range, items, from, to));
		if (performance.now() - since > PIECE_MS) {
			await pause();
			if (!isWanted())
				return null;
			since = performance.now();
		}
	}
	await countEvents(sums, range, isWanted);
	return isWanted() ? sums : null;
}

async function countEvents(sums, range, isWanted) {
	let since = performance.now();
	for (const chunk of trace.eventChunks) {
		if (chunk.start > range.end)
			return;
		const next = trace.eventChunks[trace.eventChunks.indexOf(chunk) + 1];
		if (next && next.start < range.begin)
			continue;
		for (const event of chunk.get())
			if (event.start >= range.begin && event.start <= range.end)
				sums.classes.set(event.class, (sums.classes.get(event.class) ?? 0) + 1);
		if (performance.now() - since > PIECE_MS) {
			await pause();
			if (!isWanted())
				return;
			since = performance.now();
		}
	}
}

/* ---- As tables ---- */

function section(title, head, rows) {
	const more = rows.length > ROWS_MAX ? make("p", { class: "faint" }, `and ${rows.length - ROWS_MAX} more`) : null;
	return rows.length ? make("section", {}, make("h3", {}, title),
				  make("table", {}, heads(...head), make("tbody", {}, ...rows.slice(0, ROWS_MAX))), more) : null;
}

function threadRows(sums, span) {
	return [...sums.threads].filter(([, state]) => state[0] + state[1] + state[2] > 0).sort((one, other) => other[1][0] - one[1][0])
		.map(([index, [running, runnable, blocked]]) => goRow([
			make("td", {}, threadText(trace.threads[index])), number(percent(running / span)), number(duration(running)),
			number(duration(runnable)), number(duration(blocked)),
		], () => goToThread(trace.threads[index])));
}

function nameRows(map) {
	return [...map].sort((one, other) => other[1].time - one[1].time).map(([name, { time, count, longest }]) => make("tr", {},
		make("td", {}, name < 0 ? "merged, names not kept" : trace.names[name]), number(withCommas(count)), number(duration(time)),
		number(longest ? duration(longest) : "")));
}

function classRows(map) {
	return [...map].map(([class_, count]) => [class_, count * class_.stride]).sort((one, other) => other[1] - one[1])
		.map(([class_, count]) => make("tr", {}, make("td", {}, class_.name), number((class_.stride > 1 ? "≈ " : "") + withCommas(count))));
}

function waitRows(waits) {
	return waits.map(({ length, track, item }) => goRow([
		make("td", {}, threadText(trace.threads[track.owner])), number(moment(item.start, 1e3)), number(duration(length)),
	], () => goToItem(item)));
}

function showSums(sums, range) {
	const span = range.end - range.begin, { waited } = sums;
	const busy = byNumber(trace.cpus).filter(({ index }) => sums.busy.has(index)).map((cpu) => make("tr", {}, make("td", {}, cpuText(cpu)),
		number(percent(sums.busy.get(cpu.index) / span)), number(duration(sums.busy.get(cpu.index)))));
	const parts = [
		pairs([["from", moment(range.begin, 1)], ["to", moment(range.end, 1)], ["duration", `${duration(span)} (${withCommas(span)} ns)`]]),
		make("p", {}, make("button", { click: () => show(range.begin, range.end) }, "Zoom to it ( f )")),
		section("CPUs", ["CPU", "use", "busy"], busy),
		section("Threads", ["thread", "CPU", "running", "runnable", "blocked"], threadRows(sums, span)),
		section("Longest waits for a CPU", ["thread", "at", "waited"], waitRows(sums.waits)),
		waited.count ? make("p", { class: "faint" }, `${plural(waited.count, "wait")}, ${duration(waited.time / waited.count)} on average`) : null,
		section("System calls", ["call", "calls", "time", "longest"], nameRows(sums.names[KIND.SYSCALL])),
		section("Slices", ["slice", "count", "time", "longest"], nameRows(sums.names[KIND.SLICE])),
		section("Asynchronous slices", ["slice", "count", "time", "longest"], nameRows(sums.names[KIND.ASYNC])),
		section("Interrupts", ["interrupt", "count", "time", "longest"], nameRows(sums.names[KIND.IRQ])),
		section("Events", ["event", "count"], classRows(sums.classes)),
		make("h3", {}, "All events between begin and end"), make("pre", {}, viewCommand(range.begin, range.end)),
	];
	showPanel("Selection", ...parts.filter((part) => part));
	document.documentElement.dataset.statistics = String(computation);
	announce(`Selection of ${duration(span)}`);
}

async function showStatistics() {
	const mine = ++computation, range = { ...selection }, isWanted = () => mine === computation;
	const sums = await computeSums(range, isWanted);
	if (sums)
		showSums(sums, range);
}

function select(begin, end) {
	selection.begin = Math.max(0, Math.min(begin, end));
	selection.end = Math.min(trace.span, Math.max(begin, end));
	selection.isShown = true;
	redraw();
}

function endSelection() {
	selection.isShown = false;
	computation++;
	redraw();
}
