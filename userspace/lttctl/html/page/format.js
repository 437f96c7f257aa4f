// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// Numbers, times and names as text, and the colours of the theme.

const LOSS_KINDS = ["", "events", "packets", "bytes that cannot be read", "file that is cut"];
const STATE_NAMES = ["running", "runnable", "blocked", "sleeping", "not known"];

function withCommas(number) {
	return Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

function plural(number, word) {
	return `${withCommas(number)} ${word}${number === 1 ? "" : "s"}`;
}

// Three or four digits that count.
function duration(ns) {
	for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
		if (Math.abs(ns) >= size) {
			const value = ns / size;
			return `${value.toFixed(value >= 100 ? 1 : value >= 10 ? 2 : 3)} ${unit}`;
		}
	return `${Math.round(ns)} ns`;
}

// Seconds since the begin, with as many digits as a step needs.
function moment(ns, step = 1) {
	const digits = Math.max(0, Math.min(9, 9 - Math.floor(Math.log10(Math.max(step, 1)))));
	return `${(ns / 1e9).toFixed(digits)} s`;
}

function absolute(ns) {
	const time = trace.begin + BigInt(Math.round(ns));
	const date = new Date(Number(time / 1000000n));
	const two = (number) => String(number).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:` +
		`${two(date.getMinutes())}:${two(date.getSeconds())}.${String(time % 1000000000n).padStart(9, "0")}`;
}

// As options of lttctl view take it.
function seconds(ns) {
	const time = trace.begin + BigInt(Math.round(ns));
	return `${time / 1000000000n}.${String(time % 1000000000n).padStart(9, "0")}`;
}

function percent(share) {
	return `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

function quantity(value) {
	const size = Math.abs(value);
	for (const [unit, scale] of [["G", 1e9], ["M", 1e6], ["k", 1e3]])
		if (size >= scale * 10)
			return `${(value / scale).toFixed(1)} ${unit}`;
	return Number.isInteger(value) ? withCommas(value) : value.toPrecision(4);
}

function fieldText({ type, base, labels }, value) {
	if (Array.isArray(value)) {
		const more = value.length_ - value.length;
		const texts = value.map((element) => fieldText({ type: type[1], base, labels }, element));
		return `[${texts.join(", ")}${more ? `, … ${more} more` : ""}]`;
	}
	if (type === "t" || type === "f")
		return String(value);
	const label = labels.length && labels.find(({ first, last }) => BigInt(value) >= first && BigInt(value) <= last);
	let text = String(value);
	if (base === 16 && value >= 0)
		text = "0x" + value.toString(16);
	else if (base === 8 && value >= 0)
		text = "0" + value.toString(8);
	return label ? `${label.label} (${text})` : text;
}

const ERRORS = ["", "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC", "EBADF", "ECHILD", "EAGAIN", "ENOMEM",
	"EACCES", "EFAULT", "ENOTBLK", "EBUSY", "EEXIST", "EXDEV", "ENODEV", "ENOTDIR", "EISDIR", "EINVAL", "ENFILE", "EMFILE", "ENOTTY",
	"ETXTBSY", "EFBIG", "ENOSPC", "ESPIPE", "EROFS", "EMLINK", "EPIPE"];

function resultText(result) {
	const name = result < 0 ? { 110: "ETIMEDOUT", 111: "ECONNREFUSED", 115: "EINPROGRESS", 512: "ERESTARTSYS", 514: "ERESTARTNOHAND",
		516: "ERESTART_RESTARTBLOCK" }[-result] ?? ERRORS[-result] : undefined;
	return name ? `${result} (${name})` : result > 0xffffffff ? "0x" + result.toString(16) : String(result);
}

function threadText(thread) {
	return thread ? `${thread.name} ${thread.tid}` : "a thread that is not known";
}

function cpuText(cpu) {
	return trace.hosts.length > 1 ? `CPU ${cpu.cpu}, ${trace.names[trace.hosts[cpu.host]]}` : `CPU ${cpu.cpu}`;
}

// The text of an item's value.
function valueText(item) {
	switch (item.track.kind) {
	case KIND.RUN: return threadText(trace.threads[item.value]);
	case KIND.STATE: return STATE_NAMES[item.value];
	case KIND.POINT: return trace.classes[item.value].name;
	case KIND.COUNTER: return quantity(item.a);
	case KIND.LOSS: return "events lost";
	default: return trace.names[item.value];
	}
}

/* ---- Colours ---- */

// By Okabe and Ito: they differ for eyes that see no red or green, too.
const theme = {};
const HUES = [
	[0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0],
	[127, 107, 201], [148, 159, 62], [66, 150, 168], [183, 104, 104], [104, 143, 83], [170, 136, 92],
];

const pack = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;
const css = ([r, g, b]) => `rgb(${r},${g},${b})`;
const mix = (a, b, share) => a.map((part, i) => Math.round(part * share + b[i] * (1 - share)));

function readTheme() {
	const style = getComputedStyle(document.documentElement);
	const colour = (name) => {
		const hex = style.getPropertyValue(`--${name}`).trim();
		return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
	};
	for (const name of ["ground", "band", "text", "faint", "line", "accent", "running", "runnable", "blocked", "sleeping", "syscall",
		"irq", "softirq", "loss", "counter"]) {
		theme[name] = colour(name);
		theme[name + "32"] = pack(theme[name]);
	}
	theme.hues = HUES.map((hue) => mix(hue, theme.ground, 0.85));
	theme.hues32 = theme.hues.map(pack);
	theme.states32 = [theme.running32, theme.runnable32, theme.blocked32, theme.sleeping32];
}

function hue(number) {
	return (Math.imul(number + 1, 0x9e3779b1) >>> 8) % HUES.length;
}

// The colour of the value of a track's item, packed.
function colourOf(kind, value) {
	switch (kind) {
	case KIND.SYSCALL: return theme.syscall32;
	case KIND.IRQ: return trace.names[value].startsWith("irq") ? theme.irq32 : theme.softirq32;
	case KIND.LOSS: return theme.loss32;
	case KIND.RUN: return theme.hues32[hue(trace.threads[value].tid)];
	default: return theme.hues32[hue(value)];
	}
}
