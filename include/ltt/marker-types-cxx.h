/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The types of trace_mark()'s arguments, in C++11 and later.  See marker-types.h.
 */
#ifndef LTT_MARKER_TYPES_CXX_H
#define LTT_MARKER_TYPES_CXX_H

#include <cstddef>
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

/* Types of C++ that C has as integers. */
template <>
struct integer_of<wchar_t, false> {
	typedef std::conditional<std::is_signed<wchar_t>::value, int, unsigned int>::type type;
};

template <>
struct integer_of<char16_t, false> {
	typedef unsigned short type;
};

template <>
struct integer_of<char32_t, false> {
	typedef unsigned int type;
};

#ifdef __cpp_char8_t
template <>
struct integer_of<char8_t, false> {
	typedef unsigned char type;
};
#endif

template <>
struct integer_of<std::nullptr_t, false> {
	typedef void *type;
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
LTT_MARK_TYPE_IS(float, LTT_MARK_FLOAT);
LTT_MARK_TYPE_IS(double, LTT_MARK_DOUBLE);
LTT_MARK_TYPE_IS(char *, LTT_MARK_STRING);
LTT_MARK_TYPE_IS(const char *, LTT_MARK_STRING);
LTT_MARK_TYPE_IS(volatile char *, LTT_MARK_STRING);
LTT_MARK_TYPE_IS(const volatile char *, LTT_MARK_STRING);
#undef LTT_MARK_TYPE_IS

constexpr bool is_integer(int type)
{
	return type > LTT_MARK_STRING && type < LTT_MARK_FLOAT;
}

/* As it is passed by value: an array is a pointer, and nothing is const. */
template <typename T>
struct mark_arg {
	typedef typename integer_of<typename std::decay<T>::type>::type by_value;
	typedef typename std::remove_cv<typename std::remove_pointer<by_value>::type>::type pointed;
	static constexpr int type = mark_type<by_value>::value;
	static constexpr int size = sizeof(by_value);
	static constexpr int is_signed = std::is_integral<by_value>::value &&
					 std::is_signed<by_value>::value;
	static constexpr int pointed_type = mark_type<typename integer_of<pointed>::type>::value;
	static constexpr int element = std::is_pointer<by_value>::value && is_integer(pointed_type) ?
				       pointed_type : LTT_MARK_POINTER;
	static constexpr bool valid = std::is_pointer<by_value>::value || type > LTT_MARK_STRING;
	static constexpr bool is_64 = type >= LTT_MARK_LONG && type <= LTT_MARK_ULLONG && size == 8;
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

inline unsigned long long mark_word(std::nullptr_t)
{
	return 0;
}

inline unsigned long long mark_word(float number)
{
	unsigned int word;

	__builtin_memcpy(&word, &number, sizeof(word));
	return word;
}

inline unsigned long long mark_word(double number)
{
	unsigned long long word;

	__builtin_memcpy(&word, &number, sizeof(word));
	return word;
}

/* See LTT_MARK_PRINTED() in marker-types.h. */
template <typename T, int as>
struct mark_printed {
	typedef mark_arg<T> arg;
	typedef typename std::conditional<
		as == LTT_MARK_AS_LENGTH && is_integer(arg::type), int, typename std::conditional<
		arg::type == LTT_MARK_FLOAT, double, typename std::conditional<
		as == LTT_MARK_AS_LLONG && arg::is_64,
		typename std::conditional<arg::is_signed, long long, unsigned long long>::type,
		typename std::conditional<as == LTT_MARK_AS_LONG && arg::is_64 && sizeof(long) == 8,
		typename std::conditional<arg::is_signed, long, unsigned long>::type,
		typename arg::by_value>::type>::type>::type>::type type;
};

template <int as, typename T>
inline typename std::enable_if<mark_arg<T>::type != LTT_MARK_POINTER,
			       typename mark_printed<T, as>::type>::type
mark_print(T value)
{
	return static_cast<typename mark_printed<T, as>::type>(value);
}

template <int as, typename T>
inline typename std::enable_if<mark_arg<T *>::type == LTT_MARK_POINTER, void *>::type
mark_print(T *pointer)
{
	return reinterpret_cast<void *>(reinterpret_cast<unsigned long>(pointer));
}

template <int as>
inline void *mark_print(std::nullptr_t)
{
	return nullptr;
}

} /* namespace ltt */

#define LTT_MARK_TYPE(x)	(::ltt::mark_arg<decltype(x)>::type)
#define LTT_MARK_SIZE(x)	(::ltt::mark_arg<decltype(x)>::size)
#define LTT_MARK_SIGNED(x)	(::ltt::mark_arg<decltype(x)>::is_signed)
#define LTT_MARK_ELEMENT(x)	(::ltt::mark_arg<decltype(x)>::element)
#define LTT_MARK_WORD(x)	(::ltt::mark_word(x))
#define LTT_MARK_PRINTED(x, as)	(::ltt::mark_print<as>(x))

#define LTT_MARK_IS_FLOATING(x)						\
	(std::is_floating_point<typename std::decay<decltype(x)>::type>::value)

#define LTT_MARK_CHECK_ARG(x)						\
	static_assert(::ltt::mark_arg<decltype(x)>::valid,		\
		      "trace_mark: each argument must be a number, but not a long double, or a pointer");

#endif /* LTT_MARKER_TYPES_CXX_H */
