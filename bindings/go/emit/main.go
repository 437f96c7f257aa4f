// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only

// Emits the events that ../../check expects of each language: emit [refused | cost | more].
package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"ltt"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func describe(name string, fields ...ltt.Field) *ltt.Event {
	event, err := ltt.New("lang", name, fields...)
	must(err)
	return event
}

func emit() {
	types := describe("types", ltt.Field{Name: "yes", Type: ltt.Bool}, ltt.Field{Name: "n", Type: ltt.S64},
		ltt.Field{Name: "u", Type: ltt.U64}, ltt.Field{Name: "small", Type: ltt.S16},
		ltt.Field{Name: "d", Type: ltt.Double}, ltt.Field{Name: "text", Type: ltt.Text},
		ltt.Field{Name: "blob", Type: ltt.Blob}, ltt.Field{Name: "hex", Type: ltt.U32 | ltt.Hex},
		ltt.Field{Name: "state", Type: ltt.U8, Labels: "idle=0,run=1"})
	count := describe("count", ltt.Field{Name: "i", Type: ltt.S64})

	must(types.Write(true, -5, uint64(math.MaxUint64), int16(-2), 1.5, "grüße", []byte{0, 255}, uint32(0xbeef), uint8(1)))
	// A goroutine may move to another thread.
	for i := 0; i < 100; i++ {
		must(count.Write(i))
	}
}

func expect(err error) {
	if err == nil || err.Error() == "" {
		panic("no error")
	}
	fmt.Println("refused")
}

func refused() {
	try := func(group, name string, fields ...ltt.Field) {
		_, err := ltt.New(group, name, fields...)
		expect(err)
	}
	try("lang", "a b")
	try("", "x")
	try("lang", "x", ltt.Field{Name: "a b", Type: ltt.S32})
	try("lang", "x", ltt.Field{Name: "a"})
	try("lang", "x", ltt.Field{Name: "a", Type: ltt.Text | ltt.Hex})
	try("lang", "x", make([]ltt.Field, 13)...)
}

func more() {
	event := describe("more", ltt.Field{Name: "n", Type: ltt.S32}, ltt.Field{Name: "text", Type: ltt.Text},
		ltt.Field{Name: "data", Type: ltt.Blob}, ltt.Field{Name: "f", Type: ltt.Float})

	if !event.Enabled() {
		panic("not recorded")
	}
	expect(event.Write(1, "x", []byte{}))
	expect(event.Write("1", "x", []byte{}, 0.0))
	expect(event.Write(1, 2, []byte{}, 0.0))
	expect(event.Write(1, "x", "x", 0.0))
	expect(event.Write(1, "x", []byte{}, 0))
	must(event.Write(7, "", []byte(nil), float32(0.5)))
	must(event.Write(int64(1)<<32+8, strings.Repeat("x", 5000), []byte{1}, 0.0))
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			must(event.Write(9, "goroutine", []byte{2}, 1.0))
			group.Done()
		}()
	}
	group.Wait()
}

func cost() {
	event := describe("cost", ltt.Field{Name: "a", Type: ltt.S64}, ltt.Field{Name: "b", Type: ltt.S64})
	best := math.Inf(1)

	for round := 0; round < 30; round++ {
		start := time.Now()
		for i := 0; i < 10000; i++ {
			must(event.Write(i, i))
		}
		best = math.Min(best, float64(time.Since(start).Nanoseconds())/10000)
	}
	fmt.Printf("%.1f\n", best)
}

func main() {
	modes := map[string]func(){"refused": refused, "more": more, "cost": cost}

	if len(os.Args) > 1 && modes[os.Args[1]] != nil {
		modes[os.Args[1]]()
	} else {
		emit()
	}
}
