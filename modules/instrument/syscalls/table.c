// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of system calls, from the lines that "generate" wrote.
 *
 * Layer: instrument.  A line is
 *
 *	LTT_SYSCALL(ABI, NUMBER, NAME, RETURNS, FIELD...)
 *
 * where each FIELD is LTT_VALUE(), LTT_STRING(), LTT_MEMBER() or LTT_SOCKADDR() with the index
 * of its argument.  The lines are read three times, with other definitions of these: for the
 * descriptions of the fields, for the steps that pack them, and for the calls.
 */
#include "headers.h"

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/stddef.h>

#include "syscall.h"

/* ---- The fields ---- */

#define LTT_IS_POINTER(type)	(__builtin_classify_type((type)0) == 5)
#define LTT_TYPE_OF(target, member)	typeof(((target *)0)->member)

#define LTT_VALUE(_arg, _type, _name, _base)					\
	{ .name = _name, .type = #_type, .kind = LTT_FIELD_INT, .size = sizeof(_type),	\
	  .is_signed = !LTT_IS_POINTER(_type) && is_signed_type(_type), .base = _base },
#define LTT_STRING(_arg, _name)							\
	{ .name = _name, .type = "const char *", .kind = LTT_FIELD_STRING, .size = 1, .base = 10 },
#define LTT_MEMBER(_arg, _target, _member, _name, _base)			\
	{ .name = _name, .type = #_target, .kind = LTT_FIELD_INT,		\
	  .size = sizeof(LTT_TYPE_OF(_target, _member)),			\
	  .is_signed = is_signed_type(LTT_TYPE_OF(_target, _member)), .base = _base },
#define LTT_SOCKADDR(_arg, _name)						\
	{ .name = _name, .type = "struct sockaddr", .kind = LTT_FIELD_SEQUENCE, .size = 1,	\
	  .base = 16 },
#define LTT_SYSCALL(_abi, _number, _name, _returns, ...)				\
	static const struct ltt_field _abi##_fields_##_number[] = {		\
		__VA_ARGS__							\
		{ .name = "unread", .type = "bits of arguments", .kind = LTT_FIELD_INT,	\
		  .size = 1, .base = 16 },					\
	};
#include "gen/native.h"
#include "gen/compat.h"

/* ---- The steps ---- */

/* Prototypes are split at commas, of which an attribute could have more. */
#define LTT_ARG(_arg)	((_arg) + BUILD_BUG_ON_ZERO((_arg) >= LTT_SYSCALL_ARGS))

#undef LTT_VALUE
#define LTT_VALUE(_arg, _type, _name, _base)					\
	{ .arg = LTT_ARG(_arg), .how = LTT_STEP_VALUE, .size = sizeof(_type) },
#undef LTT_STRING
#define LTT_STRING(_arg, _name)							\
	{ .arg = LTT_ARG(_arg), .how = LTT_STEP_STRING },
#undef LTT_MEMBER
#define LTT_MEMBER(_arg, _target, _member, _name, _base)			\
	{ .arg = LTT_ARG(_arg), .how = LTT_STEP_MEMBER, .size = sizeof(LTT_TYPE_OF(_target, _member)),	\
	  .offset = offsetof(_target, _member) },
#undef LTT_SOCKADDR
#define LTT_SOCKADDR(_arg, _name)						\
	{ .arg = LTT_ARG((_arg) + 1) - 1, .how = LTT_STEP_SOCKADDR },	/* then its length */
#undef LTT_SYSCALL
#define LTT_SYSCALL(_abi, _number, _name, _returns, ...)				\
	static const struct ltt_syscall_step _abi##_steps_##_number[] = { __VA_ARGS__ };
#include "gen/native.h"
#include "gen/compat.h"

/* ---- The calls ---- */

#define LTT_PREFIX_native	""
#define LTT_PREFIX_compat	"compat_"
#define LTT_IS_COMPAT_native	false
#define LTT_IS_COMPAT_compat	true

#undef LTT_SYSCALL
#define LTT_SYSCALL(_abi, _number, _name, _returns, ...)			\
	{ .plain = _name, .name = LTT_PREFIX_##_abi _name,			\
	  .exit_name = LTT_PREFIX_##_abi _name "_exit",				\
	  .fields = _abi##_fields_##_number, .steps = _abi##_steps_##_number,	\
	  .nr_steps = ARRAY_SIZE(_abi##_steps_##_number), .number = _number,	\
	  .is_compat = LTT_IS_COMPAT_##_abi, .returns = _returns },

struct ltt_syscall ltt_native_syscalls[] = {
#include "gen/native.h"
};
const unsigned int ltt_nr_native_syscalls = ARRAY_SIZE(ltt_native_syscalls);

struct ltt_syscall ltt_compat_syscalls[] = {
#include "gen/compat.h"
};
const unsigned int ltt_nr_compat_syscalls = ARRAY_SIZE(ltt_compat_syscalls);
