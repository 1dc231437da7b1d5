#domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "saxpy">
#scope0 = #llvm.alias_scope<id = distinct[1]<>, domain = #domain, description = "saxpy: %x">
#scope1 = #llvm.alias_scope<id = distinct[2]<>, domain = #domain, description = "saxpy: %y">
#group = #llvm.access_group<id = distinct[3]<>>
#annotation = #llvm.loop_annotation<mustProgress = true, parallelAccesses = #group>
module @unit attributes {
    dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "little", i64 = dense<64> : vector<2xi64>, "dlti.stack_alignment" = 128 : i64>,
    llvm.target_triple = "x86_64-unknown-linux-gnu", llvm.ident = "some compiler"} {
  llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>,
                     #llvm.mlir.module_flag<max, "Dwarf Version", 5 : i32>]
  llvm.comdat @__llvm_global_comdat {
    llvm.comdat_selector @shared_b any
    llvm.comdat_selector @shared_a any
  }
  llvm.mlir.global private unnamed_addr constant @text("hello\00") {alignment = 1 : i64, dso_local}
  llvm.mlir.global internal @table(dense<[1, 2, 3, 4]> : tensor<4xi32>) {alignment = 16 : i64, dso_local} : !llvm.array<4 x i32>
  llvm.mlir.global external @visible(7 : i32) {alignment = 4 : i64} : i32
  llvm.mlir.global linkonce_odr @shared_a(1 : i32) comdat(@__llvm_global_comdat::@shared_a) : i32
  llvm.mlir.global linkonce_odr @shared_b(2 : i32) comdat(@__llvm_global_comdat::@shared_b) : i32
  llvm.mlir.global internal @pointers() : !llvm.struct<"struct.pair", (ptr, ptr)> {
    %0 = llvm.mlir.addressof @text : !llvm.ptr
    %1 = llvm.mlir.addressof @helper : !llvm.ptr
    %2 = llvm.mlir.undef : !llvm.struct<"struct.pair", (ptr, ptr)>
    %3 = llvm.insertvalue %0, %2[0] : !llvm.struct<"struct.pair", (ptr, ptr)>
    %4 = llvm.insertvalue %1, %3[1] : !llvm.struct<"struct.pair", (ptr, ptr)>
    llvm.return %4 : !llvm.struct<"struct.pair", (ptr, ptr)>
  }
  llvm.mlir.alias external @other {dso_local} : i32 {
    %0 = llvm.mlir.addressof @visible : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func internal @start() {
    llvm.return
  }
  llvm.mlir.global_ctors ctors = [@start], priorities = [101 : i32], data = [#llvm.zero]
  llvm.func internal @helper(%arg0: i32 {llvm.noundef}, %arg1: i32) -> i32 attributes {no_unwind} {
    %0 = llvm.mlir.constant(3 : i32) : i32
    %1 = llvm.add %arg0, %0 overflow<nsw> : i32
    %2 = llvm.sub %1, %arg1 : i32
    %3 = llvm.icmp "slt" %2, %arg1 : i32
    llvm.cond_br %3 weights([3, 5]), ^bb1(%2 : i32), ^bb2
  ^bb1(%4: i32):
    %5 = llvm.mul %4, %1 : i32
    llvm.return %5 : i32
  ^bb2:
    %6 = llvm.mlir.addressof @pointers : !llvm.ptr
    %7 = llvm.getelementptr inbounds %6[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<"struct.pair", (ptr, ptr)>
    %8 = llvm.load %7 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
    %9 = llvm.call %8(%arg1, %arg0) : !llvm.ptr, (i32, i32) -> i32
    llvm.return %9 : i32
  }
  llvm.func @saxpy(%n: i64 {llvm.noundef}, %a: f32, %x: !llvm.ptr {llvm.noalias, llvm.readonly}, %y: !llvm.ptr {llvm.noalias}) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} {
    %c0 = llvm.mlir.constant(0 : i64) : i64
    %c1 = llvm.mlir.constant(1 : i64) : i64
    llvm.br ^loop(%c0 : i64)
  ^loop(%i: i64):
    %px = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %py = llvm.getelementptr inbounds %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %vx = llvm.load %px {access_groups = [#group], alias_scopes = [#scope0], alignment = 4 : i64, noalias_scopes = [#scope1]} : !llvm.ptr -> f32
    %vy = llvm.load %py {access_groups = [#group], alias_scopes = [#scope1], alignment = 4 : i64, noalias_scopes = [#scope0]} : !llvm.ptr -> f32
    %m = llvm.fmul %vx, %a : f32
    %s = llvm.fadd %m, %vy {fastmathFlags = #llvm.fastmath<nnan>} : f32
    llvm.store %s, %py {access_groups = [#group], alias_scopes = [#scope1], alignment = 4 : i64, noalias_scopes = [#scope0]} : f32, !llvm.ptr
    %next = llvm.add %i, %c1 overflow<nsw, nuw> : i64
    %done = llvm.icmp "eq" %next, %n : i64
    llvm.cond_br %done, ^exit, ^loop(%next : i64) {loop_annotation = #annotation}
  ^exit:
    llvm.return
  }
  llvm.func @kernel(%n: i32, %in: !llvm.ptr, %out: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.addressof @text : !llvm.ptr
    %1 = llvm.call @printf(%0, %n) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
    %2 = llvm.mlir.addressof @table : !llvm.ptr
    %3 = llvm.load %2 {alignment = 16 : i64} : !llvm.ptr -> i32
    %4 = llvm.call @helper(%3, %n) : (i32, i32) -> i32
    %5:2 = loom.spatial_region "kernel.0"(%4, %in, %out) partitions [-1, 0, 1] exits [-1, -1] : (i32, !llvm.ptr, !llvm.ptr) -> (i32, i32) {
    ^bb0(%seed: i32, %from: !llvm.ptr, %to: !llvm.ptr):
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %four = arith.constant 4 : i64
      %count = arith.constant 64 : i64
      %selector = arith.constant 0 : i32
      %sum = scf.for %i = %zero to %count step %one iter_args(%acc = %seed) -> (i32) : i64 {
        %offset = arith.muli %i, %four : i64
        %p = llvm.getelementptr %from[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
        %w = arith.addi %v, %acc overflow<nsw> : i32
        %big = arith.cmpi sgt, %w, %v : i32
        %r = scf.if %big -> (i32) {
          %t = arith.subi %w, %v : i32
          scf.yield %t : i32
        } else {
          %t = arith.shli %v, %selector : i32
          scf.yield %t : i32
        }
        %q = llvm.getelementptr %to[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        llvm.store %r, %q {alignment = 4 : i64} : i32, !llvm.ptr
        scf.yield %r : i32
      }
      loom.spatial_yield %selector, %sum : i32, i32
    }
    llvm.store %5#1, %2 {alignment = 16 : i64} : i32, !llvm.ptr
    llvm.return %5#1 : i32
  }
}
