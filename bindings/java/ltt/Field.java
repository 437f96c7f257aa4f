// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
package ltt;

/** A field of an event: {@code Field.of("fd", Type.S32).hex()}. */
public final class Field {
	/** The type of a field, and the Java types that its values have. */
	public enum Type {
		/** Boolean. */
		BOOL(1),
		/** Any Number: its low bits are recorded; the same for the next ones. */
		S8(2), U8(3), S16(4), U16(5), S32(6), U32(7), S64(8), U64(9),
		/** Any Number. */
		FLOAT(10), DOUBLE(11),
		/** String, or null; at most 4095 bytes of UTF-8 are recorded. */
		STRING(12),
		/** byte[] of at most 4096; counts as two of 12 fields. */
		BLOB(14);

		final int number;

		Type(int number) {
			this.number = number;
		}
	}

	final String name;
	final Type type;
	final boolean isHex;
	final String labels;

	private Field(String name, Type type, boolean isHex, String labels) {
		this.name = name;
		this.type = type;
		this.isHex = isHex;
		this.labels = labels;
	}

	/** A field with a name, which is a C identifier. */
	public static Field of(String name, Type type) {
		return new Field(name, type, false, null);
	}

	/** The same, shown in hexadecimal; for integers. */
	public Field hex() {
		return new Field(name, type, true, labels);
	}

	/** The same, with names of values: {@code "idle=0,running=1"}; for integers. */
	public Field labels(String labels) {
		return new Field(name, type, isHex, labels);
	}

	int number() {
		return type.number | (isHex ? 0x100 : 0);
	}
}
