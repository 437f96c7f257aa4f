// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// Lanes: the rows of tracks from top to bottom, in groups that open and close.

const LABELS = 210;		// width of their column
const HEIGHT = { group: 24, run: 17, irq: 7, state: 12, syscall: 10, slice: 14, point: 9, counter: 34, gap: 5, least: 22 };
const ROW_HEIGHT = {
	[KIND.RUN]: HEIGHT.run, [KIND.IRQ]: HEIGHT.irq, [KIND.STATE]: HEIGHT.state, [KIND.SYSCALL]: HEIGHT.syscall,
	[KIND.SLICE]: HEIGHT.slice, [KIND.ASYNC]: HEIGHT.slice, [KIND.POINT]: HEIGHT.point, [KIND.COUNTER]: HEIGHT.counter, [KIND.LOSS]: 3,
};
const THREADS_OPEN_MAX = 40;	// a process with more is closed at first
const POINT_OF_CPU = 0x80000000;	// the row of a track of points whose owner is a CPU

const groups = [];	// { label, note, lanes, isOpen, threads }
let lanes = [];		// those that are shown: with top, height
let lanesHeight = 0;
const laneOfThread = new Map();
const flows = [];	// tracks that are drawn as arrows, not as rows

function isOfCpu(track) {
	return [KIND.RUN, KIND.IRQ, KIND.LOSS].includes(track.kind) || (track.row & POINT_OF_CPU) !== 0;
}

// The points of a CPU are of no thread that is known.
function tracksByOwner() {
	const ofCpu = trace.cpus.map(() => []), rest = [];
	for (const track of trace.tracks) {
		if (isOfCpu(track))
			ofCpu[track.owner].push(track);
		else if (track.kind === KIND.ASYNC || track.kind === KIND.COUNTER)
			rest.push(track);
		else if (track.kind === KIND.FLOW)
			flows.push(track);
		else
			trace.threads[track.owner].tracks.push(track);
	}
	return { ofCpu, rest };
}

// Rows below each other: points above the slices and states of the thread.
const ROW_ORDER = [KIND.LOSS, KIND.RUN, KIND.IRQ, KIND.POINT, KIND.STATE, KIND.SYSCALL, KIND.SLICE, KIND.ASYNC, KIND.COUNTER];

function makeLane(label, note, tracks, more) {
	const lane = { label, note, rows: [], ...more };
	let y = 3;
	tracks.sort((a, b) => ROW_ORDER.indexOf(a.kind) - ROW_ORDER.indexOf(b.kind) || a.row - b.row);
	for (const track of tracks) {
		const height = ROW_HEIGHT[track.kind];
		lane.rows.push({ track, y, height });
		y += height + 1;
	}
	lane.height = Math.max(y + HEIGHT.gap - 1, HEIGHT.least);
	return lane;
}

function threadLane(thread, label, note) {
	return makeLane(label, note, thread.tracks, { thread });
}

function byNumber(cpus) {
	return [...cpus].sort((one, other) => one.host - other.host || one.cpu - other.cpu);
}

function processLabel(process) {
	const host = trace.hosts.length > 1 ? ` @ ${trace.names[trace.hosts[process.host]]}` : "";
	return process.name + host;
}

function processGroup(process) {
	const run = (threads) => threads.reduce((sum, thread) => sum + thread.run, 0);
	const threads = process.threads.filter((thread) => thread.tracks.length).sort((a, b) => b.run - a.run || a.tid - b.tid);
	const more = process.tracks ?? [];
	return {
		label: processLabel(process), note: String(process.pid), run: run(threads), isKernel: process.kernel, threads,
		process, isOpen: threads.length <= THREADS_OPEN_MAX,
		lanes: [...more, ...threads.map((thread) => threadLane(thread, thread.name, String(thread.tid)))],
	};
}

function kernelGroup(processes) {
	const lanesOf = processes.flatMap((group) => group.lanes);
	lanesOf.sort((a, b) => (b.thread?.run ?? 0) - (a.thread?.run ?? 0));
	return {
		label: "Threads of the kernel", note: "", threads: processes.flatMap((group) => group.threads), lanes: lanesOf,
		isOpen: lanesOf.length <= 12,
	};
}

function makeLanes() {
	const { ofCpu, rest } = tracksByOwner();
	for (const track of rest) {
		const process = trace.processes[track.owner];
		const name = trace.names[track.name];
		process.tracks ??= [];
		const last = process.tracks.find((lane) => track.kind === KIND.ASYNC && lane.async);
		if (last)
			process.tracks.splice(process.tracks.indexOf(last), 1,
					      makeLane("asynchronous", "", [...last.rows.map((row) => row.track), track], { async: true }));
		else if (track.kind === KIND.ASYNC)
			process.tracks.push(makeLane("asynchronous", "", [track], { async: true }));
		else
			process.tracks.push(makeLane(name, "counter", [track], {}));
	}
	const cpuLanes = byNumber(trace.cpus).filter(({ index }) => ofCpu[index].length)
		.map((cpu) => makeLane(cpuText(cpu), "", ofCpu[cpu.index], { cpu: cpu.index }));
	if (cpuLanes.length)
		groups.push({ label: "CPUs", note: "", lanes: cpuLanes, isOpen: true, threads: [] });
	const ofProcesses = trace.processes.map(processGroup).filter((group) => group.lanes.length);
	const users = ofProcesses.filter((group) => !group.isKernel).sort((a, b) => b.run - a.run);
	const kernel = ofProcesses.filter((group) => group.isKernel);
	groups.push(...users);
	if (kernel.length)
		groups.push(kernelGroup(kernel));
	placeLanes();
}

// A process of one thread needs no head.
function isSingle(group) {
	return group.process && group.lanes.length === 1 && group.lanes[0].thread;
}

function placeLanes() {
	let top = 0;
	const place = (lane, group) => {
		lane.top = top;
		lane.group = group;
		top += lane.height;
		lanes.push(lane);
	};
	lanes = [];
	laneOfThread.clear();
	for (const group of groups) {
		if (!isSingle(group)) {
			group.head ??= { head: true, label: group.label, note: group.note, rows: [], height: HEIGHT.group };
			place(group.head, group);
		}
		for (const lane of group.lanes) {
			if (group.isOpen || isSingle(group))
				place(lane, group);
			if (lane.thread)
				laneOfThread.set(lane.thread.index, group.isOpen || isSingle(group) ? lane : group.head);
		}
	}
	lanesHeight = top;
}

function laneAt(y) {
	let low = 0, high = lanes.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (lanes[middle].top + lanes[middle].height <= y)
			low = middle + 1;
		else
			high = middle;
	}
	return lanes[low];
}

function openGroup(group, isOpen) {
	group.isOpen = isOpen;
	placeLanes();
}

function laneText(lane) {
	if (lane.head)
		return `${lane.label} ${lane.note}, ${plural(lane.group.lanes.length, "lane")}, ${lane.group.isOpen ? "open" : "closed"}`;
	return lane.thread ? `thread ${lane.label} ${lane.note}` : `${lane.label} ${lane.note}`;
}

// The lane that has a track, which may be in a closed group.
function laneOfTrack(track) {
	for (const group of groups)
		for (const lane of group.lanes)
			if (lane.rows.some((row) => row.track === track))
				return { group, lane };
	return {};
}
