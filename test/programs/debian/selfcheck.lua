-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Exercises the interpreter: tables, strings, sorting, closures, coroutines,
-- metatables, errors, the collector, numbers. Every result is checked; prints
-- what it counted. Deterministic.

local checks = 0
local function same(got, want, what)
  checks = checks + 1
  if got ~= want then
    error(string.format("%s: got %s, want %s", what, tostring(got), tostring(want)), 2)
  end
end

-- A generator of our own, so that nothing depends on math.random.
local state = 42
local function rnd(n)
  state = (state * 1103515245 + 12345) & 0x7fffffff
  return state % n + 1
end

-- Tables: array and hash parts grow, holes, length, next, removal.
do
  local t = {}
  for i = 1, 3000 do t[i] = i * i end
  same(#t, 3000, "length")
  for i = 3000, 1501, -1 do t[i] = nil end
  same(#t, 1500, "length after removal")
  local h, n = {}, 0
  for i = 1, 2000 do h["k" .. i % 700] = i end
  for _ in pairs(h) do n = n + 1 end
  same(n, 700, "keys")
  for k in pairs(h) do h[k] = nil end
  same(next(h), nil, "empty again")
  same(select("#", table.unpack({1, nil, 3}, 1, 3)), 3, "unpack")
  same(table.concat({1, 2, 3.5, "x"}, ","), "1,2,3.5,x", "concat")
  local moved = table.move({1, 2, 3, 4, 5}, 2, 5, 1)
  same(moved[4], 5, "move")
end

-- Sorting, with and without a comparison.
do
  local t = {}
  for i = 1, 800 do t[i] = rnd(100000) end
  table.sort(t)
  for i = 2, #t do same(t[i - 1] <= t[i], true, "sorted") end
  table.sort(t, function(a, b) return a > b end)
  for i = 2, #t do same(t[i - 1] >= t[i], true, "sorted backwards") end
  same(pcall(table.sort, {3, 1, "x"}), false, "sort of mixed types")
end

-- Strings: patterns, formats, packing, long strings, reversal.
do
  local s = string.rep("the quick brown fox ", 60)
  local count = 0
  for w in s:gmatch("%a+") do count = count + #w end
  same(count, 60 * 16, "gmatch")
  same((s:gsub("quick", "slow")):find("quick", 1, true), nil, "gsub")
  same(("x"):rep(10, "-"), "x-x-x-x-x-x-x-x-x-x", "rep")
  same(string.format("%5.2f|%-6s|%04x|%q", 3.14159, "ab", 255, "a\n"), ' 3.14|ab    |00ff|"a\\\n"', "format")
  local p = string.pack("<i4 z s2 d", -7, "zero", "sized", 0.1)
  local a, b, c, d = string.unpack("<i4 z s2 d", p)
  same(a == -7 and b == "zero" and c == "sized" and d == 0.1, true, "pack")
  same(("abc"):reverse():upper(), "CBA", "reverse")
  same(#string.rep("a", 100000), 100000, "long string")
  same(("%d+"):len() + #("a,b,,c"):gsub(",", ";"), 9, "lengths")
  same(utf8.len("äöü€"), 4, "utf8")
  same(tostring(tonumber("0x1p4")) .. tostring(tonumber("  12  ")), "16.012", "tonumber")
end

-- Numbers: integer wrap-around, division, bit operations, conversions.
do
  same(math.maxinteger + 1, math.mininteger, "wrap")
  same(-7 // 2, -4, "floor division")
  same(-7 % 3, 2, "modulo")
  same(7.5 // 2, 3.0, "float floor division")
  same(1 << 63, math.mininteger, "shift")
  same(~0 >> 60, 15, "logical shift")
  same(math.type(3 // 1), "integer", "type")
  same(string.format("%a", 0.1), "0x1.999999999999ap-4", "hexadecimal float")
  local sum, h = 0.0, 1
  for i = 1, 5000 do
    sum = sum + 1.0 / i
    h = (h * 31 + i) & 0xffffffff
  end
  same(string.format("%.10f", sum), "9.0945088530", "harmonic sum")
  same(h, 58370373, "hash")
end

-- Closures, varargs, recursion, tail calls, goto.
do
  local function counter()
    local n = 0
    return function() n = n + 1 return n end
  end
  local a, b = counter(), counter()
  a() a()
  same(a() * 10 + b(), 31, "closures")
  local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
  same(fib(18), 2584, "fib")
  local function loop(n) if n == 0 then return "done" end return loop(n - 1) end
  same(loop(50000), "done", "tail call")
  local i = 0
  ::again::
  i = i + 1
  if i < 10 then goto again end
  same(i, 10, "goto")
end

-- Coroutines, errors, to-be-closed variables.
do
  local co = coroutine.wrap(function(a)
    for i = 1, 100 do a = a + coroutine.yield(a) end
    return "end"
  end)
  local v = co(1)
  for i = 1, 99 do v = co(i) end
  same(v, 4951, "coroutine")
  same(co(0), "end", "coroutine ends")
  local ok, err = pcall(function() error({code = 7}) end)
  same(ok == false and err.code, 7, "error value")
  same(select(2, pcall(error, "text", 0)), "text", "error text")
  local closed = 0
  do
    local x <close> = setmetatable({}, {__close = function() closed = closed + 1 end})
  end
  same(closed, 1, "close")
  same(select(2, xpcall(function() local t = nil; return t.x end, function(m) return "handled" end)), "handled", "xpcall")
end

-- Metatables and inheritance.
do
  local V = {}
  V.__index = V
  V.__add = function(a, b) return setmetatable({x = a.x + b.x}, V) end
  V.__eq = function(a, b) return a.x == b.x end
  V.__lt = function(a, b) return a.x < b.x end
  V.__len = function(a) return a.x end
  V.__call = function(a, y) return a.x * y end
  V.__concat = function(a, b) return "v" .. (a.x or 0) end
  local a, b = setmetatable({x = 2}, V), setmetatable({x = 3}, V)
  same((a + b).x, 5, "__add")
  same(a == setmetatable({x = 2}, V), true, "__eq")
  same(a < b, true, "__lt")
  same(#a + a(10), 22, "__len and __call")
  same(a .. b, "v2", "__concat")
  local log = {}
  local proxy = setmetatable({}, {__index = function(_, k) return k .. "!" end,
                                  __newindex = function(_, k, v) log[#log + 1] = k end})
  proxy.a = 1
  same(proxy.b .. log[1], "b!a", "proxy")
end

-- The collector: weak tables, finalisers, both modes.
do
  for _, mode in ipairs({"incremental", "generational", "incremental"}) do
    collectgarbage(mode)
    local weak = setmetatable({}, {__mode = "k"})
    for i = 1, 300 do weak[{}] = i end
    local kept = {}
    weak[kept] = "kept"
    collectgarbage() collectgarbage()
    local n = 0
    for _ in pairs(weak) do n = n + 1 end
    same(n, 1, "weak table")
    local finalised = 0
    for i = 1, 50 do setmetatable({}, {__gc = function() finalised = finalised + 1 end}) end
    collectgarbage() collectgarbage()
    same(finalised, 50, "finalisers")
  end
end

-- load, require's pieces, string.dump.
do
  same(load("return 1 + ...")(41), 42, "load")
  same(load(string.dump(function(x) return x * 2 end))(21), 42, "dump")
  same(load("syntax error here"), nil, "syntax error")
  local env = {}
  load("y = 5", "chunk", "t", env)()
  same(env.y, 5, "environment")
end

-- Classic programs: sieve, queens, matrix product.
do
  local composite, primes = {}, 0
  for i = 2, 3000 do
    if not composite[i] then
      primes = primes + 1
      for j = i * i, 3000, i do composite[j] = true end
    end
  end
  same(primes, 430, "primes")
  local function queens(n)
    local cols, d1, d2, found = {}, {}, {}, 0
    local function place(r)
      if r > n then found = found + 1 return end
      for c = 1, n do
        if not (cols[c] or d1[r + c] or d2[r - c]) then
          cols[c], d1[r + c], d2[r - c] = true, true, true
          place(r + 1)
          cols[c], d1[r + c], d2[r - c] = nil, nil, nil
        end
      end
    end
    place(1)
    return found
  end
  same(queens(6), 4, "queens")
  local n, a = 20, {}
  for i = 1, n do a[i] = {} for j = 1, n do a[i][j] = i + j end end
  local trace = 0
  for i = 1, n do
    for k = 1, n do trace = trace + a[i][k] * a[k][i] end
  end
  same(trace, 203000, "matrix")
end

print(checks .. " checks passed")
