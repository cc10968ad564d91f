// Macros that apply a macro to each of zero to five arguments, for lines of .def files that end in
// a list.
#ifndef TP_BASE_EACH_H
#define TP_BASE_EACH_H

// The number of arguments, from 0 to 5, as a preprocessor token.
#define TP_COUNT(...) TP_SEVENTH(, ##__VA_ARGS__, 5, 4, 3, 2, 1, 0, )
// The seventh argument.
#define TP_SEVENTH(a, b, c, d, e, f, seventh, ...) seventh

// TP_EACH(X, of, a, b, c) is X(of, a) X(of, b) X(of, c).
#define TP_EACH(X, of, ...) TP_EACH_OF(TP_COUNT(__VA_ARGS__), X, of, ##__VA_ARGS__)
// Steps of TP_EACH. TP_EACH_OF only passes `count` on, so that `count` is a digit by the time
// TP_EACH_OF_COUNT pastes it into a name.
#define TP_EACH_OF(count, X, of, ...) TP_EACH_OF_COUNT(count, X, of, ##__VA_ARGS__)
#define TP_EACH_OF_COUNT(count, X, of, ...) TP_EACH_##count(X, of, ##__VA_ARGS__)
#define TP_EACH_0(X, of, ...)
#define TP_EACH_1(X, of, a) X(of, a)
#define TP_EACH_2(X, of, a, ...) X(of, a) TP_EACH_1(X, of, __VA_ARGS__)
#define TP_EACH_3(X, of, a, ...) X(of, a) TP_EACH_2(X, of, __VA_ARGS__)
#define TP_EACH_4(X, of, a, ...) X(of, a) TP_EACH_3(X, of, __VA_ARGS__)
#define TP_EACH_5(X, of, a, ...) X(of, a) TP_EACH_4(X, of, __VA_ARGS__)

#endif
