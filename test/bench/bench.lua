-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Work for an interpreter: arithmetic, tables, strings, calls, the collector.

local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end

local function sieve(n)
  local composite, count = {}, 0
  for i = 2, n do
    if not composite[i] then
      count = count + 1
      for j = i * i, n, i do composite[j] = true end
    end
  end
  return count
end

local function matrix(n)
  local a = {}
  for i = 1, n do
    a[i] = {}
    for j = 1, n do a[i][j] = (i * j) % 7 + 0.5 end
  end
  local sum = 0.0
  for i = 1, n do
    for j = 1, n do
      local s = 0.0
      for k = 1, n do s = s + a[i][k] * a[k][j] end
      sum = sum + s
    end
  end
  return sum
end

local function words(n)
  local counts, seed = {}, 1
  for _ = 1, n do
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    local w = string.format("w%d", seed % 5000)
    counts[w] = (counts[w] or 0) + 1
  end
  local keys = {}
  for k in pairs(counts) do keys[#keys + 1] = k end
  table.sort(keys)
  return #keys .. keys[1]:rep(3):gsub("w", "-")
end

print(fib(29), sieve(600000), matrix(100), (words(160000)))
