// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// Emits the events that ../check expects of each language: test.js FOLDER [refused | cost | more].
'use strict';
const assert = require('assert');
const ltt = require(process.argv[2] + '/ltt.node');

function emit() {
	const types = ltt.event('lang', 'types', {
		yes: 'bool', n: 's64', u: 'u64', small: 's16', d: 'double', text: 'string', blob: 'blob',
		hex: { type: 'u32', hex: true }, state: { type: 'u8', labels: 'idle=0,run=1' },
	});
	const count = ltt.event('lang', 'count', { i: 's64' });

	types(true, -5, 2n ** 64n - 1n, -2, 1.5, 'grüße', Buffer.from([0, 255]), 0xbeef, 1);
	for (let i = 0; i < 100; i++)
		count(i);
}

function refused(attempts, wanted) {
	for (const attempt of attempts) {
		assert.throws(attempt, wanted);
		console.log('refused');
	}
}

function descriptions() {
	refused([
		() => ltt.event('lang', 'a b'),
		() => ltt.event('lang', 'x', { 'a b': 's64' }),
		() => ltt.event('lang', 'x', { a: { type: 'string', labels: 'a=1' } }),
	], Error);
	refused([
		() => ltt.event('lang'),
		() => ltt.event(1, 'x'),
		() => ltt.event('lang', 'x', { a: 'int' }),
		() => ltt.event('lang', 'x', { a: {} }, 'more'),
		() => ltt.event('lang', 'x', { a: { type: 's64', labels: 5 } }),
		() => ltt.event('lang', 'x', Object.fromEntries([...Array(13).keys()].map((i) => ['f' + i, 's64']))),
	], TypeError);
}

// While it is recorded, wrong values raise exceptions and are not recorded.
function more() {
	let event = ltt.event('lang', 'more', { n: 's32', text: 'string', data: 'blob', f: 'float' });
	const fine = Buffer.from('x');

	assert.strictEqual(event.enabled(), true);
	refused([
		() => event(),
		() => event(1, 'x', fine),
		() => event(1, 'x', fine, 0, 0),
		() => event('1', 'x', fine, 0),
		() => event(1, 2, fine, 0),
		() => event(1, 'x', 'x', 0),
		() => event(1, 'x', fine, 'y'),
	], TypeError);
	event(2 ** 32 + 7, '', Buffer.alloc(0), 0.5);
	// The function keeps what it needs.
	const enabled = event.enabled;
	event = null;
	if (global.gc)
		global.gc();
	assert.strictEqual(enabled(), true);
	const long = ltt.event('lang', 'long', { text: 'string' });
	long('x'.repeat(5000));
}

function cost() {
	const event = ltt.event('lang', 'cost', { a: 's64', b: 's64' });
	let best = Infinity;

	for (let round = 0; round < 30; round++) {
		const start = process.hrtime.bigint();
		for (let i = 0; i < 10000; i++)
			event(i, i);
		best = Math.min(best, Number(process.hrtime.bigint() - start) / 10000);
	}
	console.log(best.toFixed(1));
}

({ refused: descriptions, more, cost })[process.argv[3]] ? ({ refused: descriptions, more, cost })[process.argv[3]]() : emit();
