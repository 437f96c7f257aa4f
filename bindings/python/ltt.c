// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The Python module ltt: events that lttctl records.  README.md describes it.
 *
 * An Event is called with the values of its fields.  While it is not recorded, a call loads a
 * byte and returns.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <ltt/event.h>

#define FIELDS_MAX	12

struct event {
	PyObject_HEAD
	vectorcallfunc call;
	struct ltt_event *event;
	Py_ssize_t nr;
	unsigned int type[FIELDS_MAX];
};

/**
 * struct held - what a call uses until the event is written
 * @nr_views: number of @view
 * @nr_texts: number of @text
 * @view: buffers
 * @text: encoded copies of strings
 */
struct held {
	unsigned int nr_views;
	unsigned int nr_texts;
	Py_buffer view[FIELDS_MAX];
	PyObject *text[FIELDS_MAX];
};

static void release(struct held *held)
{
	while (held->nr_views)
		PyBuffer_Release(&held->view[--held->nr_views]);
	while (held->nr_texts)
		Py_DECREF(held->text[--held->nr_texts]);
}

/* ---- Values ---- */

/* A string with lone surrogates has no UTF-8: show them as \udcXX. */
static int take_text(struct ltt_event_value *value, PyObject *from, struct held *held)
{
	PyObject *text;

	value->p = NULL;
	if (from == Py_None)
		return 0;
	value->p = PyUnicode_AsUTF8(from);
	if (value->p || !PyUnicode_Check(from))
		return value->p ? 0 : -1;
	PyErr_Clear();
	text = PyUnicode_AsEncodedString(from, "utf-8", "backslashreplace");
	if (!text)
		return -1;
	held->text[held->nr_texts++] = text;
	value->p = PyBytes_AS_STRING(text);
	return 0;
}

static unsigned int size_of(unsigned int type)
{
	switch (type & ~(LTT_EVENT_SEQUENCE | LTT_EVENT_HEX)) {
	case LTT_EVENT_S16:
	case LTT_EVENT_U16:
		return 2;
	case LTT_EVENT_S32:
	case LTT_EVENT_U32:
		return 4;
	case LTT_EVENT_S64:
	case LTT_EVENT_U64:
		return 8;
	}
	return 1;
}

static int take_buffer(struct ltt_event_value *value, unsigned int type, PyObject *from, struct held *held)
{
	Py_buffer *view = &held->view[held->nr_views];

	if (PyObject_GetBuffer(from, view, PyBUF_ND))
		return -1;
	held->nr_views++;
	if (type != LTT_EVENT_BLOB && view->itemsize != size_of(type)) {
		PyErr_Format(PyExc_TypeError, "integers of %u bytes are wanted, not of %zd", size_of(type),
			     view->itemsize);
		return -1;
	}
	value->p = view->buf;
	value->length = type == LTT_EVENT_BLOB ? view->len : view->len / view->itemsize;
	return 0;
}

/* Return: 0; -1 with an exception. */
static int take_value(struct ltt_event_value *value, unsigned int type, PyObject *from, struct held *held)
{
	int truth;

	if (type == LTT_EVENT_BLOB || type & LTT_EVENT_SEQUENCE)
		return take_buffer(value, type, from, held);
	switch (type) {
	case LTT_EVENT_STRING:
		return take_text(value, from, held);
	case LTT_EVENT_DOUBLE:
		value->d = PyFloat_AsDouble(from);
		return value->d == -1 && PyErr_Occurred() ? -1 : 0;
	case LTT_EVENT_FLOAT:
		value->f = (float)PyFloat_AsDouble(from);
		return value->f == -1 && PyErr_Occurred() ? -1 : 0;
	case LTT_EVENT_BOOL:
		truth = PyObject_IsTrue(from);
		value->u = truth;
		return truth < 0 ? -1 : 0;
	}
	value->u = PyLong_AsUnsignedLongLongMask(from);
	return value->u == ~0ULL && PyErr_Occurred() ? -1 : 0;
}

static PyObject *event_call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *names)
{
	struct event *event = (struct event *)self;
	Py_ssize_t i, nr = PyVectorcall_NARGS(nargsf);
	struct ltt_event_value values[FIELDS_MAX];
	struct held held;

	if (!ltt_event_enabled(event->event))
		Py_RETURN_NONE;
	if (nr != event->nr || (names && PyTuple_GET_SIZE(names))) {
		PyErr_Format(PyExc_TypeError, "the event has %zd fields; pass their values in order", event->nr);
		return NULL;
	}
	held.nr_views = held.nr_texts = 0;
	for (i = 0; i < nr; i++) {
		if (take_value(&values[i], event->type[i], args[i], &held)) {
			release(&held);
			return NULL;
		}
	}
	ltt_event_write(event->event, values);
	release(&held);
	Py_RETURN_NONE;
}

/* ---- Describing an event ---- */

/* Return: the type; 0 with an exception. */
static unsigned int type_of(PyObject *spec)
{
	long number;

	if (spec == (PyObject *)&PyBool_Type)
		return LTT_EVENT_BOOL;
	if (spec == (PyObject *)&PyLong_Type)
		return LTT_EVENT_S64;
	if (spec == (PyObject *)&PyFloat_Type)
		return LTT_EVENT_DOUBLE;
	if (spec == (PyObject *)&PyUnicode_Type)
		return LTT_EVENT_STRING;
	if (spec == (PyObject *)&PyBytes_Type)
		return LTT_EVENT_BLOB;
	number = PyLong_Check(spec) ? PyLong_AsLong(spec) : 0;
	if (number > 0 && number <= INT_MAX && number != LTT_EVENT_TEXT)
		return number;
	if (!PyErr_Occurred())
		PyErr_SetString(PyExc_TypeError,
				"a field's type is bool, int, float, str, bytes or a constant of ltt such as ltt.U16, or a tuple of this and labels");
	return 0;
}

/* @spec: a type, or a tuple of a type and labels.  Return: 0; -1 with an exception. */
static int describe(struct ltt_event_field *field, PyObject *name, PyObject *spec)
{
	PyObject *labels = NULL;

	memset(field, 0, sizeof(*field));
	field->name = PyUnicode_AsUTF8(name);
	if (PyTuple_Check(spec) && PyTuple_GET_SIZE(spec) == 2) {
		labels = PyTuple_GET_ITEM(spec, 1);
		spec = PyTuple_GET_ITEM(spec, 0);
	}
	if (labels && !(field->labels = PyUnicode_AsUTF8(labels)))
		return -1;
	field->type = type_of(spec);
	return field->name && field->type ? 0 : -1;
}

static int fill(struct event *event, struct ltt_event_field *fields, PyObject *described)
{
	PyObject *name, *spec;
	Py_ssize_t at = 0;

	if (described && PyDict_GET_SIZE(described) > FIELDS_MAX) {
		PyErr_Format(PyExc_ValueError, "an event has at most %d fields", FIELDS_MAX);
		return -1;
	}
	while (described && PyDict_Next(described, &at, &name, &spec)) {
		if (describe(&fields[event->nr], name, spec))
			return -1;
		event->type[event->nr] = fields[event->nr].type;
		event->nr++;
	}
	return 0;
}

/* Like ltt_event_create_with(), at the line of the program that runs.  Waits without the
 * interpreter's lock. */
static struct ltt_event *create(const char *group, const char *name, const struct ltt_event_field *fields,
				unsigned int nr)
{
	char message[256] = "";
	struct ltt_event_options options = {
		.size = sizeof(options), .message = message, .message_size = sizeof(message),
	};
	PyFrameObject *frame = PyEval_GetFrame();
	PyCodeObject *code = frame ? PyFrame_GetCode(frame) : NULL;
	struct ltt_event *event;
	int err;

	if (code) {
		options.file = PyUnicode_AsUTF8(code->co_filename);
		options.line = PyFrame_GetLineNumber(frame);
		PyErr_Clear();
	}
	Py_BEGIN_ALLOW_THREADS
	event = ltt_event_create_with(group, name, fields, nr, &options);
	err = errno;
	Py_END_ALLOW_THREADS
	Py_XDECREF(code);
	if (event)
		return event;
	if (err == ENOMEM)
		PyErr_NoMemory();
	else
		PyErr_SetString(PyExc_ValueError, message);
	return NULL;
}

static PyObject *event_new(PyTypeObject *type, PyObject *args, PyObject *described)
{
	struct ltt_event_field fields[FIELDS_MAX];
	const char *group, *name;
	struct event *event;

	if (!PyArg_ParseTuple(args, "ss:Event", &group, &name))
		return NULL;
	event = (struct event *)type->tp_alloc(type, 0);
	if (!event)
		return NULL;
	event->call = event_call;
	if (fill(event, fields, described) || !(event->event = create(group, name, fields, event->nr))) {
		Py_DECREF(event);
		return NULL;
	}
	return (PyObject *)event;
}

static PyObject *event_get_enabled(PyObject *self, void *unused)
{
	(void)unused;
	return PyBool_FromLong(ltt_event_enabled(((struct event *)self)->event));
}

static PyGetSetDef event_members[] = {
	{ .name = "enabled", .get = event_get_enabled, .doc = "whether the event is recorded now" },
	{ .name = NULL },
};

/* An ltt_event lives as long as the program, so there is nothing to release. */
static PyTypeObject event_type = {
	PyVarObject_HEAD_INIT(NULL, 0)
	.tp_name = "ltt.Event",
	.tp_doc = "Event(group, name, field=type, ...): an event; call it with the values of its fields",
	.tp_basicsize = sizeof(struct event),
	.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
	.tp_vectorcall_offset = offsetof(struct event, call),
	.tp_call = PyVectorcall_Call,
	.tp_new = event_new,
	.tp_getset = event_members,
};

static struct PyModuleDef module = {
	PyModuleDef_HEAD_INIT,
	.m_name = "ltt",
	.m_doc = "Events that lttctl records",
	.m_size = -1,
};

static const struct {
	const char *name;
	unsigned int number;
} constants[] = {
	{ "S8", LTT_EVENT_S8 }, { "U8", LTT_EVENT_U8 }, { "S16", LTT_EVENT_S16 }, { "U16", LTT_EVENT_U16 },
	{ "S32", LTT_EVENT_S32 }, { "U32", LTT_EVENT_U32 }, { "S64", LTT_EVENT_S64 }, { "U64", LTT_EVENT_U64 },
	{ "FLOAT", LTT_EVENT_FLOAT }, { "HEX", LTT_EVENT_HEX }, { "SEQUENCE", LTT_EVENT_SEQUENCE },
};

PyMODINIT_FUNC PyInit_ltt(void)
{
	PyObject *made = PyType_Ready(&event_type) ? NULL : PyModule_Create(&module);
	size_t i;

	if (!made)
		return NULL;
	for (i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
		if (PyModule_AddIntConstant(made, constants[i].name, constants[i].number))
			goto err;
	Py_INCREF(&event_type);
	if (!PyModule_AddObject(made, "Event", (PyObject *)&event_type))
		return made;
	Py_DECREF(&event_type);
err:
	Py_DECREF(made);
	return NULL;
}
