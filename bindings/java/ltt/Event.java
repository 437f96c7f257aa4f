// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
package ltt;

import java.nio.charset.StandardCharsets;

/** An event that lttctl records; any thread may write it.  README.md has an example. */
public final class Event {
	static {
		System.loadLibrary("lttjava");
	}

	private final long handle;	// of libltt, which never frees it
	private final Field.Type[] types;

	/**
	 * Describe an event, and wait until each lttd that runs records it: see ltt_event_create(3).
	 *
	 * @throws IllegalArgumentException with the reason why it is refused
	 */
	public Event(String group, String name, Field... fields) {
		String[] names = new String[fields.length], labels = new String[fields.length];
		int[] numbers = new int[fields.length];

		types = new Field.Type[fields.length];
		for (int i = 0; i < fields.length; i++) {
			names[i] = fields[i].name;
			labels[i] = fields[i].labels;
			numbers[i] = fields[i].number();
			types[i] = fields[i].type;
		}
		StackTraceElement place = StackWalker.getInstance().walk(frames ->
			frames.skip(1).findFirst().map(StackWalker.StackFrame::toStackTraceElement).orElse(null));
		handle = create(group, name, names, labels, numbers,
				place == null ? null : place.getFileName(), place == null ? 0 : place.getLineNumber());
	}

	/** Is the event recorded now? */
	public boolean enabled() {
		return enabled(handle);
	}

	/**
	 * Emit the event with the values of its fields, in their order.  While it is not recorded, this
	 * does not look at the values.
	 *
	 * @throws IllegalArgumentException if there are more or fewer values than fields
	 * @throws ClassCastException if a value has another type than its field
	 */
	public void write(Object... values) {
		if (!enabled(handle))
			return;
		if (values.length != types.length)
			throw new IllegalArgumentException("the event has " + types.length + " fields");
		long[] words = new long[values.length];
		byte[][] bytes = new byte[values.length][];

		for (int i = 0; i < values.length; i++) {
			switch (types[i]) {
			case BOOL:
				words[i] = (Boolean)values[i] ? 1 : 0;
				break;
			case FLOAT:
				words[i] = Float.floatToRawIntBits(((Number)values[i]).floatValue());
				break;
			case DOUBLE:
				words[i] = Double.doubleToRawLongBits(((Number)values[i]).doubleValue());
				break;
			case STRING:
				bytes[i] = values[i] == null ? null : ((String)values[i]).getBytes(StandardCharsets.UTF_8);
				break;
			case BLOB:
				bytes[i] = (byte[])values[i];
				break;
			default:
				words[i] = ((Number)values[i]).longValue();
			}
		}
		write(handle, words, bytes);
	}

	private static native long create(String group, String name, String[] names, String[] labels, int[] types,
					  String file, int line);

	private static native boolean enabled(long handle);

	private static native void write(long handle, long[] words, byte[][] bytes);
}
