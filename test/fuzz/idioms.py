# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nests in the shapes that people write: each function takes a random source
and the name of the nest, and gives the C text and the calls."""

INTS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]


def unsigned(t):
    return "u" + t[1:] if t in INTS else t


def function(name, parameters, body):
    return "__attribute__((noinline)) static u64 %s(%s) {\n%s\n}\n" % (
        name, parameters, "\n".join("  " + l.strip() for l in body.strip().splitlines()))


def calls(r, name, *choices):
    """Four calls, each with one of the choices for each argument."""
    return ["%s(%s)" % (name, ", ".join(r.choice(c) for c in choices)) for _ in range(4)]


def values(*numbers):
    return ["h_value(%d)" % n for n in numbers]


SIZES = values(0, 1, 2, 5, 17, 32)


def places(t, *offsets):
    return ["b_%s + %d" % (t, o) for o in offsets or (0, 1, 2, 8, 64)]


def move(r, name):
    """memmove by hand, both directions."""
    t = r.choice(INTS + ["f32", "f64"])
    down = r.choice(["for (i64 i = n - 1; i >= 0; --i) d[i] = s[i];", "i64 i = n; while (i-- > 0) d[i] = s[i];"])
    up = r.choice(["for (i64 i = 0; i < n; ++i) d[i] = s[i];",
                   "for (const %s *e = s + n; s != e;) *d++ = *s++;" % t])
    return function(name, "%s *d, const %s *s, i64 n" % (t, t), """
        if (d < s) { %s } else { %s }
        return (u64)n;""" % (up, down)), calls(r, name, places(t), places(t), SIZES)


def shift(r, name):
    """A loop-carried store: each element from its neighbour."""
    t, k = r.choice(INTS), r.choice([1, 2, 3])
    return function(name, "%s *a, int n" % t, """
        for (int i = %d; i < n; ++i) a[i] = (%s)((%s)a[i - %d] * 3u + (%s)a[i]);
        return (u64)a[0];""" % (k, t, "u64", k, "u64")), calls(r, name, places(t), SIZES)


def search(r, name):
    t = r.choice(INTS)
    leave = r.choice(["return (u64)i;", "{ found = i; break; }", "{ found = i; goto out; }"])
    return function(name, "const %s *a, int n, %s key" % (t, t), """
        i64 found = -1;
        for (int i = 0; i < n; ++i)
          if (a[i] %s key) %s
        out:;
        return (u64)found * 5;""" % (r.choice(["==", ">", "<"]), leave)), calls(
            r, name, places(t), SIZES, ["(%s)h_value(%d)" % (t, v) for v in (0, 3, 31, 100)])


def search2d(r, name):
    t = r.choice(INTS)
    return function(name, "%s (*a)[8], int n, int m, %s key" % (t, t), """
        int i, j;
        for (i = 0; i < n; ++i) {
          for (j = 0; j < m; ++j) {
            if (a[i][j] == key) goto out;
            a[i][j] ^= 1;
          }
          if (a[i][0] > 9) %s
        }
        return 1000;
        out:
        return (u64)(i * 8 + j);""" % r.choice(["continue;", "break;", "return 7;"])), calls(
            r, name, ["(%s (*)[8])b_%s" % (t, t)], values(0, 1, 4, 12), values(0, 3, 8),
            ["(%s)h_value(%d)" % (t, v) for v in (0, 1, 2, 77)])


def string_length(r, name):
    return function(name, "u8 *s, u8 stop", """
        const u8 *p = s;
        s[40] = stop;
        while (*p != stop) %s
        return (u64)(p - s);""" % r.choice(["++p;", "{ ++p; s[50] += *p; }"])), calls(
            r, name, ["b_u8", "b_u8 + 3", "(u8 *)b_i16 + 2"], ["(u8)h_value(%d)" % v for v in (0, 1, 200)])


def compare_strings(r, name):
    t = r.choice(["u8", "i8", "i32"])
    return function(name, "const %s *a, const %s *b, u64 n" % (t, t), """
        while (n && *a == *b) { ++a; ++b; --n; }
        return n ? (u64)(*a < *b ? 1 : 2) + n * 4 : 0;"""), calls(r, name, places(t), places(t), SIZES)


def binary_search(r, name):
    t = r.choice(INTS)
    return function(name, "%s *a, int n, %s key" % (t, t), """
        for (int i = 0; i < n; ++i) a[i] = (%s)(i * 2);
        int lo = 0, hi = n, steps = 0;
        while (lo < hi) {
          int mid = lo + (hi - lo) / 2;
          ++steps;
          if (a[mid] < key) lo = mid + 1; else hi = mid;
        }
        return (u64)(lo * 100 + steps);""" % t), calls(
            r, name, places(t), SIZES, ["(%s)h_value(%d)" % (t, v) for v in (0, 7, 30, 99)])


def insertion_sort(r, name):
    t = r.choice(INTS)
    return function(name, "%s *a, int n" % t, """
        u64 moves = 0;
        for (int i = 1; i < n; ++i) {
          %s x = a[i];
          int j = i;
          while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; --j; ++moves; }
          a[j] = x;
        }
        return moves;""" % t), calls(r, name, places(t), SIZES)


def bubble_sort(r, name):
    t = r.choice(INTS)
    return function(name, "%s *a, int n" % t, """
        int swapped;
        u64 rounds = 0;
        do {
          swapped = 0;
          for (int i = 1; i < n; ++i)
            if (a[i - 1] > a[i]) { %s t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; swapped = 1; }
          ++rounds;
        } while (swapped);
        return rounds;""" % t), calls(r, name, places(t), values(0, 1, 2, 7, 14))


def histogram(r, name):
    t, c = r.choice(["u8", "u16", "u32", "i32"]), r.choice(["u32", "u16", "u8", "u64"])
    return function(name, "const %s *a, %s *h, u32 n" % (t, c), """
        for (u32 i = 0; i < n; ++i) h[a[i] & 31] += %s;
        %s s = 0;
        for (int i = 0; i < 32; ++i) { s += h[i]; h[i] = s; }
        return s;""" % (r.choice(["1", "(%s)a[i]" % c]), c)), calls(r, name, places(t), places(c, 0, 64), SIZES)


def matrix(r, name):
    t = r.choice(["i32", "u32", "f64", "f32", "u8", "i64"])
    u = unsigned(t) if t != "u8" else "u32"
    order = r.choice(["ijk", "ikj", "kij", "jik"])
    loops = " ".join("for (int %s = 0; %s < n; ++%s)" % (v, v, v) for v in order)
    return function(name, "%s (*c)[6], const %s (*a)[6], %s (*b)[6], int n" % (t, t, t), """
        %s
          c[i][j] %s (%s)((%s)a[i][k] * (%s)b[k][j]);
        return 1;""" % (loops, r.choice(["+=", "-="]) if t[0] != "i" else "=", t, u, u)), calls(
            r, name, *[["(%s (*)[6])(b_%s + %d)" % (t, t, o) for o in (0, 36, 72, 100)]] * 3, values(0, 1, 3, 6))


def transpose(r, name):
    t = r.choice(INTS + ["f64"])
    return function(name, "%s (*a)[7], int n" % t, """
        for (int i = 0; i < n; ++i)
          for (int j = %s; j < %s; ++j) { %s t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; }
        return 3;""" % (*r.choice([("i + 1", "n"), ("0", "i")]), t)), calls(
            r, name, ["(%s (*)[7])(b_%s + %d)" % (t, t, o) for o in (0, 3, 50)], values(0, 1, 2, 5, 7))


def stencil(r, name):
    t = r.choice(["f64", "f32", "i32", "u16"])
    u = {"i32": "u32", "u16": "u32"}.get(t, t)
    e = "(%s)a[i - 1] + (%s)a[i] * %s + (%s)a[i + 1]" % (u, u, "2u" if t in INTS else "0.5", u)
    return function(name, "const %s *a, %s *b, int n, int times" % (t, t), """
        for (int k = 0; k < times; ++k) {
          for (int i = 1; i < n - 1; ++i) b[i] = (%s)(%s);
          const %s *x = a; a = b; b = (%s *)x;
        }
        return 0;""" % (t, e, t, t)), calls(r, name, places(t, 0, 40, 100), places(t, 0, 1, 40), SIZES, values(0, 1, 3))


def stencil2d(r, name):
    return function(name, "int n, int times", """
        for (int t = 0; t < times; ++t)
          for (int i = 1; i < n; ++i)
            for (int j = 1; j < 9; ++j)
              m_f64[i][j] = (m_f64[i - 1][j] + m_f64[i][j - 1] + m_f64[i + 1][j] + m_f64[i][j + 1]) * 0.25;
        return 0;"""), calls(r, name, values(0, 1, 2, 5, 9), values(0, 1, 2))


def crc(r, name):
    bits = r.choice([8, 16, 32])
    t = "u%d" % bits
    poly = {8: 0x8c, 16: 0xa001, 32: 0xedb88320}[bits]
    inner = r.choice([
        "c = (%s)(c & 1 ? (c >> 1) ^ %du : c >> 1);" % (t, poly),
        "c = (%s)((c >> 1) ^ (%du & (0u - (c & 1u))));" % (t, poly)])
    return function(name, "const u8 *p, u64 n", """
        %s c = (%s)~0;
        while (n--) {
          c ^= *p++;
          for (int k = 0; k < 8; ++k) %s
        }
        return c;""" % (t, t, inner)), calls(r, name, places("u8"), SIZES)


def reduction(r, name):
    t = r.choice(INTS + ["f32", "f64"])
    wide = {"f32": "f32", "f64": "f64"}.get(t, "u64")
    step = r.choice(["s += (%s)a[i];" % wide, "if (a[i] > m) { m = a[i]; at = i; }",
                     "m = a[i] < m ? a[i] : m; s += 1;", "s = s * 3 + (%s)a[i]; if (s > 1000) s -= 1000;" % wide])
    out = "F2L(s)" if t[0] == "f" else "(u64)s"
    return function(name, "const %s *a, int n, int step" % t, """
        %s s = 0;
        %s m = a[0];
        int at = -1;
        for (int i = 0; i < n; i += step) { %s }
        return (u64)%s * 7 + (u64)at + (u64)%s;""" % (wide, t, step, out, "F2L(m)" if t[0] == "f" else "m")), calls(
            r, name, places(t), SIZES, values(1, 2, 5))


def dot(r, name):
    t = r.choice(["i16", "i32", "u8", "f32", "f64", "i64"])
    acc = {"f32": "f32", "f64": "f64"}.get(t, "u64")
    return function(name, "const %s *a, const %s *b, int n, int sa, int sb" % (t, t), """
        %s s = 0;
        for (int i = 0; i < n; ++i) s += (%s)a[i * sa] * (%s)b[i * sb];
        return %s;""" % (acc, acc, acc, "F2L(s)" if acc[0] == "f" else "s")), calls(
            r, name, places(t), places(t), SIZES, values(0, 1, 2), values(0, 1, 2))


def triangular(r, name):
    t = r.choice(["i32", "u32", "f64", "u8"])
    return function(name, "%s *a, int n" % t, """
        u64 k = 0;
        for (int i = 0; i < n; ++i)
          for (int j = %s; %s; %s) a[(i * 5 + j) & 127] += (%s)(k++ & 63);
        return k;""" % (*r.choice([("0", "j <= i", "++j"), ("i", "j < n", "++j"), ("i", "j >= 0", "--j"),
                                   ("n - 1", "j > i", "j -= 2")]), "u32" if t == "i32" else t)), calls(
            r, name, ["b_" + t, "b_%s + 9" % t], values(0, 1, 2, 9, 20))


def wrapping(r, name):
    """8 and 16 bit induction variables that wrap."""
    t = r.choice(["u8", "u16", "u8"])
    top = 256 if t == "u8" else 65536
    return function(name, "u32 *a, %s from, %s to" % (t, t), """
        u32 s = 0;
        for (%s i = from; i != to; i %s) { s += i; a[i & 127] ^= s; }
        return s;""" % (t, r.choice(["++", "+= 1", "-= 255" if t == "u8" else "-= 65535"]).replace("++", "+= 1"))), calls(
            r, name, places("u32", 0, 8), ["(%s)h_value(%d)" % (t, v) for v in (0, 5, top - 3, top - 1)],
            ["(%s)h_value(%d)" % (t, v) for v in (0, 2, 5, 9)] if t == "u8" else
            ["(%s)h_value(%d)" % (t, v) for v in (0, 2, 5)])


def down(r, name):
    t = r.choice(INTS)
    return function(name, "%s *a, u32 n" % t, """
        u64 s = 0;
        %s
        return s;""" % r.choice(["while (n--) { s = s * 3 + (u64)a[n]; a[n] = (%s)s; }" % t,
                                 "for (u32 i = n; i > 0; --i) { s += (u64)a[i - 1]; a[i - 1] = (%s)i; }" % t,
                                 "for (i32 i = (i32)n - 1; i >= 0; i -= 3) { s ^= (u64)a[i] << (i & 7); }"])), calls(
            r, name, places(t), SIZES)


def state_machine(r, name):
    last = r.choice(["return n;", "state = 0;", "break;"])
    return function(name, "const u8 *s, u32 len", """
        int state = 0;
        u64 n = 0;
        for (u32 i = 0; i < len; ++i) {
          switch (state) {
          case 0: if (s[i] & 1) state = 1; else n += 1; break;
          case 1: state = s[i] > 20 ? 2 : 0; %s
          case 2: n += s[i]; if (n & 4) { state = 3; continue; } break;
          case 3: if (s[i] == 0) %s state = (int)(n & 3); break;
          default: state = 0;
          }
          n = n * 3 + (u64)state;
        }
        return n;""" % (r.choice(["break;", "/* falls through */"]), last)), calls(r, name, places("u8"), SIZES)


def chase(r, name):
    return function(name, "u32 at, int fuel", """
        u64 s = 0;
        %s
        return s + at;""" % r.choice([
            "while (fuel-- > 0) { at = next16[at & 63]; s = s * 31 + at; }",
            "do { at = next16[at & 63]; s += at; if (at == 0) return s; } while (--fuel > 0);",
            "for (; at != 5 && fuel; --fuel) { u16 n = next16[at & 63]; next16[at & 63] = (u16)(n ^ 1); at = n; ++s; }"])), calls(
                r, name, ["(u32)h_value(%d)" % v for v in (0, 1, 33)], ["(int)h_value(%d)" % v for v in (0, 1, 20, 50)])


def structures(r, name):
    return function(name, "struct rec *a, const struct rec *b, int n, int k", """
        f64 t = 0;
        for (int i = 0; i < n; ++i) {
          %s
          for (int j = 0; j < 4; ++j) a[i].s[j] = (i16)(b[i].s[3 - j] + j);
          a[i].p[i & 1].i = b[i].p[1].c - k;
          if (b[i].d < 100.0) t += b[i].d;
        }
        return F2L(t);""" % r.choice(["a[i] = b[i];", "a[i].w = b[i].w * 3 + a[i].c;",
                                      "if (b[i].i == k) continue; a[i].h++;"])), calls(
            r, name, ["b_rec + %d" % o for o in (0, 1, 8, 20)], ["b_rec + %d" % o for o in (0, 1, 8)],
            values(0, 1, 6, 16), values(0, 3, -100))


def hidden_memory(r, name):
    """Loops that the compiler turns into memset and memcpy."""
    t = r.choice(INTS)
    return function(name, "%s *restrict a, %s *restrict b, int n" % (t, t), """
        u64 s = 0;
        for (int k = 0; k < 3; ++k) {
          for (int i = 0; i < n; ++i) %s
          s += (u64)b[k];
          b[k] = (%s)(s + 1);
        }
        return s;""" % (r.choice(["a[i] = 0;", "a[i] = b[i];", "a[i] = (%s)0x%s;" % (t, "5" * 2)]), t)), calls(
            r, name, places(t, 0, 20), places(t, 80, 100), SIZES)


def sieve(r, name):
    t = r.choice(["u8", "i32", "u64"])
    return function(name, "int n", """
        %s flags[64];
        memset(flags, 0, sizeof flags);
        u64 primes = 0;
        for (int i = 2; i < n; ++i) {
          if (flags[i]) continue;
          ++primes;
          for (int j = i + i; j < n; j += i) flags[j] = 1;
        }
        return primes;""" % t), calls(r, name, values(0, 2, 3, 30, 64))


def euclid(r, name):
    t = r.choice(["u32", "u64", "u16", "u8"])
    return function(name, "%s *a, int n, %s b" % (t, t), """
        u64 s = 0;
        for (int i = 0; i < n; ++i) {
          %s x = a[i], y = b;
          while (y != 0) { %s r = (%s)(x %% y); x = y; y = r; ++s; }
          a[i] = x;
        }
        return s;""" % (t, t, t)), calls(r, name, places(t), SIZES, ["(%s)h_value(%d)" % (t, v) for v in (0, 1, 36, 255)])


def run_length(r, name):
    return function(name, "const u8 *in, u8 *out, int n", """
        int i = 0, o = 0;
        while (i < n) {
          int run = 1;
          while (i + run < n && in[i + run] == in[i] && run < %d) ++run;
          out[o & 63] = (u8)run; out[(o + 1) & 63] = in[i];
          o += 2; i += run;
        }
        return (u64)o;""" % r.choice([3, 9, 255])), calls(r, name, ["b_u8", "(u8 *)b_u32 + 1"], ["b_u8 + 70", "b_u8", "b_u8 + 1"], SIZES)


def prefix(r, name):
    t = r.choice(["u32", "u8", "u64", "f32", "f64"])
    return function(name, "%s *a, const %s *b, int n" % (t, t), """
        %s s = 0;
        for (int i = 0; i < n; ++i) { s += b[i]; %s }
        return %s;""" % (t, r.choice(["a[i] = s;", "a[n - 1 - i] = s;", "a[i] += s; if (a[i] > 200) s = 0;"]),
                         "F2L(s)" if t[0] == "f" else "s")), calls(r, name, places(t), places(t), SIZES)


def computed_exits(r, name):
    """Several exits, all of them countable."""
    return function(name, "i32 *a, u32 n, u32 m", """
        u32 i = 0;
        for (;; ++i) {
          if (i >= n) %s
          a[i & 63] ^= (i32)i;
          if (i == m) return 2 + i;
        }
        return 1 + i;""" % r.choice(["break;", "return 9;"])), calls(r, name, places("i32", 0, 5), SIZES, SIZES)


def mandelbrot(r, name):
    t = r.choice(["f64", "f32"])
    return function(name, "u8 *out, int n, %s scale" % t, """
        u64 total = 0;
        for (int y = 0; y < n; ++y)
          for (int x = 0; x < n; ++x) {
            %s cr = (%s)x * scale - 2, ci = (%s)y * scale - 1, zr = 0, zi = 0;
            int k = 0;
            while (k < 12 && zr * zr + zi * zi < 4) {
              %s next = zr * zr - zi * zi + cr;
              zi = 2 * zr * zi + ci; zr = next; ++k;
            }
            out[(y * n + x) & 127] = (u8)k; total += (u64)k;
          }
        return total;""" % (t, t, t, t)), calls(r, name, places("u8", 0, 3), values(0, 1, 4, 6),
                                                ["(%s)h_value(1) / 3" % t, "(%s)h_value(1) / 2" % t])


def string_calls(r, name):
    """Functions of the C library that are loops over bytes."""
    step = r.choice([
        "h = h * 5 + strlen(p);", "h += strnlen(p, m);", "q = strchr(p, key);", "q = strrchr(p, key);",
        "q = memchr(p, key, m);", "h = h * 3 + (strcmp(p, t) < 0);", "h = h * 3 + (strncmp(p, t, m) > 0);",
        "if (memcmp(p, t, m) == 0) s[i] ^= 1;", "h = h * 3 + (memcmp(t, p, m) <= 0);", "strcpy((char *)b_i8, p);",
        "q = stpcpy((char *)b_i8, p) - (char *)b_i8 + p;"])
    zero = r.choice(["", "s[i * 7 & 63] = 0;", "if (i & 1) s[i + 3] = 0;"])
    return function(name, "u8 *s, const char *t, int n, int key, u64 m", """
        u64 h = 7;
        s[80] = 0;
        for (int i = 0; i < n; ++i) {
          const char *p = (const char *)s + i, *q = 0;
          %s
          %s
          if (q) h = h * 3 + (u64)(q - p);
        }
        return h;""" % (zero, step)), calls(
            r, name, places("u8"), ['"\\x81\\x02 a text of some length that ends"', "(const char *)b_u8 + 5"],
            SIZES, values(0, 3, 255, 300), values(0, 1, 2, 9))


def wide_integers(r, name):
    """128 bits, inside of the nest only."""
    k = r.choice([1, 7, 63, 64, 65, 100, 127])
    steps = [
        "x += y;", "x -= y;", "x *= y;", "x ^= y >> %d;" % k, "x <<= b[i] & 127;", "y >>= a[i] & 127;",
        "x = (wide)((swide)x >> (b[i] & 127));", "x = x < y ? x : y;", "x = (swide)x < (swide)y ? y : x;",
        "x &= ~y;", "x |= (wide)a[i] << %d;" % k, "y = x << %d | x >> %d;" % (k, 128 - k), "if (x == y) y = 3;",
        "x = (wide)((swide)(i64)a[i] * (i64)b[i]);", "y = (swide)x <= 0 ? -x : x;", "a[i] = (u64)(x >> %d);" % k]
    start = r.choice(["(wide)a[i] * b[i]", "(wide)a[i] << 64 | b[i]", "(wide)(swide)(i64)a[i]"])
    return function(name, "u64 *a, const u64 *b, int n", """
        typedef unsigned __int128 wide;
        typedef __int128 swide;
        wide y = 1;
        u64 h = 7;
        for (int i = 0; i < n; ++i) {
          wide x = %s;
          %s
          h = h_mix(h_mix(h, (u64)x), (u64)(x >> 64));
        }
        return h ^ (u64)y;""" % (start, " ".join(r.choice(steps) for _ in range(r.choice([1, 3, 5]))))), calls(
            r, name, places("u64"), places("u64"), SIZES)


ALL = [move, shift, search, search2d, string_length, compare_strings, binary_search, insertion_sort,
       bubble_sort, histogram, matrix, transpose, stencil, stencil2d, crc, reduction, dot, triangular,
       wrapping, down, state_machine, chase, structures, hidden_memory, sieve, euclid, run_length, prefix,
       computed_exits, mandelbrot, string_calls, wide_integers]
