// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memories of the functional Spatial library. They are stricter than Spatial's
// simulator, which ignores what is out of range or undefined: here it is an
// error.
package spatial

import java.nio.file.{Files, Paths}

/// Where the program is, for the rules that depend on it.
object Trace {
  /// What comes out of a memory is no constant any more.
  def stored[T](x: T): T = x match {
    case f: Fix[k] => new Fix[k](f.v)(f.k).asInstanceOf[T]
    case _ => x
  }
  final class Frame { var step = 0 }
  var loops = 0 // loops around the current statement
  var machines: List[Frame] = Nil // state machines around it, innermost first
  var inAccel = false
  var memories: List[Tracked] = Nil

  def reset(): Unit = { loops = 0; machines = Nil; inAccel = false; memories = Nil }
  def finish(): Unit = for (m <- memories) m.check()
}

/// The dead-write rule: a state machine is no loop for Spatial's analysis, so
/// a write that only the next step reads is removed.
abstract class Tracked {
  private var writer: Trace.Frame = null
  private var step = 0
  private var lost, found, keep = false
  Trace.memories ::= this
  protected def wrote(): Unit = Trace.machines match {
    case frame :: _ => writer = frame; step = frame.step
    case Nil => writer = null
  }
  protected def wasRead(): Unit =
    if (writer != null) {
      if (Trace.machines.contains(writer) && writer.step != step) lost = true else found = true
    }
  protected def doNotTouch(): Unit = keep = true
  def check(): Unit =
    if (lost && !found && !keep) throw new ShimError("only the next step of a state machine reads this memory: its writes are removed")
}

final class HostArray[T](val data: IndexedSeq[T]) {
  def length: dsl.I32 = dsl.kI32.make(data.size)
  def apply(i: dsl.I32): T = data(i.toInt)
  def map[B](f: T => B): HostArray[B] = new HostArray(data.map(f))
  def zip[B, C](that: HostArray[B])(f: (T, B) => C): HostArray[C] = {
    if (data.size != that.data.size) throw new ShimError("zip of arrays of different length")
    new HostArray(data.zip(that.data).map { case (a, b) => f(a, b) })
  }
  def reduce(f: (T, T) => T): T = data.reduce(f)
}

final class DRAM[T](val size: Int, rows: Int)(implicit val k: Kind[T]) {
  val cells: Array[Any] = Array.fill[Any](size)(k.fromBits(0L))
  def apply(range: Series[dsl.S32]): Slice[T] = new Slice[T](this, range.start.toInt, range.end.toInt)
  def store(sram: SRAM[T]): Unit = apply(dsl.kI32.make(0) until dsl.kI32.make(size)).store(sram)
}

final class Slice[T](val dram: DRAM[T], val lo: Int, val hi: Int) {
  if (lo < 0 || hi > dram.size || lo > hi) throw new ShimError("transfer out of range: " + lo + "::" + hi)
  def store(sram: SRAM[T]): Unit = for (i <- lo until hi) dram.cells(i) = sram.get(i - lo)
}

final class SRAM[T](size: Int, columns: Int)(implicit k: Kind[T]) extends Tracked {
  private val cells = new Array[Any](size)
  private def at(i: Int): Int =
    if (i < 0 || i >= size) throw new ShimError("index " + i + " of an SRAM of " + size) else i
  def get(i: Int): T = {
    wasRead()
    val x = cells(at(i))
    if (x == null) throw new ShimError("element " + i + " of an SRAM is undefined")
    x.asInstanceOf[T]
  }
  def put(i: Int, x: T): Unit = { wrote(); cells(at(i)) = Trace.stored(x) }
  def apply(i: dsl.I32): T = get(i.toInt)
  def update(i: dsl.I32, x: T): Unit = put(i.toInt, x)
  def apply(i: dsl.I32, j: dsl.I32): T = get(i.toInt * columns + j.toInt)
  def update(i: dsl.I32, j: dsl.I32, x: T): Unit = put(i.toInt * columns + j.toInt, x)
  def load(slice: Slice[T]): Unit =
    for (i <- slice.lo until slice.hi) put(i - slice.lo, slice.dram.cells(i).asInstanceOf[T])
  def load(dram: DRAM[T]): Unit = load(new Slice[T](dram, 0, dram.size))
  def dontTouch: SRAM[T] = { doNotTouch(); this }
}

/// A register. In a loop it is not set to its initial value again, so there it
/// is undefined until it is written.
class Reg[T](init: T, host: Boolean) extends Tracked {
  private var current: Option[T] = if (host || Trace.loops == 0) Some(init) else None
  def value: T = {
    wasRead()
    current.getOrElse(throw new ShimError("a register of a loop is read before it is written"))
  }
  def :=(x: T): Unit = { wrote(); current = Some(Trace.stored(x)) }
  def dontTouch: Reg[T] = { doNotTouch(); this }
}

object Files_ {
  def read[T](path: String)(implicit k: Num[T]): HostArray[T] = {
    val bytes = Files.readAllBytes(Paths.get(path))
    val size = k.width / 8
    if (bytes.length % size != 0) throw new ShimError(path + " is not a whole number of elements")
    new HostArray[T](IndexedSeq.tabulate(bytes.length / size) { i =>
      var bits = 0L
      for (b <- size - 1 to 0 by -1) bits = bits << 8 | (bytes(i * size + b) & 0xff)
      k.fromBits(bits)
    })
  }
  def write[T](array: HostArray[T], path: String)(implicit k: Num[T]): Unit = {
    val size = k.width / 8
    val bytes = new Array[Byte](array.data.size * size)
    for ((x, i) <- array.data.zipWithIndex; b <- 0 until size) bytes(i * size + b) = (k.bits(x) >> (8 * b)).toByte
    Files.write(Paths.get(path), bytes)
  }
}
