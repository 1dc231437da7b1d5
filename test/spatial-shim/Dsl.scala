// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of `import spatial.dsl._`: types, literals, controllers, host
// functions.
package spatial

import scala.annotation.StaticAnnotation

class MissingArgument extends RuntimeException

trait SpatialApp {
  def main(args: HostArray[String]): Unit
  /// Like a generated app: a missing argument prints help and is no failure.
  def main(argv: Array[String]): Unit = if (run(argv) != 0) sys.exit(1)
  def run(argv: Array[String]): Int = {
    val args = new IndexedSeq[String] {
      def length = argv.length
      def apply(i: Int) = if (i < argv.length) argv(i) else throw new MissingArgument
    }
    try { main(new HostArray[String](args)); 0 }
    catch {
      case _: MissingArgument => Console.println("usage: all arguments of the app"); 0
      case e: Throwable => Console.println("error: " + e); 1
    }
  }
}

/// Runs many apps in one JVM: a line of the file is an app object and its
/// arguments, separated by tabs.
object Batch {
  def main(argv: Array[String]): Unit =
    for (line <- scala.io.Source.fromFile(argv(0)).getLines) {
      val words = line.split("\t", -1)
      Trace.reset()
      Console.println("@begin")
      val app = Class.forName(words(0) + "$").getField("MODULE$").get(null).asInstanceOf[SpatialApp]
      Console.println("@exit " + app.run(words.tail))
    }
}

object dsl {
  class spatial extends StaticAnnotation
  type SpatialApp = _root_.spatial.SpatialApp

  sealed trait S8; sealed trait S16; sealed trait S32; sealed trait S64
  sealed trait N8; sealed trait N16; sealed trait N32; sealed trait N64
  sealed trait F32K; sealed trait F64K
  type I8 = Fix[S8]; type I16 = Fix[S16]; type I32 = Fix[S32]; type I64 = Fix[S64]
  type U8 = Fix[N8]; type U16 = Fix[N16]; type U32 = Fix[N32]; type U64 = Fix[N64]
  type Byte = I8; type Short = I16; type Int = I32; type Long = I64
  type Float = Flt[F32K]; type Double = Flt[F64K]
  type Bit = _root_.spatial.Bit; type Boolean = Bit
  type Array[T] = HostArray[T]

  implicit val kI8: FixKind[S8] = new FixKind[S8](true, 8)
  implicit val kI16: FixKind[S16] = new FixKind[S16](true, 16)
  implicit val kI32: FixKind[S32] = new FixKind[S32](true, 32)
  implicit val kI64: FixKind[S64] = new FixKind[S64](true, 64)
  implicit val kU8: FixKind[N8] = new FixKind[N8](false, 8)
  implicit val kU16: FixKind[N16] = new FixKind[N16](false, 16)
  implicit val kU32: FixKind[N32] = new FixKind[N32](false, 32)
  implicit val kU64: FixKind[N64] = new FixKind[N64](false, 64)
  implicit val kF32: FltKind[F32K] = new FltKind[F32K](true)
  implicit val kF64: FltKind[F64K] = new FltKind[F64K](false)
  implicit val kBit: Kind[Bit] = BitKind

  // Literals. The names hide those of Predef, whose `to` and `until` differ.
  final class IntLiteral(x: BigInt) {
    def to[T](implicit t: Kind[T]): T = t.fromInteger(x, true)
    def until(end: I32): Series[S32] = kI32.fromInteger(x, true) until end
    def ::(start: I32): Series[S32] = start until kI32.fromInteger(x, true)
  }
  final class RealLiteral(x: scala.Double) {
    def to[T](implicit t: Kind[T]): T = t.fromDouble(x, true)
  }
  final class BitLiteral(x: scala.Boolean) {
    def to[T](implicit t: Kind[T]): T = t.fromBits(if (x) 1L else 0L)
  }
  implicit def intWrapper(x: scala.Int): IntLiteral = new IntLiteral(BigInt(x))
  implicit def longWrapper(x: scala.Long): IntLiteral = new IntLiteral(BigInt(x))
  implicit def floatWrapper(x: scala.Float): RealLiteral = new RealLiteral(x.toDouble)
  implicit def doubleWrapper(x: scala.Double): RealLiteral = new RealLiteral(x)
  implicit def booleanWrapper(x: scala.Boolean): BitLiteral = new BitLiteral(x)
  implicit def liftInt[K](x: scala.Int)(implicit k: FixKind[K]): Fix[K] = k.fromInteger(BigInt(x), true)
  implicit def liftBit(x: scala.Boolean): Bit = new Bit(x)
  implicit def bitToBoolean(x: Bit): scala.Boolean = x.b
  implicit def upTo(end: I32): Series[S32] = kI32.fromInteger(0, true) until end
  implicit def upTo(end: scala.Int): Series[S32] = upTo(kI32.fromInteger(BigInt(end), true))

  def mux[T](c: Bit, a: T, b: T): T = if (c.b) a else b
  def min[T](a: T, b: T)(implicit n: Num[T]): T = if (n.less(a, b)) a else b
  def max[T](a: T, b: T)(implicit n: Num[T]): T = if (n.less(b, a)) a else b
  def abs[K](x: Fix[K]): Fix[K] = if (x.v < 0) -x else x
  def abs[K](x: Flt[K]): Flt[K] = if (x.d < 0) -x else x // keeps the sign of a zero
  def sqrt[K](x: Flt[K]): Flt[K] = x.k.make(math.sqrt(x.d))
  def floor[K](x: Flt[K]): Flt[K] = x.k.make(math.floor(x.d) + 0.0)
  def ceil[K](x: Flt[K]): Flt[K] = x.k.make(math.ceil(x.d) + 0.0) // no negative zero

  // Memories.
  object DRAM {
    def apply[T](n: I32)(implicit k: Kind[T]): DRAM[T] = new DRAM[T](n.toInt, 1)
  }
  object SRAM {
    def apply[T](n: scala.Int)(implicit k: Kind[T]): SRAM[T] = new SRAM[T](n, n)
    def apply[T](n: scala.Int, m: scala.Int)(implicit k: Kind[T]): SRAM[T] = new SRAM[T](n * m, m)
  }
  object Reg {
    def apply[T](implicit k: Kind[T]): Reg[T] = new Reg[T](k.fromBits(0L), false)
    def apply[T](init: T)(implicit k: Kind[T]): Reg[T] = new Reg[T](init, false)
  }
  private def hostReg[T](implicit k: Kind[T]): Reg[T] = {
    if (Trace.inAccel) throw new ShimError("a host register inside Accel")
    new Reg[T](k.fromBits(0L), true)
  }
  object ArgIn { def apply[T](implicit k: Kind[T]): Reg[T] = hostReg[T] }
  object ArgOut { def apply[T](implicit k: Kind[T]): Reg[T] = hostReg[T] }
  object HostIO { def apply[T](implicit k: Kind[T]): Reg[T] = hostReg[T] }

  // Controllers.
  private def inLoop(body: => Unit): Unit = { Trace.loops += 1; body; Trace.loops -= 1 }
  class Loops {
    def Foreach(a: Series[S32])(f: I32 => Unit): Unit = a.foreach(i => inLoop(f(i)))
    def Foreach(a: Series[S32], b: Series[S32])(f: (I32, I32) => Unit): Unit =
      a.foreach(i => b.foreach(j => inLoop(f(i, j))))
  }
  object Foreach extends Loops {
    def apply(a: Series[S32])(f: I32 => Unit): Unit = Foreach(a)(f)
    def apply(a: Series[S32], b: Series[S32])(f: (I32, I32) => Unit): Unit = Foreach(a, b)(f)
  }
  object Sequential extends Loops { def apply(body: => Unit): Unit = body }
  object Pipe extends Loops { def apply(body: => Unit): Unit = body }
  object Parallel { def apply(body: => Unit): Unit = body }
  object Reduce {
    /// The first iteration overwrites; without iterations nothing changes.
    def apply[T](acc: Reg[T])(a: Series[S32])(f: I32 => T)(combine: (T, T) => T): Reg[T] = {
      var first = true
      a.foreach { i => inLoop { val x = f(i); acc := (if (first) x else combine(acc.value, x)); first = false } }
      acc
    }
  }
  object FSM {
    def apply[S](init: S)(running: S => Bit)(action: S => Unit)(next: S => S): Unit = {
      val frame = new Trace.Frame
      Trace.machines ::= frame
      var state = init
      while (running(state).b) {
        inLoop { action(state); state = next(state) }
        frame.step += 1
      }
      Trace.machines = Trace.machines.tail
    }
  }
  object Accel {
    def apply(body: => Unit): Unit = {
      if (Trace.inAccel) throw new ShimError("Accel inside Accel")
      Trace.inAccel = true
      body
      Trace.inAccel = false
      Trace.finish()
    }
  }

  // The host side.
  def setArg[T](reg: Reg[T], x: T): Unit = reg := x
  def getArg[T](reg: Reg[T]): T = reg.value
  def setMem[T](dram: DRAM[T], array: HostArray[T]): Unit =
    for ((x, i) <- array.data.zipWithIndex) if (i < dram.size) dram.cells(i) = x else Console.println("[warn] Out of bounds")
  def getMem[T](dram: DRAM[T]): HostArray[T] = new HostArray[T](dram.cells.toIndexedSeq.asInstanceOf[IndexedSeq[T]])
  def loadBinary[T](path: String)(implicit k: Num[T]): HostArray[T] = Files_.read[T](path)
  def writeBinary[T](array: HostArray[T], path: String)(implicit k: Num[T]): Unit = Files_.write(array, path)
  def assert(c: Bit, message: String): Unit = if (!c.b) throw new ShimError("assertion failed: " + message)
}
