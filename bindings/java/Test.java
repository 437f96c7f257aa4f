// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// Emits the events that ../check expects of each language: Test.java [refused | cost | more].
import ltt.Event;
import ltt.Field;
import ltt.Field.Type;

class Test {
	static void emit() {
		Event types = new Event("lang", "types", Field.of("yes", Type.BOOL), Field.of("n", Type.S64),
			Field.of("u", Type.U64), Field.of("small", Type.S16), Field.of("d", Type.DOUBLE),
			Field.of("text", Type.STRING), Field.of("blob", Type.BLOB), Field.of("hex", Type.U32).hex(),
			Field.of("state", Type.U8).labels("idle=0,run=1"));
		Event count = new Event("lang", "count", Field.of("i", Type.S64));

		types.write(true, -5, -1L, (short)-2, 1.5, "grüße", new byte[] { 0, -1 }, 0xbeef, 1);
		for (int i = 0; i < 100; i++)
			count.write(i);
	}

	static void refused(Class<?> wanted, Runnable attempt) {
		try {
			attempt.run();
		} catch (RuntimeException error) {
			if (!wanted.isInstance(error) || error.getMessage() != null && error.getMessage().isEmpty())
				throw error;
			System.out.println("refused");
		}
	}

	static void descriptions() {
		Field[] many = new Field[13];

		for (int i = 0; i < 13; i++)
			many[i] = Field.of("f" + i, Type.S32);
		refused(IllegalArgumentException.class, () -> new Event("lang", "a b"));
		refused(IllegalArgumentException.class, () -> new Event(null, "x"));
		refused(IllegalArgumentException.class, () -> new Event("lang", "x", Field.of("a b", Type.S32)));
		refused(IllegalArgumentException.class, () -> new Event("lang", "x", Field.of(null, Type.S32)));
		refused(IllegalArgumentException.class, () -> new Event("lang", "x", Field.of("a", Type.STRING).hex()));
		refused(IllegalArgumentException.class, () -> new Event("lang", "x", many));
	}

	static void more() throws InterruptedException {
		Event event = new Event("lang", "more", Field.of("n", Type.S32), Field.of("text", Type.STRING),
			Field.of("data", Type.BLOB), Field.of("f", Type.FLOAT));

		if (!event.enabled())
			throw new IllegalStateException("not recorded");
		refused(IllegalArgumentException.class, () -> event.write(1, "x", new byte[0]));
		refused(ClassCastException.class, () -> event.write("1", "x", new byte[0], 0));
		refused(ClassCastException.class, () -> event.write(1, 2, new byte[0], 0));
		refused(ClassCastException.class, () -> event.write(1, "x", "x", 0));
		refused(NullPointerException.class, () -> event.write(null, "x", new byte[0], 0));
		event.write(7, null, null, 0.5);
		Thread thread = new Thread(() -> event.write((1L << 32) + 8, "x".repeat(5000), new byte[] { 1 }, 0));
		thread.start();
		thread.join();
	}

	static void cost() {
		Event event = new Event("lang", "cost", Field.of("a", Type.S64), Field.of("b", Type.S64));
		double best = 1e9;

		for (int round = 0; round < 50; round++) {
			long start = System.nanoTime();

			for (int i = 0; i < 10000; i++)
				event.write(i, i);
			best = Math.min(best, (System.nanoTime() - start) / 10000.0);
		}
		System.out.println(best);
	}

	public static void main(String[] args) throws InterruptedException {
		switch (args.length == 0 ? "" : args[0]) {
		case "refused":
			descriptions();
			break;
		case "more":
			more();
			break;
		case "cost":
			cost();
			break;
		default:
			emit();
		}
	}
}
