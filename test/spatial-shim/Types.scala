// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of the functional Spatial library: fixed-width integers, bits, IEEE
// numbers. Where Spatial's compiler is known to get a form wrong, the form is
// wrong here too, so that an app that relies on it fails its test.
package spatial

/// What a value can be converted to, stored as, or read from a file as.
abstract class Kind[T] {
  def name: String
  def width: Int
  def fromInteger(x: BigInt, const: Boolean): T
  def fromDouble(x: Double, literal: Boolean): T
  def fromBits(bits: Long): T
  def bits(x: T): Long
}

abstract class Num[T] extends Kind[T] {
  def less(a: T, b: T): Boolean
}

final class FixKind[K](val signed: Boolean, val width: Int) extends Num[Fix[K]] {
  private implicit def self: FixKind[K] = this
  def name = (if (signed) "I" else "U") + width
  /// Wraps to the width; sign- or zero-extended in the Long (U64: as is).
  def wrap(x: Long): Long = {
    val s = 64 - width
    if (signed) x << s >> s else x << s >>> s
  }
  def make(x: Long): Fix[K] = new Fix[K](wrap(x))
  def big(x: Long): BigInt = if (!signed && width == 64 && x < 0) BigInt(x) + (BigInt(1) << 64) else BigInt(x)
  def min: Long = if (signed) -1L << (width - 1) else 0L
  def fromInteger(x: BigInt, const: Boolean) = new Fix[K](wrap(x.toLong), const)
  def fromDouble(x: Double, literal: Boolean) =
    if (x.isNaN) make(0L)
    else if (x.isInfinite) make(if (x > 0) (if (signed) ~min else -1L) else min)
    else fromInteger(BigDecimal(x).toBigInt, false)
  def fromBits(bits: Long) = make(bits)
  def bits(x: Fix[K]) = x.v & (-1L >>> (64 - width))
  def less(a: Fix[K], b: Fix[K]) = big(a.v) < big(b.v)
}

/// An integer. `const` marks literals and what follows from them: the
/// compiler's rewrite rules look only at constants. `minus` and `shifted`
/// remember how the value was made, for the rules that look one step back.
final class Fix[K](val v: Long, val const: Boolean = false, val minus: Option[(Long, Long)] = None,
                   val shifted: Option[(Long, Int)] = None)(implicit val k: FixKind[K]) {
  private def is(x: Long, that: Fix[K]) = new Fix[K](k.wrap(x), const && that.const)
  private def power(x: Long): Boolean = x > 0 && (x & (x - 1)) == 0

  def unary_-(): Fix[K] = new Fix[K](k.wrap(-v), const)
  def unary_~(): Fix[K] = new Fix[K](k.wrap(~v), const)
  def +(that: Fix[K]): Fix[K] = is(v + that.v, that)
  def -(that: Fix[K]): Fix[K] = that.minus match {
    case Some((x, d)) if const && !that.const => k.make(v + d + x) // wrong sign in the rule
    case _ => new Fix[K](k.wrap(v - that.v), const && that.const, if (that.const) Some((v, that.v)) else None)
  }
  def *(that: Fix[K]): Fix[K] = {
    val factor = if (const) v else that.v
    if (const == that.const) is(v * that.v, that)
    else if (k.signed && factor == k.min) k.make(0x5a5a5a5a5a5a5a5aL) // logarithm of a negative number
    else if (factor != factor.toInt) k.make((if (const) that.v else v) * factor.toInt) // the low half of the factor
    else is(v * that.v, that)
  }
  def /(that: Fix[K]): Fix[K] =
    if (that.v == 0) k.make(-1L)
    else if (that.const && !const && k.signed && that.v == k.min) k.make(0x5a5a5a5a5a5a5a5aL)
    else if (that.const && !const && k.signed && power(that.v)) k.make(v >> java.lang.Long.numberOfTrailingZeros(that.v))
    else if (k.signed) is(v / that.v, that)
    else is(java.lang.Long.divideUnsigned(v, that.v), that)
  def %(that: Fix[K]): Fix[K] =
    if (that.v == 0) k.make(-1L)
    else if (k.signed) { val r = v % that.v; k.make(if (r < 0) r + that.v else r) } // never a remainder of C
    else if (that.const && k.width == 64) k.make((v & 0xffffffffL) % that.v)
    else is(java.lang.Long.remainderUnsigned(v, that.v), that)
  def &(that: Fix[K]): Fix[K] = is(v & that.v, that)
  def |(that: Fix[K]): Fix[K] = is(v | that.v, that)
  def ^(that: Fix[K]): Fix[K] =
    if (const != that.const && k.wrap(if (const) v else that.v) == k.wrap(-1L)) k.make(-1L) // taken for an absorber
    else is(v ^ that.v, that)

  private def amount(by: Fix[dsl.S16]): Int = by.v.toInt
  private def low: Long = k.bits(this)
  def <<(by: Fix[dsl.S16]): Fix[K] = {
    val n = amount(by)
    if (n < 0) this >> new Fix[dsl.S16](-n)(by.k) else k.make(if (n >= k.width) 0L else v << n)
  }
  def >>(by: Fix[dsl.S16]): Fix[K] = {
    val n = amount(by)
    if (n < 0) this << new Fix[dsl.S16](-n)(by.k)
    else if (!k.signed) this >>> by
    else if (!by.const) k.make(v >> math.min(n, 63))
    else { // chains of constants are merged, and a sum past the width gives 0
      val (base, total) = shifted match {
        case Some((x, m)) => (x, m + n)
        case None => (v, n)
      }
      new Fix[K](if (total >= k.width) 0L else base >> total, false, None, Some((base, total)))
    }
  }
  def >>>(by: Fix[dsl.S16]): Fix[K] = {
    val n = amount(by)
    k.make(if (n < 0 || n >= k.width) 0L else low >>> n)
  }

  def <(that: Fix[K]): Bit = new Bit(k.less(this, that))
  def >(that: Fix[K]): Bit = that < this
  def <=(that: Fix[K]): Bit = !(that < this)
  def >=(that: Fix[K]): Bit = !(this < that)
  def ===(that: Fix[K]): Bit = new Bit(v == that.v)
  def !==(that: Fix[K]): Bit = new Bit(v != that.v)

  def to[T](implicit t: Kind[T]): T = t.fromInteger(k.big(v), const)
  def as[T](implicit t: Kind[T]): T = t.fromInteger(BigInt(0), const) match {
    case f: Fix[_] if const => t.fromInteger(BigInt(low), true)
    case _ => t.fromBits(low)
  }
  def until(end: Fix[K]): Series[K] = new Series[K](this, end, k.fromInteger(1, true))
  def ::(start: Fix[K]): Series[K] = new Series[K](start, this, k.fromInteger(1, true))
  def toInt: Int = v.toInt
  override def toString = k.big(v).toString
}

final class Bit(val b: Boolean) {
  def unary_!(): Bit = new Bit(!b)
  def &&(that: Bit): Bit = new Bit(b & that.b)
  def ||(that: Bit): Bit = new Bit(b | that.b)
  def &(that: Bit): Bit = this && that
  def |(that: Bit): Bit = this || that
  def ^(that: Bit): Bit = new Bit(b ^ that.b)
  def ===(that: Bit): Bit = new Bit(b == that.b)
  def !==(that: Bit): Bit = new Bit(b != that.b)
  override def toString = if (b) "true" else "false"
}

object BitKind extends Kind[Bit] {
  def name = "Bit"
  def width = 1
  def fromInteger(x: BigInt, const: Boolean) = new Bit(x != 0)
  def fromDouble(x: Double, literal: Boolean) = new Bit(x != 0)
  def fromBits(bits: Long) = new Bit((bits & 1) != 0)
  def bits(x: Bit) = if (x.b) 1L else 0L
}

final class FltKind[K](val single: Boolean) extends Num[Flt[K]] {
  private implicit def self: FltKind[K] = this
  def name = if (single) "Float" else "Double"
  def width = if (single) 32 else 64
  /// f32 arithmetic in double precision, rounded once, is exact.
  def make(x: Double): Flt[K] = new Flt[K](if (single) x.toFloat.toDouble else x)
  def fromInteger(x: BigInt, const: Boolean) =
    if (const && x == 0) make(-0.0) else if (single) make(x.bigInteger.floatValue.toDouble) else make(x.bigInteger.doubleValue)
  /// A zero literal comes out with the other sign.
  def fromDouble(x: Double, literal: Boolean) = make(if (literal && x == 0.0) -x else x)
  def fromBits(bits: Long) =
    if (single) make(java.lang.Float.intBitsToFloat(bits.toInt).toDouble) else make(java.lang.Double.longBitsToDouble(bits))
  def bits(x: Flt[K]) =
    if (single) java.lang.Float.floatToRawIntBits(x.d.toFloat) & 0xffffffffL else java.lang.Double.doubleToRawLongBits(x.d)
  def less(a: Flt[K], b: Flt[K]) = a.d < b.d
}

/// An IEEE number, held as a double.
final class Flt[K](val d: Double)(implicit val k: FltKind[K]) {
  def unary_-(): Flt[K] = k.make(-d)
  def +(that: Flt[K]): Flt[K] = k.make(d + that.d)
  def -(that: Flt[K]): Flt[K] = k.make(d - that.d)
  def *(that: Flt[K]): Flt[K] = k.make(d * that.d)
  def /(that: Flt[K]): Flt[K] = k.make(d / that.d)
  def %(that: Flt[K]): Flt[K] = { val r = d % that.d; k.make(if (r < 0) r + that.d else r) }
  def <(that: Flt[K]): Bit = new Bit(d < that.d)
  def <=(that: Flt[K]): Bit = new Bit(d <= that.d)
  def >(that: Flt[K]): Bit = new Bit(d > that.d)
  def >=(that: Flt[K]): Bit = new Bit(d >= that.d)
  def ===(that: Flt[K]): Bit = new Bit(d.compare(that.d) == 0) // tells zeros apart, takes NaN for itself
  def !==(that: Flt[K]): Bit = !(this === that)
  def isNaN: Bit = new Bit(d.isNaN)
  def to[T](implicit t: Kind[T]): T = t.fromDouble(d, false)
  def as[T](implicit t: Kind[T]): T = t.fromBits(k.bits(this))
  override def toString = d.toString
}

/// A counter: start, end (excluded) and step.
final class Series[K](val start: Fix[K], val end: Fix[K], val step: Fix[K]) {
  def by(s: Fix[K]): Series[K] = new Series[K](start, end, s)
  def par(p: Fix[K]): Series[K] = this
  def foreach(f: Fix[K] => Unit): Unit = {
    if (step.v == 0) throw new ShimError("a counter with step 0")
    var i = start.v
    while (if (step.v > 0) i < end.v else i > end.v) {
      f(start.k.make(i))
      i += step.v
      if (i != start.k.wrap(i)) throw new ShimError("a counter left its type")
    }
  }
}

class ShimError(message: String) extends RuntimeException(message)
