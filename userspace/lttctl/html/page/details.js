// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// The panel beside the lanes: details of an item, statistics, losses, keys.  Texts of the recording are only ever text nodes.

const EVENTS_SHOWN_MAX = 40;

// make("td", { class: "number" }, "text", node, ...)
function make(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes))
		if (typeof value === "function")
			element.addEventListener(name, value);
		else
			element.setAttribute(name, value);
	element.append(...children.filter((child) => child !== null && child !== undefined));
	return element;
}

function showPanel(title, ...children) {
	const was = $("panel").hidden;
	$("panel").hidden = false;
	$("panel-title").textContent = title;
	$("panel-body").replaceChildren(...children);
	$("panel-body").scrollTop = 0;
	if (was)
		redraw();
}

function hidePanel() {
	$("panel").hidden = true;
	chosen = null;
	redraw();
}

function announce(text) {
	$("live").textContent = text;
}

function pairs(rows) {
	return make("table", {}, make("tbody", {}, ...rows.filter((row) => row).map(([name, value]) =>
		make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value)))));
}

// Rows that lead somewhere do so by click and by Enter.
function goRow(cells, go) {
	return make("tr", {
		class: "go", tabindex: "0", click: go,
		keydown: (event) => { if (event.key === "Enter") { event.stopPropagation(); go(); } },
	}, ...cells);
}

function number(text) {
	return make("td", { class: "number" }, text);
}

function heads(...names) {
	return make("thead", {}, make("tr", {}, ...names.map((name, i) => make("th", { scope: "col", ...(i ? { class: "number" } : {}) }, name))));
}

/* ---- An item ---- */

function choose(item, lane) {
	item = exactItem(item);
	chosen = { item, lane };
	focused = lane;
	describeItem(item, lane);
	announce(`${itemTitle(item)}, ${laneText(lane)}, at ${moment(item.start, 1)}` +
		 (item.end > item.start ? `, ${duration(item.end - item.start)}` : ""));
	redraw();
}

function itemTitle(item) {
	if (item.count > 1)
		return `${withCommas(item.count)} ${{ [KIND.POINT]: "events", [KIND.COUNTER]: "values" }[item.track.kind] ?? "intervals"}`;
	if (item.track.kind === KIND.COUNTER)
		return `${trace.names[item.track.name]} = ${quantity(item.a)}`;
	return valueText(item);
}

function itemRows(item) {
	const length = item.end - item.start;
	const rows = [["begin", moment(item.start, 1)], ["date", absolute(item.start)]];
	if (length > 0)
		rows.push(["duration", `${duration(length)} (${withCommas(length)} ns)`]);
	return [...rows, ...(item.count > 1 ? blockRows(item, length) : exactRows(item))];
}

function exactRows(item) {
	const cpu = (index) => trace.cpus[index] ? cpuText(trace.cpus[index]) : "not known";
	switch (item.track.kind) {
	case KIND.STATE:
		if (item.value === STATE.RUNNING)
			return [["on", cpu(item.a)]];
		return item.value === STATE.RUNNABLE ? [["woken by", item.a ? threadText(trace.threads[item.a - 1]) : "an interrupt, or preempted"]] : [];
	case KIND.SYSCALL:
		return [["result", resultText(item.a)]];
	case KIND.RUN:
		return [["process", processLabel(trace.threads[item.value].process)], ["on", cpu(item.track.owner)]];
	case KIND.LOSS:
		return [["missing", item.a ? withCommas(item.a) : "not known"]];
	default:
		return [];
	}
}

function blockRows(item, length) {
	const share = (time) => `${duration(time)} (${percent(time / length)})`;
	switch (item.track.kind) {
	case KIND.STATE:
		return [["running", share(item.a)], ["runnable", share(item.b)], ["blocked", share(item.c)],
			["sleeping", share(Math.max(0, length - item.a - item.b - item.c))]];
	case KIND.COUNTER:
		return [["least", quantity(item.a)], ["greatest", quantity(item.b)], ["last", quantity(item.c)]];
	case KIND.POINT:
		return [["mostly", valueText(item)]];
	default:
		return [["covered", share(item.a)], ["mostly", valueText(item)]];
	}
}

function shellQuoted(text) {
	return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function viewCommand(begin, end) {
	return `lttctl view --from ${seconds(begin)} --to ${seconds(end)} ${trace.paths.map(shellQuoted).join(" ")}`;
}

// The events of an item: within it for blocks and points, else those at both of its ends.
function eventsOf(item, lane) {
	const events = [], point = item.track.kind === KIND.POINT, cpu = lane.cpu !== undefined ? trace.cpus[lane.cpu].cpu : null;
	const mine = (event) => cpu !== null ? event.cpu === cpu : lane.thread ? event.thread === lane.thread.index || item.track.kind === KIND.STATE : true;
	const add = (event) => {
		if (mine(event) && (!point || item.count > 1 || event.class.index === item.value))
			events.push(event);
		return events.length <= EVENTS_SHOWN_MAX;
	};
	if (item.count > 1 || point) {
		visitEvents(item.start, item.end, add);
	} else {
		visitEvents(item.start, item.start, add);
		if (item.end > item.start)
			visitEvents(item.end, item.end, add);
	}
	return events;
}

function eventTable(event) {
	return make("section", {},
		make("h3", {}, event.class.name, " ", make("span", { class: "faint" },
			`${moment(event.start, 1)} · CPU ${event.cpu} · ${threadText(trace.threads[event.thread])}`)),
		pairs(event.class.fields.map((field, i) => [field.name, fieldText(field, event.fields[i])])));
}

function describeItem(item, lane) {
	const events = eventsOf(item, lane), shown = events.slice(0, EVENTS_SHOWN_MAX), class_ = item.track.kind === KIND.POINT && trace.classes[item.value];
	const parts = [
		make("p", { class: "faint" }, laneText(lane)),
		pairs(itemRows(item)),
		make("p", {}, make("button", { click: () => zoomTo(item.start, item.end) }, "Zoom to it ( f )")),
		...shown.map(eventTable),
	];
	if (events.length > shown.length)
		parts.push(make("p", { class: "faint" }, `More events than these ${EVENTS_SHOWN_MAX}.`));
	if (!events.length && class_ && class_.stride > 1)
		parts.push(make("p", { class: "faint" },
			`The page has the fields of one in ${withCommas(class_.stride)} events ${class_.name}. The recording has all:`));
	parts.push(make("h3", {}, "All events between begin and end"), make("pre", {}, viewCommand(item.start, item.end)));
	showPanel(itemTitle(item), ...parts);
}

/* ---- Tables ---- */

function zoomTo(begin, end) {
	const margin = Math.max((end - begin) * 0.3, SPAN_LEAST, 1000);
	show(begin - margin, end + margin);
}

function lossRow(loss) {
	return goRow([
		make("td", {}, `${loss.part}/${loss.stream}`, make("div", { class: "faint" }, loss.why || LOSS_KINDS[loss.kind])),
		number(loss.kind === 4 ? "" : withCommas(loss.count)), number(moment(loss.start, 1e6)), number(duration(loss.length)),
	], () => zoomTo(loss.start, loss.start + loss.length));
}

function showLosses() {
	const [, events, packets, bytes, cuts] = trace.lost;
	if (!trace.losses.length) {
		showPanel("Losses", make("p", {}, "Nothing is missing: each event that was to be recorded is in the recording."));
		announce("No losses");
		return;
	}
	const sums = pairs([["events", withCommas(events)], ["packets", withCommas(packets)], ["bytes that cannot be read", withCommas(bytes)],
			    cuts ? ["files that are cut", withCommas(cuts)] : null]);
	const table = make("table", { id: "loss-table" }, heads("stream", "missing", "from", "for"), make("tbody", {}, ...trace.losses.map(lossRow)));
	const more = trace.moreLosses ? make("p", { class: "faint" }, `And ${withCommas(trace.moreLosses)} more, which are in the sums.`) : null;
	showPanel("Losses", ...[sums, make("h3", {}, "By stream and time"), table, more].filter((part) => part));
	announce(`${plural(trace.losses.length, "loss")}`);
}

const KEYS = [
	["← →, a d", "pan"], ["+ −, w s", "zoom in, out"], ["0, Home", "show all"], ["↑ ↓", "previous, next lane"],
	["Enter, Space", "open or close a group; details of the item in the middle"], [", .", "previous, next item of the lane"],
	["f", "zoom to the item or selection"], ["[ ]", "select from, to the middle of the window"], ["Esc", "close the panel, end the selection"],
	["/", "search"], ["n N", "next, previous match"], ["l", "table of losses"], ["t", "dark or light"], ["?", "this list"],
];

function mergedText() {
	const merged = trace.tracks.filter(({ resolution }) => resolution), most = Math.max(...merged.map(({ resolution }) => resolution));
	return merged.length ? `The recording has more than fits in a page: in ${merged.length} of ${trace.tracks.length} rows, intervals shorter than ` +
		`up to ${duration(most)} are merged.` : "The page has all intervals of the recording.";
}

function showHelp() {
	showPanel("Keys", make("table", {}, make("tbody", {}, ...KEYS.map(([keys, text]) =>
		make("tr", {}, make("th", { scope: "row" }, ...keys.split(", ").flatMap((key, i) => [i ? " " : "", make("kbd", {}, key)])), make("td", {}, text))))),
	make("h3", {}, "Pointer"), pairs([["drag", "pan"], ["Shift + drag, drag the axis", "select a time: statistics"], ["wheel", "scroll the lanes"],
		["Ctrl + wheel", "zoom"], ["Shift + wheel", "pan"], ["click", "details"], ["double click", "zoom to an item"]]),
	make("h3", {}, "Bars and columns"), make("p", {}, "Bars of full height are single intervals. Where they are shorter than a pixel, the height of a column " +
		"is their share of the time. " + mergedText()));
}
