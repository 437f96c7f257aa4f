// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// Search: threads and processes by name and number; system calls, slices, interrupts and events by name; events by their fields.

const MATCHES_MAX = 2000;
const MATCHES_LISTED = 200;
let matches = [];	// { text, note, start, go }
let matchAt = -1;
let searching = 0;

function matchingThreads(query) {
	return trace.threads.filter((thread) => thread.tracks.length &&
			(`${thread.name} ${thread.tid}`.toLowerCase().includes(query) || thread.process.name.toLowerCase().includes(query)))
		.sort((one, other) => other.run - one.run)
		.map((thread) => ({ text: threadText(thread), note: "thread", start: -1, go: () => goToThread(thread) }));
}

function matchingCounters(query) {
	return trace.tracks.filter((track) => track.kind === KIND.COUNTER && trace.names[track.name].toLowerCase().includes(query))
		.map((track) => ({ text: trace.names[track.name], note: "counter", start: -1, go: () => goToLane(laneOfTrack(track)) }));
}

// The values of tracks that match, by the kind of the track.
function matchingValues(query) {
	const names = new Set(), classes = new Set();
	trace.names.forEach((name, i) => name.toLowerCase().includes(query) && names.add(i));
	trace.classes.forEach((class_, i) => class_?.name.toLowerCase().includes(query) && classes.add(i));
	return { [KIND.SYSCALL]: names, [KIND.SLICE]: names, [KIND.ASYNC]: names, [KIND.IRQ]: names, [KIND.POINT]: classes };
}

function collectItems(track, wanted, found) {
	visitItems(track.finest, 0, trace.span, (items, from, to) => {
		for (let i = from; i < to; i++)
			if (wanted.has(items.value[i])) {
				const item = itemAt(track, items, i);
				found.push({ text: valueText(item), note: itemNote(item), start: item.start, go: () => goToItem(item) });
				if (found.length >= MATCHES_MAX)
					return false;
			}
		return true;
	});
}

function itemNote(item) {
	return item.end > item.start ? duration(item.end - item.start) : "event";
}

function collectEvents(chunk, query, found) {
	for (const event of chunk.get()) {
		const index = event.fields.findIndex((value, i) => event.class.fields[i].type === "t" && value.toLowerCase().includes(query));
		if (index >= 0 && found.length < MATCHES_MAX)
			found.push({
				text: `${event.class.name}: ${event.class.fields[index].name} = ${event.fields[index]}`, note: "field", start: event.start,
				go: () => goToEvent(event),
			});
	}
}

async function search(query) {
	const mine = ++searching, wanted = matchingValues(query), found = [], first = [...matchingThreads(query), ...matchingCounters(query)];
	const steps = [
		...trace.tracks.filter((track) => wanted[track.kind]?.size).map((track) => () => collectItems(track, wanted[track.kind], found)),
		...trace.eventChunks.map((chunk) => () => collectEvents(chunk, query, found)),
	];
	let since = performance.now();
	for (const step of steps) {
		step();
		if (found.length >= MATCHES_MAX)
			break;
		if (performance.now() - since > PIECE_MS) {
			await pause();
			if (mine !== searching)
				return;
			since = performance.now();
		}
	}
	found.sort((one, other) => one.start - other.start);
	showMatches(query, [...first, ...found]);
}

function showMatches(query, list) {
	matches = list;
	matchAt = -1;
	document.documentElement.dataset.searched = query;
	const count = matches.length >= MATCHES_MAX ? `${withCommas(MATCHES_MAX)} or more` : withCommas(matches.length);
	$("matches").textContent = matches.length ? `${count} found` : "not found";
	if (!matches.length)
		return;
	const rows = matches.slice(0, MATCHES_LISTED).map((match, i) => goRow([
		make("td", {}, match.text), number(match.note), number(match.start < 0 ? "" : moment(match.start, 1e3)),
	], () => goToMatch(i)));
	const more = matches.length > MATCHES_LISTED ? make("p", { class: "faint" }, `The first ${MATCHES_LISTED}; n and N lead through all.`) : null;
	showPanel(`Search: ${query}`, ...[make("table", { id: "match-table" }, heads("found", "", "at"), make("tbody", {}, ...rows)), more].filter((part) => part));
}

function startSearch() {
	const query = $("query").value.trim().toLowerCase();
	if (query)
		search(query);
}

function endSearch() {
	searching++;
	matches = [];
	matchAt = -1;
	$("matches").textContent = "";
}

function goToMatch(index) {
	if (!matches.length)
		return;
	matchAt = (index + matches.length) % matches.length;
	$("matches").textContent = `${withCommas(matchAt + 1)} of ${withCommas(matches.length)}`;
	matches[matchAt].go();
}

/* ---- Going somewhere ---- */

function goToLane({ group, lane }) {
	if (!lane)
		return;
	if (!group.isOpen)
		openGroup(group, true);
	$("spacer").style.height = `${lanesHeight + 30}px`;
	const scroller = $("scroller");
	if (lane.top < scroller.scrollTop || lane.top + lane.height > scroller.scrollTop + scroller.clientHeight)
		scroller.scrollTop = Math.max(0, lane.top - scroller.clientHeight / 3);
	focused = lane;
	announce(laneText(lane));
	redraw();
}

function goToThread(thread) {
	if (thread.tracks.length)
		goToLane(laneOfTrack(thread.tracks[0]));
}

function goToItem(item) {
	const place = laneOfTrack(item.track), length = item.end - item.start;
	goToLane(place);
	if (item.start < view.begin || item.end > view.end || length < perCssPixel() * 4 || length > (view.end - view.begin) * 0.9) {
		const span = Math.min(trace.span, Math.max(length * 12, 2000));
		show(item.start + length / 2 - span / 2, item.start + length / 2 + span / 2);
	}
	choose(item, place.lane);
}

function goToEvent(event) {
	const span = Math.min(view.end - view.begin, 1e6), thread = trace.threads[event.thread];
	if (thread)
		goToThread(thread);
	show(event.start - span / 2, event.start + span / 2);
	showPanel(event.class.name, eventTable(event), make("h3", {}, "All events between begin and end"), make("pre", {}, viewCommand(event.start, event.start)));
}
