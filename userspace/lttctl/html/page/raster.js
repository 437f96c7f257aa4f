// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// Tracks as pixels.  Rectangles go into an array of pixels, which costs the same on any machine, and then to the canvas at once.

class Raster {
	constructor() {
		this.width = this.height = 0;
	}

	resize(width, height) {
		if (this.width === width && this.height === height)
			return;
		this.width = width;
		this.height = height;
		this.image = new ImageData(Math.max(1, width), Math.max(1, height));
		this.pixels = new Uint32Array(this.image.data.buffer);
	}

	fill(x0, y0, x1, y1, colour) {
		x0 = Math.max(0, x0);
		y0 = Math.max(0, y0);
		x1 = Math.min(this.width, x1);
		y1 = Math.min(this.height, y1);
		if (x1 <= x0)
			return;
		for (let y = y0, at = y0 * this.width; y < y1; y++, at += this.width) {
			if (x1 - x0 < 8)
				for (let x = x0; x < x1; x++)
					this.pixels[at + x] = colour;
			else
				this.pixels.fill(colour, at + x0, at + x1);
		}
	}
}

// Colours of 32 bits.
function mix32(a, b, share) {
	const part = (shift) => Math.round((a >>> shift & 255) * share + (b >>> shift & 255) * (1 - share)) << shift;
	return (255 << 24 | part(16) | part(8) | part(0)) >>> 0;
}

// How a track is painted: where, what time a pixel has, and what is found on the way.
class Painter {
	constructor(raster, view, perPixel) {
		Object.assign(this, { raster, begin: view.begin, end: view.end, perPixel });
		this.texts = [];	// { x0, x1, y0, y1, text }
		this.wakes = [];	// { from, to, begin, end }: threads and times
		this.wide = 26 * devicePixelRatio;
		this.thin = Math.max(1, Math.round(devicePixelRatio * 2));	// the line of sleep
	}

	x(time) {
		return (time - this.begin) / this.perPixel;
	}

	paint(track, y0, y1, lane) {
		if (track.kind === KIND.STATE)
			this.paintStates(track, y0, y1, lane);
		else if (track.kind === KIND.COUNTER)
			this.paintCounter(track, y0, y1);
		else if (track.kind === KIND.POINT)
			this.paintPoints(track, y0, y1);
		else
			this.paintSpans(track, y0, y1);
	}

	text(x0, x1, y0, y1, text, faint) {
		if (this.texts.length < 900)
			this.texts.push({ x0: Math.max(0, x0), x1: Math.min(this.raster.width, x1), y0, y1, text, faint });
	}

	// Items that are narrower than a pixel are summed up in columns; the height of a column is its share of the time.
	paintSpans(track, y0, y1) {
		const { raster, perPixel } = this, kind = track.kind, height = y1 - y0, least = Math.min(height, Math.ceil(devicePixelRatio * 1.5));
		let column = -1, busy = 0, most = 0, colour = 0;
		const flush = () => {
			if (column >= 0 && busy > 0)
				raster.fill(column, y1 - Math.max(least, Math.round(Math.min(1, busy / perPixel) * height)), column + 1, y1, colour);
			column = -1;
			busy = most = 0;
		};
		visitItems(track.level(perPixel), this.begin, this.end, (items, from, to) => {
			const { start, end, value, count, a } = items;
			for (let i = from; i < to; i++) {
				const x0 = Math.floor((start[i] - this.begin) / perPixel), x1 = Math.floor((end[i] - this.begin) / perPixel);
				if (x1 - x0 >= 2) {
					flush();
					this.paintSpan(track, x0, x1, y0, y1, colourOf(kind, value[i]),
						       count[i] > 1 ? a[i] / (end[i] - start[i]) : 1, items, i);
					continue;
				}
				if (x0 !== column) {
					flush();
					column = x0;
				}
				const time = count[i] > 1 ? a[i] : Math.max(end[i] - start[i], perPixel / 1e3);
				busy += time;
				if (time > most) {
					most = time;
					colour = colourOf(kind, value[i]);
				}
			}
		});
		flush();
	}

	// A pixel of the ground keeps neighbours apart.
	paintSpan(track, x0, x1, y0, y1, colour, share, items, i) {
		const right = x1 - x0 > 4 * devicePixelRatio ? x1 - 1 : x1;
		if (items.count[i] > 1) {
			this.raster.fill(x0, y0, right, y1, mix32(colour, theme.ground32, 0.25));
			this.raster.fill(x0, y1 - Math.max(1, Math.round(share * (y1 - y0))), right, y1, mix32(colour, theme.ground32, 0.6));
		} else {
			this.raster.fill(x0, y0, right, y1, colour);
		}
		if (right - x0 >= this.wide && y1 - y0 >= 9 * devicePixelRatio)
			this.text(x0, right, y0, y1, items.count[i] > 1 ? `${withCommas(items.count[i])} merged` : valueText(itemAt(track, items, i)),
				  items.count[i] > 1);
	}

	paintStates(track, y0, y1, lane) {
		const { raster, perPixel } = this, sums = [0, 0, 0], { begin, end: last } = track.extent;
		let column = -1;
		raster.fill(Math.floor(this.x(begin)), y1 - this.thin, Math.ceil(this.x(last)), y1, theme.sleeping32);
		const flush = () => {
			if (column >= 0)
				this.paintShares(column, column + 1, y0, y1, sums[0] / perPixel, sums[1] / perPixel, sums[2] / perPixel);
			column = -1;
			sums.fill(0);
		};
		visitItems(track.level(perPixel), this.begin, this.end, (items, from, to) => {
			const { start, end, value, count, a, b, c } = items;
			for (let i = from; i < to; i++) {
				const x0 = Math.floor((start[i] - this.begin) / perPixel), x1 = Math.floor((end[i] - this.begin) / perPixel);
				const exact = count[i] === 1;
				if (exact && value[i] === STATE.RUNNABLE && a[i] > 0 && lane)
					this.wakes.push({ from: a[i] - 1, to: lane.thread.index, begin: start[i], end: start[i] });
				if (x1 - x0 >= 2) {
					flush();
					const length = end[i] - start[i];
					if (!exact)
						this.paintShares(x0, x1, y0, y1, a[i] / length, b[i] / length, c[i] / length);
					else
						this.paintState(x0, x1, y0, y1, value[i], items, i);
					continue;
				}
				if (x0 !== column) {
					flush();
					column = x0;
				}
				if (exact && value[i] < STATE.SLEEPING) {
					sums[value[i]] += Math.max(end[i] - start[i], perPixel / 1e3);
				} else if (!exact) {
					sums[0] += a[i];
					sums[1] += b[i];
					sums[2] += c[i];
				}
			}
		});
		flush();
	}

	paintState(x0, x1, y0, y1, state, items, i) {
		if (state >= STATE.SLEEPING) {
			this.raster.fill(x0, y1 - this.thin, x1, y1, theme.ground32);
			return;
		}
		this.raster.fill(x0, y0, x1, y1, theme.states32[state]);
		if (state === STATE.RUNNING && x1 - x0 > 6)
			this.paintInterrupts(items.a[i], items.start[i], items.end[i], y0, y0 + Math.ceil((y1 - y0) * 0.45));
	}

	// The interrupts that a CPU handled while a thread ran there.
	paintInterrupts(cpu, begin, end, y0, y1) {
		for (const track of trace.cpus[cpu]?.irqs ?? [])
			this.paintInterruptsOf(track, begin, end, y0, y1);
	}

	paintInterruptsOf(track, begin, end, y0, y1) {
		visitItems(track.level(this.perPixel), Math.max(begin, this.begin), Math.min(end, this.end), (items, from, to) => {
			for (let i = from; i < to; i++)
				if (items.count[i] === 1) {
					const x0 = Math.floor(this.x(Math.max(begin, items.start[i])));
					this.raster.fill(x0, y0, Math.max(x0 + 1, Math.floor(this.x(Math.min(end, items.end[i])))), y1,
							 colourOf(KIND.IRQ, items.value[i]));
				}
		});
	}

	// Running below, runnable and blocked above it.
	paintShares(x0, x1, y0, y1, running, runnable, blocked) {
		const bottom = this.paintShare(x0, x1, y0, y1, y1, running, STATE.RUNNING);
		this.paintShare(x0, x1, y0, y1, this.paintShare(x0, x1, y0, y1, bottom, runnable, STATE.RUNNABLE), blocked, STATE.BLOCKED);
	}

	// Return: its top.
	paintShare(x0, x1, y0, y1, bottom, share, state) {
		if (share <= 0)
			return bottom;
		const least = state === STATE.RUNNING ? this.thin : 1;
		const top = Math.max(y0, bottom - Math.max(least, Math.round(share * (y1 - y0))));
		this.raster.fill(x0, top, x1, bottom, theme.states32[state]);
		return top;
	}

	// A tick for a point; the more there are in a column, the higher it is.
	paintPoints(track, y0, y1) {
		const { raster, perPixel } = this, height = y1 - y0, width = Math.max(1, Math.round(2 * devicePixelRatio));
		let last = -1, many = 0;
		visitItems(track.level(perPixel), this.begin, this.end, (items, from, to) => {
			for (let i = from; i < to; i++) {
				const x0 = Math.floor((items.start[i] - this.begin) / perPixel), x1 = Math.floor((items.end[i] - this.begin) / perPixel);
				const colour = colourOf(KIND.POINT, items.value[i]);
				many = x0 === last ? many + items.count[i] : items.count[i];
				last = x0;
				const part = Math.min(1, 0.55 + Math.log10(many) * 0.15);
				const top = y1 - Math.round(part * height);
				if (x1 - x0 > width)
					raster.fill(x0, y1 - Math.ceil(height / 3), x1, y1, mix32(colour, theme.ground32, 0.6));
				raster.fill(x0, top, x0 + width, y1, colour);
			}
		});
	}

	paintCounter(track, y0, y1) {
		const { raster, perPixel } = this, width = raster.width;
		const low = new Float64Array(width).fill(NaN), high = new Float64Array(width).fill(NaN), { least, greatest } = rangeOf(track);
		visitItems(track.level(perPixel), this.begin, this.end, (items, from, to) => {
			for (let i = from; i < to; i++) {
				const x0 = Math.max(0, Math.floor(this.x(items.start[i])));
				const x1 = Math.min(width - 1, Math.max(x0, Math.floor(this.x(items.end[i]))));
				for (let x = x0; x <= x1; x++) {
					if (!(low[x] <= items.a[i]))
						low[x] = items.a[i];
					if (!(high[x] >= items.b[i]))
						high[x] = items.b[i];
				}
			}
		});
		const scale = (y1 - y0 - 2) / (greatest - least || 1), soft = mix32(theme.counter32, theme.ground32, 0.28);
		const line = Math.max(1, Math.round(devicePixelRatio));
		for (let x = 0; x < width; x++) {
			if (!(low[x] <= high[x]))
				continue;
			const top = Math.round(y1 - 1 - (high[x] - least) * scale), bottom = Math.round(y1 - 1 - (low[x] - least) * scale);
			raster.fill(x, top, x + 1, y1, soft);
			raster.fill(x, top, x + 1, bottom + line, theme.counter32);
		}
	}

	// A closed group: when any of its threads runs.
	paintGroup(group, y0, y1) {
		const width = this.raster.width, busy = new Float32Array(width), threads = group.threads.slice(0, 64);
		for (const thread of threads) {
			const track = thread.tracks.find(({ kind }) => kind === KIND.STATE);
			if (!track)
				continue;
			visitItems(track.level(this.perPixel), this.begin, this.end, (items, from, to) => {
				for (let i = from; i < to; i++)
					if (items.count[i] > 1)
						spread(busy, this.x(items.start[i]), this.x(items.end[i]), items.a[i] / this.perPixel);
					else if (items.value[i] === STATE.RUNNING)
						spread(busy, this.x(items.start[i]), this.x(items.end[i]), (items.end[i] - items.start[i]) / this.perPixel);
			});
		}
		for (let x = 0; x < width; x++)
			if (busy[x] > 0.001)
				this.raster.fill(x, y1 - Math.max(2, Math.round(Math.min(1, busy[x]) * (y1 - y0))), x + 1, y1, theme.running32);
	}
}

// Add a weight to the columns from x0 to x1.
function spread(columns, x0, x1, weight) {
	const from = Math.max(0, Math.floor(x0)), to = Math.min(columns.length - 1, Math.floor(x1));
	if (to < 0 || from >= columns.length)
		return;
	if (Math.floor(x0) === Math.floor(x1)) {
		columns[from] += weight;
		return;
	}
	const each = weight / (x1 - x0);
	for (let x = from; x <= to; x++)
		columns[x] += each * (Math.min(x + 1, x1) - Math.max(x, x0));
}

// The least and the greatest value of a counter, from 0 on unless some are negative.
function rangeOf(track) {
	if (!track.range) {
		let least = 0, greatest = 0;
		visitItems(track.levels[0], 0, trace.span, ({ a, b }, from, to) => {
			for (let i = from; i < to; i++) {
				least = Math.min(least, a[i]);
				greatest = Math.max(greatest, b[i]);
			}
		});
		track.range = { least, greatest };
	}
	return track.range;
}
