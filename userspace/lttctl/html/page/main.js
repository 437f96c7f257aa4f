// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// Start: read the description, make the lanes, draw.

function switchTheme(wanted = isDark() ? "light" : "dark") {
	document.documentElement.dataset.theme = wanted;
	applyTheme();
	announce(`${wanted} colours`);
}

function applyTheme() {
	readTheme();
	const legend = [["running", "running"], ["runnable", "runnable"], ["blocked", "blocked"], ["sleeping", "sleeping"],
		["syscall", "system call"], ["irq", "interrupt"], ["softirq", "softirq"], ["loss", "events lost"]];
	$("legend").replaceChildren(...legend.map(([name, text]) => {
		const swatch = make("i");
		swatch.style.background = css(theme[name]);
		return make("span", {}, swatch, text);
	}));
	redraw();
}

function showFacts() {
	const [, events, packets] = trace.lost, hosts = trace.hosts.map((name) => trace.names[name]).filter((name) => name);
	const paths = trace.paths.map((path) => path.replace(/\/+$/, "").split("/").pop() || path).join(", ");
	document.title = `${paths} – LTT`;
	$("title").textContent = paths;
	$("facts").textContent = [hosts.join(", "), absolute(0).slice(0, 19), duration(trace.span), `${withCommas(trace.records)} events`]
		.filter((fact) => fact).join(" · ");
	if (trace.losses.length) {
		$("losses").textContent = events ? `${withCommas(events)} events lost` : packets ? `${withCommas(packets)} packets lost` : "Losses";
		$("losses").className = "alarm";
	}
}

// Blobs are decoded before they are needed, while there is nothing else to do.
function decodeAhead() {
	const next = blobs.length && Array.from(blobs).findIndex((bytes) => !bytes);
	const number = next < 0 ? blobs.length : next;
	if (!document.getElementById(`blob-${number}`))
		return;
	blob(number);
	later(decodeAhead);
}

function later(action) {
	if (window.requestIdleCallback)
		requestIdleCallback(action);
	else
		setTimeout(action, 30);
}

function start() {
	readDescription();
	for (const track of trace.tracks)
		if (track.kind === KIND.IRQ)
			(trace.cpus[track.owner].irqs ??= []).push(track);
	makeLanes();
	view.end = trace.span;
	showFacts();
	applyTheme();
	listen();
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
	$("scroller").focus({ preventScroll: true });
	draw();
	document.documentElement.dataset.state = "ready";
	document.documentElement.dataset.opened = performance.now().toFixed(0);
	later(decodeAhead);
}

start();
