; Instructions and intrinsics that C programs seldom reach, each with its result handed to @say. Inputs come
; from variables, so that nothing is folded before it is executed.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@a = internal global i64 -7046029254386353131
@b = internal global i64 1609587929392839161
@small = internal global i32 5
@x = internal global double 2.750000e+00
@y = internal global double -1.250000e+00
@nan = internal global double 0x7FF8000000000000
@line = internal global [17 x i8] zeroinitializer
@digits = internal constant [16 x i8] c"0123456789abcdef"
@numbers = internal global [4 x i32] [i32 10, i32 20, i32 30, i32 40], align 16
@second = internal alias i32, getelementptr ([4 x i32], ptr @numbers, i64 0, i64 1)
@started = internal global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]

declare void @klee_warning(ptr)

define internal void @start() {
  store i32 77, ptr @started
  ret void
}

define void @say(i64 %value) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %up = mul i64 %k, 4
  %shift = sub i64 60, %up
  %moved = lshr i64 %value, %shift
  %digit = and i64 %moved, 15
  %from = getelementptr [16 x i8], ptr @digits, i64 0, i64 %digit
  %char = load i8, ptr %from
  %to = getelementptr [17 x i8], ptr @line, i64 0, i64 %k
  store i8 %char, ptr %to
  %next = add i64 %k, 1
  %end = icmp eq i64 %next, 16
  br i1 %end, label %done, label %loop
done:
  call void @klee_warning(ptr @line)
  ret void
}

define void @say_double(double %value) {
  %bits = bitcast double %value to i64
  call void @say(i64 %bits)
  ret void
}

define void @say4(<4 x i32> %v) {
  %e0 = extractelement <4 x i32> %v, i32 0
  %e1 = extractelement <4 x i32> %v, i32 1
  %e2 = extractelement <4 x i32> %v, i32 2
  %e3 = extractelement <4 x i32> %v, i32 3
  %w0 = zext i32 %e0 to i64
  %w1 = zext i32 %e1 to i64
  %w2 = zext i32 %e2 to i64
  %w3 = zext i32 %e3 to i64
  call void @say(i64 %w0)
  call void @say(i64 %w1)
  call void @say(i64 %w2)
  call void @say(i64 %w3)
  ret void
}

define void @integers() {
  %a = load i64, ptr @a
  %b = load i64, ptr @b
  %s = load i32, ptr @small
  %odd = trunc i64 %a to i33
  %odd2 = trunc i64 %b to i33
  %product = mul i33 %odd, %odd2
  %quotient = udiv i33 %product, 12345
  %signed = srem i33 %product, 777
  %p = zext i33 %product to i64
  call void @say(i64 %p)
  %q = sext i33 %quotient to i64
  call void @say(i64 %q)
  %r = sext i33 %signed to i64
  call void @say(i64 %r)
  %f1 = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 77)
  call void @say(i64 %f1)
  %s64 = zext i32 %s to i64
  %f2 = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 %s64)
  call void @say(i64 %f2)
  %n24 = trunc i64 %a to i24
  %f3 = call i24 @llvm.fshl.i24(i24 %n24, i24 5, i24 30)
  %w3 = zext i24 %f3 to i64
  call void @say(i64 %w3)
  %lead = call i24 @llvm.ctlz.i24(i24 %n24, i1 false)
  %lw = zext i24 %lead to i64
  call void @say(i64 %lw)
  %trail = call i64 @llvm.cttz.i64(i64 0, i1 false)
  call void @say(i64 %trail)
  %ones = call i33 @llvm.ctpop.i33(i33 %odd)
  %ow = zext i33 %ones to i64
  call void @say(i64 %ow)
  %swap = call i48 @llvm.bswap.i48(i48 112233445566)
  %sw = zext i48 %swap to i64
  call void @say(i64 %sw)
  %rev = call i64 @llvm.bitreverse.i64(i64 %a)
  call void @say(i64 %rev)
  %abs = call i64 @llvm.abs.i64(i64 %a, i1 false)
  call void @say(i64 %abs)
  %sat1 = call i64 @llvm.sadd.sat.i64(i64 %a, i64 -9000000000000000000)
  call void @say(i64 %sat1)
  %sat2 = call i64 @llvm.usub.sat.i64(i64 %b, i64 %a)
  call void @say(i64 %sat2)
  %sat3 = call i64 @llvm.sshl.sat.i64(i64 %a, i64 3)
  call void @say(i64 %sat3)
  %sat4 = call i64 @llvm.ushl.sat.i64(i64 %b, i64 1)
  call void @say(i64 %sat4)
  %sat5 = call i64 @llvm.ushl.sat.i64(i64 %b, i64 5)
  call void @say(i64 %sat5)
  %max = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  call void @say(i64 %max)
  %umax = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  call void @say(i64 %umax)
  %cmp1 = call i8 @llvm.scmp.i8.i64(i64 %a, i64 %b)
  %cw1 = sext i8 %cmp1 to i64
  call void @say(i64 %cw1)
  %cmp2 = call i8 @llvm.ucmp.i8.i64(i64 %a, i64 %b)
  %cw2 = sext i8 %cmp2 to i64
  call void @say(i64 %cw2)
  %over = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %a, i64 3)
  %o0 = extractvalue { i64, i1 } %over, 0
  %o1 = extractvalue { i64, i1 } %over, 1
  call void @say(i64 %o0)
  %ow1 = zext i1 %o1 to i64
  call void @say(i64 %ow1)
  %frozen = freeze i64 %a
  %expected = call i64 @llvm.expect.i64(i64 %frozen, i64 5)
  call void @say(i64 %expected)
  %true = icmp ne i64 %a, %b
  call void @llvm.assume(i1 %true)
  %started = load i32, ptr @started
  %stw = zext i32 %started to i64
  call void @say(i64 %stw)
  %alias = load i32, ptr @second
  %aw = zext i32 %alias to i64
  call void @say(i64 %aw)
  %wide = zext i64 %a to i200
  %wider = mul i200 %wide, %wide
  %high = lshr i200 %wider, 70
  %hw = trunc i200 %high to i64
  call void @say(i64 %hw)
  ret void
}

define void @vectors() {
  %s = load i32, ptr @small
  %v = load <4 x i32>, ptr @numbers
  %one = insertelement <4 x i32> poison, i32 %s, i32 0
  %splat = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %sum = add <4 x i32> %v, %splat
  call void @say4(<4 x i32> %sum)
  %quotient = sdiv <4 x i32> %v, %splat
  call void @say4(<4 x i32> %quotient)
  %shifted = shl <4 x i32> %v, <i32 1, i32 2, i32 3, i32 31>
  call void @say4(<4 x i32> %shifted)
  %less = icmp slt <4 x i32> %v, <i32 15, i32 15, i32 35, i32 35>
  %mixed = select <4 x i1> %less, <4 x i32> %v, <4 x i32> %shifted
  call void @say4(<4 x i32> %mixed)
  %mask = bitcast <4 x i1> %less to i4
  %mw = zext i4 %mask to i64
  call void @say(i64 %mw)
  %at = and i32 %s, 3
  %placed = insertelement <4 x i32> %v, i32 99, i32 %at
  call void @say4(<4 x i32> %placed)
  %taken = extractelement <4 x i32> %placed, i32 %at
  %tw = zext i32 %taken to i64
  call void @say(i64 %tw)
  %turned = shufflevector <4 x i32> %v, <4 x i32> %sum, <4 x i32> <i32 7, i32 0, i32 5, i32 2>
  call void @say4(<4 x i32> %turned)
  %bytes = bitcast <4 x i32> %sum to <16 x i8>
  %byte = extractelement <16 x i8> %bytes, i32 4
  %bw = zext i8 %byte to i64
  call void @say(i64 %bw)
  %r1 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %r2 = call i32 @llvm.vector.reduce.mul.v4i32(<4 x i32> %v)
  %r3 = call i32 @llvm.vector.reduce.smin.v4i32(<4 x i32> %shifted)
  %r4 = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %shifted)
  %r5 = call i32 @llvm.vector.reduce.xor.v4i32(<4 x i32> %v)
  %g1 = insertelement <4 x i32> poison, i32 %r1, i32 0
  %g2 = insertelement <4 x i32> %g1, i32 %r2, i32 1
  %g3 = insertelement <4 x i32> %g2, i32 %r3, i32 2
  %g4 = insertelement <4 x i32> %g3, i32 %r4, i32 3
  call void @say4(<4 x i32> %g4)
  %rw = zext i32 %r5 to i64
  call void @say(i64 %rw)
  %any = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %less)
  %anyw = zext i1 %any to i64
  call void @say(i64 %anyw)
  %clamped = call <4 x i32> @llvm.umin.v4i32(<4 x i32> %v, <4 x i32> splat (i32 25))
  call void @say4(<4 x i32> %clamped)
  %wide = sext <4 x i32> %v to <4 x i64>
  %narrow = trunc <4 x i64> %wide to <4 x i32>
  call void @say4(<4 x i32> %narrow)
  %places = getelementptr i32, ptr @numbers, <4 x i64> <i64 3, i64 1, i64 0, i64 2>
  %p2 = extractelement <4 x ptr> %places, i32 0
  %found = load i32, ptr %p2
  %fw = zext i32 %found to i64
  call void @say(i64 %fw)
  %small = alloca <8 x i1>
  store <8 x i1> <i1 1, i1 0, i1 0, i1 1, i1 1, i1 0, i1 1, i1 0>, ptr %small
  %packed = load i8, ptr %small
  %pw = zext i8 %packed to i64
  call void @say(i64 %pw)
  %odd = alloca i24
  store i24 -2, ptr %odd
  %back = load i24, ptr %odd
  %ow = sext i24 %back to i64
  call void @say(i64 %ow)
  ret void
}

define void @floats() {
  %x = load double, ptr @x
  %y = load double, ptr @y
  %n = load double, ptr @nan
  %f1 = call double @llvm.fabs.f64(double %y)
  call void @say_double(double %f1)
  %f2 = call double @llvm.sqrt.f64(double %x)
  call void @say_double(double %f2)
  %f3 = call double @llvm.floor.f64(double %y)
  call void @say_double(double %f3)
  %f4 = call double @llvm.ceil.f64(double %y)
  call void @say_double(double %f4)
  %f5 = call double @llvm.trunc.f64(double %x)
  call void @say_double(double %f5)
  %f6 = call double @llvm.round.f64(double %x)
  call void @say_double(double %f6)
  %f7 = call double @llvm.rint.f64(double 2.5)
  call void @say_double(double %f7)
  %f8 = call double @llvm.minnum.f64(double %x, double %n)
  call void @say_double(double %f8)
  %f9 = call double @llvm.maxnum.f64(double %y, double %x)
  call void @say_double(double %f9)
  %f10 = call double @llvm.copysign.f64(double %x, double %y)
  call void @say_double(double %f10)
  %f11 = call double @llvm.fma.f64(double %x, double %y, double 0x3FF0000000000001)
  call void @say_double(double %f11)
  %rem = frem double %x, %y
  call void @say_double(double %rem)
  %neg = fneg double %x
  call void @say_double(double %neg)
  %i1 = call i32 @llvm.fptosi.sat.i32.f64(double 1.0e30)
  %w1 = sext i32 %i1 to i64
  call void @say(i64 %w1)
  %i2 = call i8 @llvm.fptoui.sat.i8.f64(double %y)
  %w2 = zext i8 %i2 to i64
  call void @say(i64 %w2)
  %i3 = call i64 @llvm.lround.i64.f64(double %x)
  call void @say(i64 %i3)
  %ordered = fcmp ord double %x, %n
  %ow = zext i1 %ordered to i64
  call void @say(i64 %ow)
  %unequal = fcmp une double %n, %n
  %uw = zext i1 %unequal to i64
  call void @say(i64 %uw)
  %ueq = fcmp ueq double %x, %y
  %ew = zext i1 %ueq to i64
  call void @say(i64 %ew)
  %class = call i1 @llvm.is.fpclass.f64(double %y, i32 8)
  %cw = zext i1 %class to i64
  call void @say(i64 %cw)
  %isnan = call i1 @llvm.is.fpclass.f64(double %n, i32 3)
  %nw = zext i1 %isnan to i64
  call void @say(i64 %nw)
  %long = fpext double %x to x86_fp80
  %cube1 = fmul x86_fp80 %long, %long
  %cube = fdiv x86_fp80 %cube1, 0xK4000C000000000000000
  %short = fptrunc x86_fp80 %cube to double
  call void @say_double(double %short)
  %half = fptrunc double %x to half
  %hb = bitcast half %half to i16
  %hw = zext i16 %hb to i64
  call void @say(i64 %hw)
  %v = insertelement <2 x double> poison, double %x, i32 0
  %vv = insertelement <2 x double> %v, double %y, i32 1
  %product = fmul <2 x double> %vv, %vv
  %total = call double @llvm.vector.reduce.fadd.v2f64(double 0.5, <2 x double> %product)
  call void @say_double(double %total)
  %big = uitofp i64 -1 to float
  %bb = bitcast float %big to i32
  %bw = zext i32 %bb to i64
  call void @say(i64 %bw)
  ret void
}

define void @atomics() {
  %cell = alloca i64
  %a = load i64, ptr @a
  store atomic i64 %a, ptr %cell seq_cst, align 8
  %o1 = atomicrmw add ptr %cell, i64 5 seq_cst
  call void @say(i64 %o1)
  %o2 = atomicrmw sub ptr %cell, i64 9 monotonic
  call void @say(i64 %o2)
  %o3 = atomicrmw nand ptr %cell, i64 65535 acquire
  call void @say(i64 %o3)
  %o4 = atomicrmw xor ptr %cell, i64 -1 release
  call void @say(i64 %o4)
  %o5 = atomicrmw max ptr %cell, i64 100 acq_rel
  call void @say(i64 %o5)
  %o6 = atomicrmw umin ptr %cell, i64 50 seq_cst
  call void @say(i64 %o6)
  %o7 = atomicrmw uinc_wrap ptr %cell, i64 50 seq_cst
  call void @say(i64 %o7)
  %o8 = atomicrmw udec_wrap ptr %cell, i64 7 seq_cst
  call void @say(i64 %o8)
  %o9 = atomicrmw udec_wrap ptr %cell, i64 9 seq_cst
  call void @say(i64 %o9)
  %o10 = atomicrmw xchg ptr %cell, i64 3 seq_cst
  call void @say(i64 %o10)
  %x1 = cmpxchg ptr %cell, i64 3, i64 4 seq_cst seq_cst
  %x1v = extractvalue { i64, i1 } %x1, 0
  %x1b = extractvalue { i64, i1 } %x1, 1
  call void @say(i64 %x1v)
  %x1w = zext i1 %x1b to i64
  call void @say(i64 %x1w)
  %x2 = cmpxchg weak ptr %cell, i64 9, i64 5 acq_rel monotonic
  %x2b = extractvalue { i64, i1 } %x2, 1
  %x2w = zext i1 %x2b to i64
  call void @say(i64 %x2w)
  fence seq_cst
  %last = load atomic i64, ptr %cell acquire, align 8
  call void @say(i64 %last)
  %real = alloca double
  store double 1.5, ptr %real
  %o11 = atomicrmw fadd ptr %real, double 2.25 seq_cst
  %r = load double, ptr %real
  call void @say_double(double %r)
  %pointer = alloca ptr
  store ptr @a, ptr %pointer
  %o12 = atomicrmw xchg ptr %pointer, ptr @b seq_cst
  %same = icmp eq ptr %o12, @a
  %sw = zext i1 %same to i64
  call void @say(i64 %sw)
  ret void
}

define i64 @jump(i32 %which) {
  %table = alloca [3 x ptr]
  store [3 x ptr] [ptr blockaddress(@jump, %one), ptr blockaddress(@jump, %two), ptr blockaddress(@jump, %three)], ptr %table
  %at = getelementptr [3 x ptr], ptr %table, i32 0, i32 %which
  %to = load ptr, ptr %at
  indirectbr ptr %to, [label %one, label %two, label %three]
one:
  ret i64 11
two:
  br label %three
three:
  %from = phi i64 [ 33, %0 ], [ 22, %two ]
  ret i64 %from
}

define { i64, [2 x i32] } @aggregate(i64 %first) {
  %low = trunc i64 %first to i32
  %a = insertvalue { i64, [2 x i32] } undef, i64 %first, 0
  %b = insertvalue { i64, [2 x i32] } %a, i32 %low, 1, 0
  %c = insertvalue { i64, [2 x i32] } %b, i32 7, 1, 1
  ret { i64, [2 x i32] } %c
}

define void @rest() {
  %j0 = call i64 @jump(i32 0)
  call void @say(i64 %j0)
  %j1 = call i64 @jump(i32 1)
  call void @say(i64 %j1)
  %j2 = call i64 @jump(i32 2)
  call void @say(i64 %j2)
  %b = load i64, ptr @b
  %made = call { i64, [2 x i32] } @aggregate(i64 %b)
  %memory = alloca { i64, [2 x i32] }
  store { i64, [2 x i32] } %made, ptr %memory
  %inner = getelementptr { i64, [2 x i32] }, ptr %memory, i32 0, i32 1, i32 0
  %low = load i32, ptr %inner
  %lw = zext i32 %low to i64
  call void @say(i64 %lw)
  %again = load { i64, [2 x i32] }, ptr %memory
  %last = extractvalue { i64, [2 x i32] } %again, 1, 1
  %laste = zext i32 %last to i64
  call void @say(i64 %laste)
  %kept = call ptr @llvm.stacksave.p0()
  %s = load i32, ptr @small
  %room = alloca i16, i32 %s
  call void @llvm.memset.p0.i64(ptr %room, i8 -86, i64 10, i1 false)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %room, ptr @numbers, i64 4, i1 false)
  %wide = load i64, ptr %room, align 1
  call void @say(i64 %wide)
  call void @llvm.stackrestore.p0(ptr %kept)
  switch i64 %b, label %other [
    i64 5, label %five
    i64 1609587929392839161, label %yes
  ]
five:
  call void @say(i64 5)
  br label %yes
yes:
  %taken = phi i64 [ 1, %five ], [ 2, %0 ]
  call void @say(i64 %taken)
  br label %other
other:
  %number = ptrtoint ptr %inner to i64
  %base = ptrtoint ptr %memory to i64
  %distance = sub i64 %number, %base
  call void @say(i64 %distance)
  %rounded = call ptr @llvm.ptrmask.p0.i64(ptr %memory, i64 -8)
  %field = load i64, ptr %rounded
  call void @say(i64 %field)
  ret void
}

define i32 @main() {
  call void @integers()
  call void @vectors()
  call void @floats()
  call void @atomics()
  call void @rest()
  call void @say(i64 42)
  ret i32 42
}

declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i24 @llvm.fshl.i24(i24, i24, i24)
declare i24 @llvm.ctlz.i24(i24, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i33 @llvm.ctpop.i33(i33)
declare i48 @llvm.bswap.i48(i48)
declare i64 @llvm.bitreverse.i64(i64)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare i64 @llvm.usub.sat.i64(i64, i64)
declare i64 @llvm.sshl.sat.i64(i64, i64)
declare i64 @llvm.ushl.sat.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i8 @llvm.scmp.i8.i64(i64, i64)
declare i8 @llvm.ucmp.i8.i64(i64, i64)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare i64 @llvm.expect.i64(i64, i64)
declare void @llvm.assume(i1)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.mul.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.smin.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.umax.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.xor.v4i32(<4 x i32>)
declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)
declare <4 x i32> @llvm.umin.v4i32(<4 x i32>, <4 x i32>)
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.ceil.f64(double)
declare double @llvm.trunc.f64(double)
declare double @llvm.round.f64(double)
declare double @llvm.rint.f64(double)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.fma.f64(double, double, double)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i8 @llvm.fptoui.sat.i8.f64(double)
declare i64 @llvm.lround.i64.f64(double)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
