// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The native methods of the Java class ltt.Event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jni.h>

#include <ltt/event.h>

#define FIELDS_MAX	12
#define BYTES_MAX	4097	/* libltt cuts a text of this length, and loses such a blob */

/* ---- Describing an event ---- */

/**
 * struct texts - the strings that the library reads
 * @nr: number of @string and @text
 * @string: of Java
 * @text: their bytes
 */
struct texts {
	unsigned int nr;
	jstring string[2 * FIELDS_MAX + 3];
	const char *text[2 * FIELDS_MAX + 3];
};

/* Return: NULL for null, or with an exception. */
static const char *get_text(JNIEnv *env, struct texts *texts, jstring string)
{
	const char *text = string ? (*env)->GetStringUTFChars(env, string, NULL) : NULL;

	if (text) {
		texts->string[texts->nr] = string;
		texts->text[texts->nr++] = text;
	}
	return text;
}

static void release_texts(JNIEnv *env, struct texts *texts)
{
	while (texts->nr) {
		texts->nr--;
		(*env)->ReleaseStringUTFChars(env, texts->string[texts->nr], texts->text[texts->nr]);
	}
}

static void throw_new(JNIEnv *env, const char *class, const char *message)
{
	jclass found = (*env)->FindClass(env, class);

	if (found)
		(*env)->ThrowNew(env, found, message);
}

JNIEXPORT jlong JNICALL Java_ltt_Event_create(JNIEnv *env, jclass class, jstring group, jstring name,
					      jobjectArray names, jobjectArray labels, jintArray types,
					      jstring file, jint line)
{
	struct ltt_event_field fields[FIELDS_MAX];
	char message[256] = "";
	struct ltt_event_options options = {
		.size = sizeof(options), .line = line, .message = message, .message_size = sizeof(message),
	};
	jsize i, nr = (*env)->GetArrayLength(env, names);
	struct ltt_event *event = NULL;
	struct texts texts = { .nr = 0 };
	jint type;

	(void)class;
	if (nr > FIELDS_MAX) {
		throw_new(env, "java/lang/IllegalArgumentException", "an event has at most 12 fields");
		return 0;
	}
	memset(fields, 0, sizeof(fields));
	for (i = 0; i < nr; i++) {
		fields[i].name = get_text(env, &texts, (*env)->GetObjectArrayElement(env, names, i));
		fields[i].labels = get_text(env, &texts, (*env)->GetObjectArrayElement(env, labels, i));
		(*env)->GetIntArrayRegion(env, types, i, 1, &type);
		fields[i].type = type;
	}
	options.file = get_text(env, &texts, file);
	if (!(*env)->ExceptionCheck(env)) {
		const char *group_text = get_text(env, &texts, group), *name_text = get_text(env, &texts, name);

		if (!(*env)->ExceptionCheck(env))
			event = ltt_event_create_with(group_text, name_text, fields, nr, &options);
		if (!event && !(*env)->ExceptionCheck(env))
			throw_new(env, errno == ENOMEM ? "java/lang/OutOfMemoryError" :
				  "java/lang/IllegalArgumentException", message);
	}
	release_texts(env, &texts);
	return (jlong)event;
}

/* ---- Writing ---- */

JNIEXPORT jboolean JNICALL Java_ltt_Event_enabled(JNIEnv *env, jclass class, jlong handle)
{
	(void)env;
	(void)class;
	return ltt_event_enabled((struct ltt_event *)handle) ? JNI_TRUE : JNI_FALSE;
}

/* @bytes: with room for one byte more.  A text ends at its NUL, a blob at its length. */
static void take_bytes(JNIEnv *env, struct ltt_event_value *value, jbyteArray array, char *bytes)
{
	jsize len = (*env)->GetArrayLength(env, array);

	if (len > BYTES_MAX)
		len = BYTES_MAX;
	(*env)->GetByteArrayRegion(env, array, 0, len, (jbyte *)bytes);
	bytes[len] = '\0';
	value->p = bytes;
	value->length = len;
}

/* Takes 48 KiB of stack.  Where @arrays has a null is a number; or a text or blob that is null,
 * whose word and length are 0. */
static void write_with_bytes(JNIEnv *env, struct ltt_event *event, const jlong *words, jobjectArray arrays, jsize nr)
{
	struct ltt_event_value values[FIELDS_MAX];
	char bytes[FIELDS_MAX][BYTES_MAX + 1];
	jbyteArray array;
	jsize i;

	for (i = 0; i < nr; i++) {
		array = (*env)->GetObjectArrayElement(env, arrays, i);
		if (array) {
			take_bytes(env, &values[i], array, bytes[i]);
			(*env)->DeleteLocalRef(env, array);
		} else {
			values[i].s = words[i];
			values[i].length = 0;
		}
	}
	ltt_event_write(event, values);
}

JNIEXPORT void JNICALL Java_ltt_Event_write(JNIEnv *env, jclass class, jlong handle, jlongArray words,
					    jobjectArray arrays)
{
	jsize nr = (*env)->GetArrayLength(env, words);
	jlong word[FIELDS_MAX];

	(void)class;
	(*env)->GetLongArrayRegion(env, words, 0, nr, word);
	write_with_bytes(env, (struct ltt_event *)handle, word, arrays, nr);
}
