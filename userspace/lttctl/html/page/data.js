"use strict";
// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// The data of the page: blobs of base64 in script elements, decoded when they are needed.  doc/html.md has the format.

const KIND = { RUN: 0, IRQ: 1, STATE: 2, SYSCALL: 3, SLICE: 4, ASYNC: 5, POINT: 6, COUNTER: 7, LOSS: 8, FLOW: 9 };
const STATE = { RUNNING: 0, RUNNABLE: 1, BLOCKED: 2, SLEEPING: 3, UNKNOWN: 4 };	// sleep is between items
const CHUNKS_DECODED_MAX = 1500;	// of 2048 items and 60 KiB each, the oldest are dropped

function bytesOfBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

// The text of the element is dropped: it is not needed again.
function takeElement(id) {
	const element = document.getElementById(id);
	const bytes = bytesOfBase64(element.textContent);
	element.remove();
	return bytes;
}

const blobs = [];

function blob(number) {
	if (!blobs[number])
		blobs[number] = takeElement(`blob-${number}`);
	return blobs[number];
}

class Reader {
	constructor(bytes, at) {
		this.bytes = bytes;
		this.at = at;
	}

	number() {
		const bytes = this.bytes;
		let byte = bytes[this.at++];
		if (byte < 128)
			return byte;
		let sum = byte & 127, scale = 128;
		do {
			byte = bytes[this.at++];
			sum += (byte & 127) * scale;
			scale *= 128;
		} while (byte > 127);
		return sum;
	}

	// A BigInt where a number has more than 53 bits.
	exact() {
		const at = this.at, number = this.number();
		if (number <= Number.MAX_SAFE_INTEGER)
			return number;
		let sum = 0n;
		for (let i = this.at - 1; i >= at; i--)
			sum = sum << 7n | BigInt(this.bytes[i] & 127);
		return sum;
	}

	signed() {
		const number = this.exact();
		if (typeof number === "bigint")
			return number & 1n ? -(number >> 1n) - 1n : number >> 1n;
		return number % 2 ? -(number + 1) / 2 : number / 2;
	}

	float(size) {
		const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, size);
		this.at += size;
		return size === 4 ? view.getFloat32(0, littleEndian) : view.getFloat64(0, littleEndian);
	}

	text() {
		const size = this.number();
		this.at += size;
		return printable(this.bytes.subarray(this.at - size, this.at));
	}
}

// lttctl writes numbers with a point as its machine has them; all machines of today that run it are little-endian.
const littleEndian = true;

// Control characters, and bytes that are not UTF-8, are shown by their numbers.
function printable(bytes) {
	const hex = (number) => "\\x" + number.toString(16).padStart(2, "0");
	let text;
	try {
		text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return Array.from(bytes, (byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : hex(byte)).join("");
	}
	return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => c < "\u0100" ? hex(c.charCodeAt(0)) :
			    `\\u{${c.codePointAt(0).toString(16)}}`);
}

/* ---- Tracks ---- */

const decodedChunks = [];	// the oldest first

class Chunk {
	constructor(track, unit, start, blobNumber, offset, count) {
		Object.assign(this, { track, unit, start, blobNumber, offset, count, items: null });
	}

	// Arrays of the times, values, counts, and what else the kind of the track has, in a, b and c.
	get() {
		if (!this.items) {
			this.items = decodeItems(this);
			decodedChunks.push(this);
			if (decodedChunks.length > CHUNKS_DECODED_MAX)
				decodedChunks.shift().items = null;
		}
		return this.items;
	}
}

function decodeItems(chunk) {
	const { count, unit } = chunk, kind = chunk.track.kind;
	const reader = new Reader(blob(chunk.blobNumber), chunk.offset);
	const items = {
		start: new Float64Array(count), end: new Float64Array(count), value: new Uint32Array(count),
		count: new Uint32Array(count), a: new Float64Array(count), b: null, c: null, unit,
	};
	if (kind === KIND.STATE || kind === KIND.COUNTER) {
		items.b = new Float64Array(count);
		items.c = new Float64Array(count);
	}
	let at = chunk.start / unit;
	for (let i = 0; i < count; i++) {
		at += reader.number();
		const length = reader.number();
		const ticks = Math.floor(length / 2);
		items.start[i] = at * unit;
		at += ticks;
		items.end[i] = at * unit;
		if (length % 2) {
			items.count[i] = reader.number();
			decodeBlock(reader, items, i, kind, unit);
		} else {
			items.count[i] = 1;
			decodeExact(reader, items, i, kind);
		}
	}
	return items;
}

function decodeBlock(reader, items, i, kind, unit) {
	if (kind === KIND.COUNTER) {
		items.a[i] = reader.float(4);
		items.b[i] = reader.float(4);
		items.c[i] = reader.float(4);
	} else if (kind === KIND.STATE) {
		items.a[i] = reader.number() * unit;
		items.b[i] = reader.number() * unit;
		items.c[i] = reader.number() * unit;
	} else {
		items.value[i] = reader.number();
		if (kind !== KIND.POINT)
			items.a[i] = reader.number() * unit;
	}
}

function decodeExact(reader, items, i, kind) {
	if (kind === KIND.COUNTER) {
		items.a[i] = items.b[i] = items.c[i] = reader.float(8);
		return;
	}
	items.value[i] = reader.number();
	if (kind === KIND.STATE || kind === KIND.SYSCALL || kind === KIND.LOSS || kind === KIND.FLOW)
		items.a[i] = Number(reader.signed());
}

class Track {
	constructor([kind, owner, row, name, own, levels], resolutions) {
		Object.assign(this, { kind, owner, row, name, resolution: own });
		this.levels = levels.map(([level, count, directory]) => {
			const [resolution, unit] = resolutions[level], chunks = [];
			for (let i = 0; i < directory.length; i += 4)
				chunks.push(new Chunk(this, unit, ...directory.slice(i, i + 4)));
			return { resolution, unit, count, chunks };
		});
	}

	get finest() {
		return this.levels[this.levels.length - 1];
	}

	// From the begin of the first item to the end of the last.
	get extent() {
		const chunks = this.levels[0].chunks, { end } = chunks[chunks.length - 1].get();
		this.extent_ ??= { begin: this.finest.chunks[0].start, end: end[end.length - 1] };
		return this.extent_;
	}

	// The coarsest level whose blocks are not much longer than @resolution.
	level(resolution) {
		return this.levels.find((level) => level.resolution <= resolution * 1.25) ?? this.finest;
	}
}

// Call visit(items, from, to) for the items of a level that touch a range of time, in runs.  Return: false when a visit did.
function visitItems(level, begin, end, visit) {
	const chunks = level.chunks;
	let low = 0, high = chunks.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (chunks[middle].start <= begin)
			low = middle + 1;
		else
			high = middle;
	}
	for (let i = Math.max(0, low - 1); i < chunks.length && chunks[i].start <= end; i++) {
		const items = chunks[i].get();
		const from = firstAfter(items.end, begin, false), to = firstAfter(items.start, end, true);
		if (from < to && visit(items, from, to) === false)
			return false;
	}
	return true;
}

// The index of the first time that is not before @time; or, with @beyond, that is after it.
function firstAfter(times, time, beyond) {
	let low = 0, high = times.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (times[middle] < time || (beyond && times[middle] === time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// One item as an object; its arrays may be dropped later.
function itemAt(track, items, i) {
	return {
		track, start: items.start[i], end: items.end[i], value: items.value[i], count: items.count[i],
		a: items.a[i], b: items.b ? items.b[i] : 0, c: items.c ? items.c[i] : 0, unit: items.unit,
	};
}

// The same item with its exact times: those of a coarse level are cut to units.
function exactItem(item) {
	let best = null;
	if (item.count > 1 || !(item.unit > 1))
		return item;
	visitItems(item.track.finest, item.start - item.unit, item.start + item.unit, (items, from, to) => {
		for (let i = from; i < to; i++)
			if (items.count[i] === 1 && items.value[i] === item.value && Math.abs(items.end[i] - item.end) <= item.unit &&
			    Math.abs(items.start[i] - item.start) <= item.unit)
				best ??= itemAt(item.track, items, i);
	});
	return best ?? item;
}

// The sleep between two items of a thread's states.
function sleepAround(track, time) {
	const level = track.finest;
	if (time <= track.extent.begin || time >= track.extent.end)
		return null;
	let index = level.chunks.length - 1;
	while (index > 0 && level.chunks[index].start > time)
		index--;
	const { start, end } = level.chunks[index].get(), next = firstAfter(start, time, true);
	return {
		track, start: next ? end[next - 1] : track.extent.begin, end: next < start.length ? start[next] : level.chunks[index + 1]?.start ?? track.extent.end,
		value: STATE.SLEEPING, count: 1, a: 0, b: 0, c: 0,
	};
}

/* ---- Events ---- */

class EventChunk {
	constructor(start, blobNumber, offset, count) {
		Object.assign(this, { start, blobNumber, offset, count });
	}

	get() {
		const reader = new Reader(blob(this.blobNumber), this.offset), events = [];
		let start = this.start;
		for (let i = 0; i < this.count; i++) {
			start += reader.number();
			const class_ = trace.classes[reader.number()], cpu = reader.number(), thread = reader.number() - 1;
			events.push({ start, class: class_, cpu, thread, fields: class_.fields.map((field) => readField(reader, field)) });
		}
		return events;
	}
}

function readField(reader, { type }) {
	const scalar = { u: () => reader.exact(), s: () => reader.signed(), f: () => reader.float(8) };
	if (type === "t")
		return reader.text();
	if (type[0] !== "l")
		return scalar[type]();
	const length = reader.number(), list = [];
	for (let left = reader.number(); left; left--)
		list.push(scalar[type[1]]());
	list.length_ = length;
	return list;
}

// Call visit(event) for the events in a range of time, until it returns false.
function visitEvents(begin, end, visit) {
	const chunks = trace.eventChunks;
	let low = 0, high = chunks.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (chunks[middle].start < begin)
			low = middle + 1;
		else
			high = middle;
	}
	for (let i = Math.max(0, low - 1); i < chunks.length && chunks[i].start <= end; i++)
		for (const event of chunks[i].get())
			if (event.start >= begin && event.start <= end && visit(event) === false)
				return;
}

/* ---- The description ---- */

let trace;

function readDescription() {
	const json = JSON.parse(new TextDecoder().decode(takeElement("description")));
	trace = {
		...json,
		begin: BigInt(json.begin),
		cpus: json.cpus.map(([cpu, host], index) => ({ index, cpu, host })),
		processes: json.processes.map(([pid, name, kernel, host]) => ({ pid, name: json.names[name], kernel: !!kernel, host, threads: [] })),
		classes: json.classes.map((entry) => entry && {
			name: entry[0], count: entry[1], stride: entry[2],
			fields: entry[3].map(([name, type, base, labels]) => ({
				name, type, base,
				labels: labels.map(([first, last, label]) => ({ first: BigInt(first), last: BigInt(last), label })),
			})),
		}),
		eventChunks: [],
	};
	trace.classes.forEach((class_, index) => class_ && (class_.index = index));
	trace.threads = json.threads.map(([tid, process, name, run], index) => {
		const thread = { index, tid, process: trace.processes[process], name: json.names[name], run, tracks: [] };
		thread.process.threads.push(thread);
		return thread;
	});
	trace.tracks = json.tracks.map((entry) => new Track(entry, json.levels));
	for (let i = 0; i < json.events.length; i += 4)
		trace.eventChunks.push(new EventChunk(...json.events.slice(i, i + 4)));
	trace.losses = json.losses.map(([kind, start, length, count, cpu, why, part, stream]) =>
		({ kind, start, length, count, cpu, why: why < 0 ? "" : json.names[why], part, stream }));
}
