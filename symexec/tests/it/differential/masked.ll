; Masked accesses, variable arguments and functions on vectors, each with its result handed to @say. Lanes that
; a mask leaves out point nowhere.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@line = internal global [17 x i8] zeroinitializer
@digits = internal constant [16 x i8] c"0123456789abcdef"
@mask = internal global i8 181
@source = internal global [8 x i32] [i32 11, i32 22, i32 33, i32 44, i32 55, i32 66, i32 77, i32 88], align 32
@target = internal global [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8], align 32
@x = internal global double 3.250000e+00
@n = internal global i32 -3
@bits = internal global <11 x i1> zeroinitializer

declare void @klee_warning(ptr)

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

define void @say8(<8 x i32> %v) {
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %e = extractelement <8 x i32> %v, i32 %k
  %w = sext i32 %e to i64
  call void @say(i64 %w)
  %next = add i32 %k, 1
  %end = icmp eq i32 %next, 8
  br i1 %end, label %done, label %loop
done:
  ret void
}

define <8 x ptr> @places(<8 x i1> %m) {
  %all = getelementptr [8 x i32], ptr @source, i64 0, <8 x i64> <i64 7, i64 6, i64 5, i64 4, i64 3, i64 2, i64 1, i64 0>
  %some = select <8 x i1> %m, <8 x ptr> %all, <8 x ptr> zeroinitializer
  ret <8 x ptr> %some
}

define i64 @sum(i32 %count, ...) {
  %list = alloca [3 x i64], align 16
  %copy = alloca [3 x i64], align 16
  call void @llvm.va_start.p0(ptr %list)
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %more, %loop ]
  %i = va_arg ptr %list, i32
  %l = va_arg ptr %list, i64
  %p = va_arg ptr %list, ptr
  %d = va_arg ptr %list, double
  %e = load i32, ptr %p
  %w = zext i32 %i to i64
  %f = fptosi double %d to i64
  %v = zext i32 %e to i64
  %t = mul i64 %w, 7
  %s1 = mul i64 %sum, 3
  %s2 = add i64 %s1, %w
  %s3 = xor i64 %s2, %l
  %s4 = add i64 %s3, %v
  %s5 = add i64 %s4, %t
  %more = xor i64 %s5, %f
  %next = add i32 %k, 1
  %end = icmp eq i32 %next, %count
  br i1 %end, label %done, label %loop
done:
  call void @llvm.va_copy.p0(ptr %copy, ptr %list)
  %last = va_arg ptr %copy, i64
  %all = add i64 %more, %last
  ret i64 %all
}

define i32 @main() {
  %bits = load volatile i8, ptr @mask
  %m = bitcast i8 %bits to <8 x i1>
  ; A load whose end lies outside where the mask has no bits.
  %end = getelementptr [8 x i32], ptr @source, i64 0, i64 4
  %low = and <8 x i1> %m, <i1 1, i1 1, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0>
  %l1 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %end, i32 4, <8 x i1> %low, <8 x i32> <i32 -1, i32 -2, i32 -3, i32 -4, i32 -5, i32 -6, i32 -7, i32 -8>)
  call void @say8(<8 x i32> %l1)
  %l2 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr @source, i32 4, <8 x i1> <i1 0, i1 1, i1 1, i1 0, i1 0, i1 1, i1 0, i1 1>, <8 x i32> zeroinitializer)
  call void @say8(<8 x i32> %l2)
  %places = call <8 x ptr> @places(<8 x i1> %m)
  %l3 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x i32> %l1)
  call void @say8(<8 x i32> %l3)
  %l4 = call <8 x i32> @llvm.masked.expandload.v8i32(ptr @source, <8 x i1> %m, <8 x i32> %l3)
  call void @say8(<8 x i32> %l4)
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %l4, ptr @target, i32 4, <8 x i1> %m)
  %t1 = load <8 x i32>, ptr @target
  call void @say8(<8 x i32> %t1)
  call void @llvm.masked.compressstore.v8i32(<8 x i32> %l3, ptr @target, <8 x i1> %m)
  %t2 = load <8 x i32>, ptr @target
  call void @say8(<8 x i32> %t2)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %l4, <8 x ptr> %places, i32 4, <8 x i1> %m)
  %t3 = load <8 x i32>, ptr @source
  call void @say8(<8 x i32> %t3)
  %a0 = zext i8 %bits to i32
  %act = call <8 x i1> @llvm.get.active.lane.mask.v8i1.i32(i32 %a0, i32 184)
  %act8 = bitcast <8 x i1> %act to i8
  %act64 = zext i8 %act8 to i64
  call void @say(i64 %act64)
  %near = or i32 %a0, -4
  %over = call <8 x i1> @llvm.get.active.lane.mask.v8i1.i32(i32 %near, i32 -1)
  %over8 = bitcast <8 x i1> %over to i8
  %over64 = zext i8 %over8 to i64
  call void @say(i64 %over64)
  ; Vectors moved, joined and taken apart.
  %half = call <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32> %t3, i64 4)
  %put = call <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32> %t1, <4 x i32> %half, i64 0)
  call void @say8(<8 x i32> %put)
  %low4 = call <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32> %t3, i64 0)
  %mixed = call <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32> %half, <4 x i32> %low4)
  call void @say8(<8 x i32> %mixed)
  %parts = call { <4 x i32>, <4 x i32> } @llvm.vector.deinterleave2.v8i32(<8 x i32> %t1)
  %odd = extractvalue { <4 x i32>, <4 x i32> } %parts, 1
  %even = extractvalue { <4 x i32>, <4 x i32> } %parts, 0
  %joined = shufflevector <4 x i32> %odd, <4 x i32> %even, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  call void @say8(<8 x i32> %joined)
  %sp = call <8 x i32> @llvm.vector.splice.v8i32(<8 x i32> %t1, <8 x i32> %t3, i32 -3)
  call void @say8(<8 x i32> %sp)
  %sq = call <8 x i32> @llvm.vector.splice.v8i32(<8 x i32> %t1, <8 x i32> %t3, i32 2)
  call void @say8(<8 x i32> %sq)
  %pos = icmp sgt <8 x i32> %t3, <i32 50, i32 50, i32 50, i32 50, i32 50, i32 50, i32 50, i32 50>
  %wide = shufflevector <8 x i1> %pos, <8 x i1> %m, <11 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 15>
  store <11 x i1> %wide, ptr @bits
  %back = load <11 x i1>, ptr @bits
  %back11 = bitcast <11 x i1> %back to i11
  %back64 = zext i11 %back11 to i64
  call void @say(i64 %back64)
  %rb = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %m)
  %rb64 = zext i1 %rb to i64
  call void @say(i64 %rb64)
  ; Powers and parts of numbers.
  %x = load volatile double, ptr @x
  %n = load volatile i32, ptr @n
  %p = call double @llvm.powi.f64.i32(double %x, i32 %n)
  %pb = bitcast double %p to i64
  call void @say(i64 %pb)
  %xf = fptrunc double %x to float
  %v2 = insertelement <2 x float> <float 1.5, float 0.0>, float %xf, i32 1
  %pv = call <2 x float> @llvm.powi.v2f32.i32(<2 x float> %v2, i32 %n)
  %pvb = bitcast <2 x float> %pv to i64
  call void @say(i64 %pvb)
  %xl = fpext double %x to x86_fp80
  %pl = call x86_fp80 @llvm.powi.f80.i32(x86_fp80 %xl, i32 %n)
  %pld = fptrunc x86_fp80 %pl to double
  %plb = bitcast double %pld to i64
  call void @say(i64 %plb)
  %s = call double @llvm.ldexp.f64.i32(double %x, i32 %n)
  %sb = bitcast double %s to i64
  call void @say(i64 %sb)
  %fr = call { double, i32 } @llvm.frexp.f64.i32(double %s)
  %fr0 = extractvalue { double, i32 } %fr, 0
  %fr1 = extractvalue { double, i32 } %fr, 1
  %fr0b = bitcast double %fr0 to i64
  %fr1b = zext i32 %fr1 to i64
  call void @say(i64 %fr0b)
  call void @say(i64 %fr1b)
  %po = call double @llvm.pow.f64(double %x, double 2.5)
  %pob = bitcast double %po to i64
  call void @say(i64 %pob)
  %va = call i64 (i32, ...) @sum(i32 4, i32 1, i64 2, ptr @source, double 3.5, i32 4, i64 5, ptr @source, double 6.5, i32 8, i64 9, ptr @target, double 10.5, i32 14, i64 15, ptr @target, double -3.5, i64 12)
  call void @say(i64 %va)
  call void @say(i64 0)
  ret i32 0
}

declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.scatter.v8i32.v8p0(<8 x i32>, <8 x ptr>, i32, <8 x i1>)
declare <8 x i32> @llvm.masked.expandload.v8i32(ptr, <8 x i1>, <8 x i32>)
declare void @llvm.masked.compressstore.v8i32(<8 x i32>, ptr, <8 x i1>)
declare <8 x i1> @llvm.get.active.lane.mask.v8i1.i32(i32, i32)
declare <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32>, i64)
declare <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32>, <4 x i32>, i64)
declare <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32>, <4 x i32>)
declare { <4 x i32>, <4 x i32> } @llvm.vector.deinterleave2.v8i32(<8 x i32>)
declare <8 x i32> @llvm.vector.splice.v8i32(<8 x i32>, <8 x i32>, i32)
declare i1 @llvm.vector.reduce.or.v8i1(<8 x i1>)
declare double @llvm.powi.f64.i32(double, i32)
declare <2 x float> @llvm.powi.v2f32.i32(<2 x float>, i32)
declare x86_fp80 @llvm.powi.f80.i32(x86_fp80, i32)
declare double @llvm.ldexp.f64.i32(double, i32)
declare { double, i32 } @llvm.frexp.f64.i32(double)
declare double @llvm.pow.f64(double, double)
