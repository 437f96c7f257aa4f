// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only

// Package ltt has events that lttctl records.  README.md has an example.
package ltt

/*
#cgo LDFLAGS: -lltt
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ltt/event.h>

enum { FIELDS_MAX = 12 };

// The texts and blobs are in one array, for C may get no pointers to pointers of Go; offsets are
// -1 where the word is the value.
static void write_event(struct ltt_event *event, const unsigned long long *words, const long *offsets,
			const char *bytes, unsigned int nr)
{
	struct ltt_event_value values[FIELDS_MAX];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		values[i].u = words[i];
		values[i].length = 0;
		if (offsets[i] >= 0) {
			values[i].p = bytes + offsets[i];
			values[i].length = words[i];
		}
	}
	ltt_event_write(event, values);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"unsafe"
)

// FieldsMax is the most fields that an event can have; Text and Blob count as two.
const FieldsMax = C.FIELDS_MAX

// Type is the type of a field.
type Type uint32

// The types, and the types of Go that their values have.
const (
	Bool   Type = C.LTT_EVENT_BOOL // bool
	S8     Type = C.LTT_EVENT_S8   // any integer: its low bits are recorded; and so on
	U8     Type = C.LTT_EVENT_U8
	S16    Type = C.LTT_EVENT_S16
	U16    Type = C.LTT_EVENT_U16
	S32    Type = C.LTT_EVENT_S32
	U32    Type = C.LTT_EVENT_U32
	S64    Type = C.LTT_EVENT_S64
	U64    Type = C.LTT_EVENT_U64
	Float  Type = C.LTT_EVENT_FLOAT  // float32 or float64
	Double Type = C.LTT_EVENT_DOUBLE // float32 or float64
	Text   Type = C.LTT_EVENT_TEXT   // string; at most 4095 bytes are recorded
	Blob   Type = C.LTT_EVENT_BLOB   // []byte of at most 4096
	Hex    Type = C.LTT_EVENT_HEX    // beside the type of an integer: shown in hexadecimal
)

// Field describes a field.
type Field struct {
	Name   string // a C identifier
	Type   Type
	Labels string // of an integer: names of its values, "idle=0,running=1"
}

// Event is an event, which lives as long as the program.  Any goroutine may write it.
type Event struct {
	event *C.struct_ltt_event
	types []Type
}

// New describes an event, and waits until each lttd that runs records it: see ltt_event_create(3).
func New(group, name string, fields ...Field) (*Event, error) {
	if len(fields) > FieldsMax {
		return nil, fmt.Errorf("an event has at most %d fields", FieldsMax)
	}
	var texts []unsafe.Pointer
	keep := func(text string) *C.char {
		kept := C.CString(text)
		texts = append(texts, unsafe.Pointer(kept))
		return kept
	}
	defer func() {
		for _, text := range texts {
			C.free(text)
		}
	}()

	// Memory of C, because it has pointers to memory of C.
	size := C.size_t(C.sizeof_struct_ltt_event_field)
	array := C.calloc(FieldsMax, size)
	options := (*C.struct_ltt_event_options)(C.calloc(1, C.sizeof_struct_ltt_event_options))
	message := (*C.char)(C.calloc(1, 256))
	texts = append(texts, array, unsafe.Pointer(options), unsafe.Pointer(message))
	event := &Event{}
	for i, field := range fields {
		described := (*C.struct_ltt_event_field)(unsafe.Add(array, uintptr(i)*uintptr(size)))
		described.name = keep(field.Name)
		if field.Labels != "" {
			described.labels = keep(field.Labels)
		}
		described._type = C.uint(field.Type)
		event.types = append(event.types, field.Type&^Hex)
	}
	options.size = C.sizeof_struct_ltt_event_options
	options.message, options.message_size = message, 256
	if _, file, line, ok := runtime.Caller(1); ok {
		options.file, options.line = keep(file), C.uint(line)
	}
	event.event = C.ltt_event_create_with(keep(group), keep(name), (*C.struct_ltt_event_field)(array),
		C.uint(len(fields)), options)
	if event.event == nil {
		return nil, errors.New(C.GoString(message))
	}
	return event, nil
}

// Enabled reports whether the event is recorded now.  It loads a byte.
func (event *Event) Enabled() bool {
	return event.event.enabled != 0
}

func integer(value any) (uint64, bool) {
	switch number := value.(type) {
	case int:
		return uint64(number), true
	case int8:
		return uint64(number), true
	case int16:
		return uint64(number), true
	case int32:
		return uint64(number), true
	case int64:
		return uint64(number), true
	case uint:
		return uint64(number), true
	case uint8:
		return uint64(number), true
	case uint16:
		return uint64(number), true
	case uint32:
		return uint64(number), true
	case uint64:
		return number, true
	case uintptr:
		return uint64(number), true
	}
	return 0, false
}

func real(value any) (float64, bool) {
	switch number := value.(type) {
	case float32:
		return float64(number), true
	case float64:
		return number, true
	}
	return 0, false
}

// The word of a value that is not text or bytes.
func word(kind Type, value any) (uint64, bool) {
	switch kind {
	case Bool:
		truth, ok := value.(bool)
		if truth {
			return 1, ok
		}
		return 0, ok
	case Float:
		number, ok := real(value)
		return uint64(math.Float32bits(float32(number))), ok
	case Double:
		number, ok := real(value)
		return math.Float64bits(number), ok
	}
	return integer(value)
}

// Write emits the event with the values of its fields, in their order.  While it is not recorded,
// it does not look at the values.
func (event *Event) Write(values ...any) error {
	if !event.Enabled() {
		return nil
	}
	if len(values) != len(event.types) {
		return fmt.Errorf("the event has %d fields, not %d", len(event.types), len(values))
	}
	var words [FieldsMax]C.ulonglong
	var offsets [FieldsMax]C.long
	bytes := []byte{0} // never empty, so that it has an address
	for i, value := range values {
		offset, ok := C.long(len(bytes)), true
		var number uint64
		switch event.types[i] {
		case Text:
			var text string
			text, ok = value.(string)
			bytes, number = append(bytes, text...), uint64(len(text))
		case Blob:
			var blob []byte
			blob, ok = value.([]byte)
			bytes, number = append(bytes, blob...), uint64(len(blob))
		default:
			offset = -1
			number, ok = word(event.types[i], value)
		}
		if !ok {
			return fmt.Errorf("value %d, a %T, does not have the type of its field", i, value)
		}
		words[i], offsets[i] = C.ulonglong(number), offset
	}
	C.write_event(event.event, &words[0], &offsets[0], (*C.char)(unsafe.Pointer(&bytes[0])), C.uint(len(values)))
	return nil
}
