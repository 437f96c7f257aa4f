/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The types of trace_mark()'s arguments, in C++11 and later.  See marker-types.h.
 */
#ifndef LTT_MARKER_TYPES_CXX_H
#define LTT_MARKER_TYPES_CXX_H

#include <type_traits>

namespace ltt {

template <typename T, bool is_enum = std::is_enum<T>::value>
struct integer_of {
	typedef T type;
};

template <typename T>
struct integer_of<T, true> {
	typedef typename std::underlying_type<T>::type type;
};

/* A type in no list below is a pointer, or cannot be recorded. */
template <typename T>
struct mark_type {
	static constexpr int value = LTT_MARK_POINTER;
};

#define LTT_MARK_TYPE_IS(T, number)	\
	template <> struct mark_type<T> { static constexpr int value = number; }

LTT_MARK_TYPE_IS(bool, LTT_MARK_BOOL);
LTT_MARK_TYPE_IS(char, LTT_MARK_CHAR);
LTT_MARK_TYPE_IS(signed char, LTT_MARK_SCHAR);
LTT_MARK_TYPE_IS(unsigned char, LTT_MARK_UCHAR);
LTT_MARK_TYPE_IS(short, LTT_MARK_SHORT);
LTT_MARK_TYPE_IS(unsigned short, LTT_MARK_USHORT);
LTT_MARK_TYPE_IS(int, LTT_MARK_INT);
LTT_MARK_TYPE_IS(unsigned int, LTT_MARK_UINT);
LTT_MARK_TYPE_IS(long, LTT_MARK_LONG);
LTT_MARK_TYPE_IS(unsigned long, LTT_MARK_ULONG);
LTT_MARK_TYPE_IS(long long, LTT_MARK_LLONG);
LTT_MARK_TYPE_IS(unsigned long long, LTT_MARK_ULLONG);
LTT_MARK_TYPE_IS(char *, LTT_MARK_STRING);
LTT_MARK_TYPE_IS(const char *, LTT_MARK_STRING);
LTT_MARK_TYPE_IS(volatile char *, LTT_MARK_STRING);
LTT_MARK_TYPE_IS(const volatile char *, LTT_MARK_STRING);
#undef LTT_MARK_TYPE_IS

/* As it is passed by value: an array is a pointer, and nothing is const. */
template <typename T>
struct mark_arg {
	typedef typename integer_of<typename std::decay<T>::type>::type by_value;
	static constexpr int type = mark_type<by_value>::value;
	static constexpr int size = sizeof(by_value);
	static constexpr int is_signed = std::is_integral<by_value>::value &&
					 std::is_signed<by_value>::value;
	static constexpr bool valid = std::is_pointer<by_value>::value ||
				      type > LTT_MARK_STRING;
};

template <typename T>
inline unsigned long long mark_word(T *pointer)
{
	return reinterpret_cast<unsigned long>(pointer);
}

template <typename T>
inline typename std::enable_if<!std::is_pointer<T>::value, unsigned long long>::type
mark_word(T number)
{
	return static_cast<unsigned long long>(number);
}

} /* namespace ltt */

#define LTT_MARK_TYPE(x)	(::ltt::mark_arg<decltype(x)>::type)
#define LTT_MARK_SIZE(x)	(::ltt::mark_arg<decltype(x)>::size)
#define LTT_MARK_SIGNED(x)	(::ltt::mark_arg<decltype(x)>::is_signed)
#define LTT_MARK_WORD(x)	(::ltt::mark_word(x))

#define LTT_MARK_CHECK_ARG(x)						\
	static_assert(::ltt::mark_arg<decltype(x)>::valid,		\
		      "trace_mark: each argument must be an integer or a pointer");

#endif /* LTT_MARKER_TYPES_CXX_H */
