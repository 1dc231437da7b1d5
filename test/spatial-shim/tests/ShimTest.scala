// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of the functional Spatial library itself: what must work, and mistakes
// that only the real compiler would punish, which must be wrong here too.
// Prints "N passed, N failed".

object ShimTest {
  import spatial.dsl._
  private var passed, failed = 0
  private def test(name: java.lang.String)(body: => scala.Boolean): scala.Unit = {
    spatial.Trace.reset()
    val good = try body catch { case e: Throwable => println(name + ": " + e); false }
    if (good) passed += 1 else { failed += 1; println("FAIL " + name) }
  }
  /// The body must throw an error whose text has `part`.
  private def refused(name: java.lang.String, part: java.lang.String)(body: => scala.Unit): scala.Unit = test(name) {
    try { body; println(name + ": accepted"); false }
    catch { case e: spatial.ShimError => e.getMessage.contains(part) }
  }
  /// A value that is no constant.
  private def run[T](x: T)(implicit k: spatial.Kind[T]): T = { val m = SRAM[T](1); m(0) = x; m(0) }

  def run(): scala.Unit = {
    // What must work.
    test("wraps") { ((run(127.to[I8]) + 1.to[I8]) === (-128).to[I8]).b && ((run(255.to[U8]) + 1) === 0).b }
    test("conversions") {
      (run(-1.to[I32]).as[U32].to[I64] === 4294967295L.to[I64]).b && (run(-1.to[I8]).to[I64] === (-1L).to[I64]).b &&
      (run(300.to[I32]).to[I8] === 44.to[I8]).b && (run(1.5f.to[Float]).as[I32] === 0x3fc00000.to[I32]).b &&
      (run((-7.9).to[Double]).to[I32] === (-7).to[I32]).b
    }
    test("unsigned 64 bits") {
      val big = run((-1L).to[I64]).as[U64]
      (big > 1L.to[U64]).b && ((big / run(2L.to[U64])).as[I64] === Long9223).b && big.to[Double].d == 18446744073709551615.0
    }
    test("f32 is rounded once") { (run(16777216.0f.to[Float]) + run(1.0f.to[Float])).d == 16777216.0 &&
      run(9007199791611905L.to[I64]).to[Float].d == 9007200328482816.0 }
    test("transfers") {
      val d = DRAM[I32](4)
      Accel { val s = SRAM[I32](4); s load d(0::4); Sequential.Foreach(0 until 4 by 1){ i => s(i) = s(i) + i }; d(1::3) store s }
      getMem(d).data.map(_.toInt) == Seq(0, 0, 1, 0)
    }
    test("two dimensions") {
      val s = SRAM[I32](2, 3)
      Foreach(0 until 2, 0 until 3){ (i, j) => s(i, j) = i * 10 + j }
      s(1, 2).toInt == 12
    }
    test("counters") {
      var seen = List[scala.Int]()
      Foreach(10.to[I32] until 0.to[I32] by -3){ i => seen ::= i.toInt }
      Foreach(5 until 5){ i => seen ::= 99 }
      seen.reverse == List(10, 7, 4, 1)
    }
    test("Reduce overwrites first, keeps without iterations") {
      val acc = Reg[I32](100)
      val a = Reduce(acc)(0 until 4){ i => i }{ _ + _ }.value.toInt
      Reduce(acc)(0 until 0){ i => i }{ _ + _ }
      a == 6 && acc.value.toInt == 6
    }
    test("FSM is tested first and sees the action's writes") {
      val n = Reg[I32](0)
      FSM(1.to[I32])(s => s < 1){ s => n := 9.to[I32] }{ s => s }
      FSM(0.to[I32])(s => s < 1){ s => n := n.value + 1 }{ s => mux(n.value < 5, 0.to[I32], 1.to[I32]) }
      n.value.toInt == 5
    }
    test("arguments") {
      val in = ArgIn[I64]; setArg(in, 41L.to[I64]); val out = ArgOut[I64]
      Accel { Pipe { out := in.value + 1L.to[I64] } }
      (getArg(out) === 42L.to[I64]).b
    }
    test("staged if") { val r = Reg[I32](0); if (run(3.to[I32]) > 2) { r := 1 } else { r := 2 }; r.value.toInt == 1 }

    // Rules of the compiler that are wrong, and stay wrong here.
    val x = run(-7.to[I32])
    test("x ^ -1") { (x ^ (-1).to[I32]).toInt == -1 && (~x).toInt == 6 }
    test("c - (x - d)") { (5.to[I32] - (x - 3.to[I32])).toInt != 15 && ((-(x - 3.to[I32])) + 5.to[I32]).toInt == 15 }
    test("x / 8 rounds down") { (x / 8.to[I32]).toInt == -1 && ((x + ((x >> 31) >>> 29)) >> 3).toInt == 0 }
    test("x % 3 is not negative") { (x % 3.to[I32]).toInt == 2 && (x - (x / 3.to[I32]) * 3.to[I32]).toInt == -1 }
    test("x * INT_MIN") { (run(3.to[I32]) * (-2147483648).to[I32]).toInt != -2147483648 && (run(3.to[I32]) << 31).toInt == -2147483648 }
    test("wide constant factor") {
      val w = run(2L.to[I64])
      val k = ArgIn[I64]; setArg(k, 4294967301L.to[I64])
      (w * 4294967301L.to[I64]).v == 10 && (w * k.value).v == 8589934602L
    }
    test("chained shifts") { val n = run(-5.to[I32]); ((n >> 16) >> 16).toInt == 0 && (n >> 31).toInt == -1 && ((n >> 16) >> 15).toInt == -1 }
    test("64-bit unsigned remainder by a constant") { (run((-1L).to[I64]).as[U64] % 3L.to[U64]).v == 0xffffffffL % 3 &&
      (run((1L << 40).to[I64]).as[U64] % 7L.to[U64]).v != (1L << 40) % 7 }
    test("zero literals change their sign") { 1 / 0.0f.to[Float].d < 0 && 1 / (-0.0).to[Double].d > 0 }
    test("float equality") { !(run(0.0.to[Double]) === -run(0.0.to[Double])).b && (run(scala.Double.NaN.to[Double]) === run(scala.Double.NaN.to[Double])).b }
    test("sign of zero") { 1 / ceil(run((-0.5).to[Double])).d > 0 && 1 / abs(run(0.0.to[Double])).d < 0 }
    test("division by zero") { (x / run(0.to[I32])).toInt == -1 }

    // What the library refuses although the simulator would go on.
    refused("read out of range", "index 4") { val s = SRAM[I32](4); s(4) }
    refused("read of nothing", "undefined") { val s = SRAM[I32](4); s(0) }
    refused("register of a loop without reset", "before it is written") { Foreach(0 until 2){ i => val r = Reg[I32](0); r := r.value + 1 } }
    refused("host register on chip", "inside Accel") { Accel { ArgIn[I32] } }
    refused("transfer out of range", "out of range") { val d = DRAM[I32](4); Accel { val s = SRAM[I32](9); s load d(0::9) } }
    refused("writes that only the next step reads", "removed") {
      Accel {
        val stack = SRAM[I32](4); stack(0) = 1.to[I32]
        val n = Reg[I32](0).dontTouch; n := 0.to[I32]
        FSM(0.to[I32])(s => s < 3){ s => val top = stack(0); stack(0) = top + 1; n := n.value + 1 }{ s => s + 1 }
      }
    }
    test("kept by dontTouch, or by a read afterwards") {
      Accel {
        val a = SRAM[I32](1).dontTouch; a(0) = 1.to[I32]
        val b = SRAM[I32](1); b(0) = 1.to[I32]
        FSM(0.to[I32])(s => s < 3){ s => val x = a(0); a(0) = x + 1; val y = b(0); b(0) = y + 1 }{ s => s + 1 }
        b(0)
      }
      true
    }
    println(passed + " passed, " + failed + " failed")
    if (failed != 0) sys.exit(1)
  }
  private def Long9223: I64 = 9223372036854775807L.to[I64]
}

object ShimTestMain { def main(args: Array[String]): Unit = ShimTest.run() }
