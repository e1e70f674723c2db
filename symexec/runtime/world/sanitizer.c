/* What -fsanitize=undefined calls: each finding ends the path, under the name that clang has for its kind. */
#include "../source/runtime.h"

struct place {
  const char *file;
  uint32_t line, column;
};

/* A type as the compiler describes it: 0 is an integer, whose second number has its sign and the logarithm of its
   width; 1 is a floating-point number. */
struct type {
  uint16_t kind, about;
  char name[];
};

struct at {
  struct place place;
};

struct of_type {
  struct place place;
  const struct type *type;
};

struct of_two_types {
  struct place place;
  const struct type *left, *right;
};

struct of_pointer {
  struct place place;
  const struct type *type;
  uint8_t alignment, use;
};

struct of_conversion {
  struct place place;
  const struct type *from, *to;
  uint8_t kind;
};

static int is_signed(const struct type *type) { return type->kind == 0 && (type->about & 1); }

static unsigned width(const struct type *type) { return 1u << (type->about >> 1); }

/* An operand, which is the number itself or, if that has more than 64 bits, a pointer to it. */
static int64_t number(const struct type *type, uint64_t value) {
  unsigned bits = width(type);
  if (bits > 64)
    value = *(const uint64_t *)value;
  if (bits >= 64)
    return (int64_t)value;
  return is_signed(type) ? (int64_t)(value << (64 - bits)) >> (64 - bits) : (int64_t)value;
}

#define FOUND(data, message, suffix) \
  klee_report_error((data)->place.file, (int)(data)->place.line, message, suffix)

/* A handler, and the one for programs that end with their first finding. */
#define HANDLER(name, parameters, arguments, ...) \
  void __ubsan_handle_##name parameters __VA_ARGS__ \
  void __ubsan_handle_##name##_abort parameters { __ubsan_handle_##name arguments; }

static void overflow(const struct of_type *data) {
  FOUND(data, is_signed(data->type) ? "signed-integer-overflow" : "unsigned-integer-overflow", "overflow.err");
}

#define OVERFLOW(name)                                                                              \
  HANDLER(name, (const struct of_type *data, uint64_t left, uint64_t right), (data, left, right), { \
    (void)left, (void)right;                                                                        \
    overflow(data);                                                                                 \
  })

OVERFLOW(add_overflow)
OVERFLOW(sub_overflow)
OVERFLOW(mul_overflow)

HANDLER(negate_overflow, (const struct of_type *data, uint64_t value), (data, value), {
  (void)value;
  overflow(data);
})

HANDLER(divrem_overflow, (const struct of_type *data, uint64_t left, uint64_t right), (data, left, right), {
  (void)left;
  if (data->type->kind != 0)
    FOUND(data, "float-divide-by-zero", "overflow.err");
  if (is_signed(data->type) && number(data->type, right) == -1)
    FOUND(data, "signed-integer-overflow", "overflow.err");
  FOUND(data, "integer-divide-by-zero", "overflow.err");
})

HANDLER(shift_out_of_bounds, (const struct of_two_types *data, uint64_t left, uint64_t right),
        (data, left, right), {
  (void)left;
  int64_t by = number(data->right, right);
  if ((is_signed(data->right) && by < 0) || (uint64_t)by >= width(data->left))
    FOUND(data, "invalid-shift-exponent", "overflow.err");
  FOUND(data, "invalid-shift-base", "overflow.err");
})

HANDLER(type_mismatch_v1, (const struct of_pointer *data, uint64_t pointer), (data, pointer), {
  /* The eleventh use is an assignment to what is declared not to be null. */
  if (pointer == 0)
    FOUND(data, data->use == 10 ? "null-pointer-use-with-nullability" : "null-pointer-use", "ptr.err");
  if (pointer & (((uint64_t)1 << data->alignment) - 1))
    FOUND(data, "misaligned-pointer-use", "ptr.err");
  FOUND(data, "insufficient-object-size", "ptr.err");
})

HANDLER(alignment_assumption, (const struct at *data, uint64_t pointer, uint64_t alignment, uint64_t offset),
        (data, pointer, alignment, offset), {
  (void)pointer, (void)alignment, (void)offset;
  FOUND(data, "alignment-assumption", "ptr.err");
})

HANDLER(out_of_bounds, (const struct at *data, uint64_t index), (data, index), {
  (void)index;
  FOUND(data, "out-of-bounds-index", "ptr.err");
})

HANDLER(pointer_overflow, (const struct at *data, uint64_t base, uint64_t result), (data, base, result), {
  if (base == 0)
    FOUND(data, result == 0 ? "nullptr-with-offset" : "nullptr-with-nonzero-offset", "ptr.err");
  FOUND(data, result == 0 ? "nullptr-after-nonzero-offset" : "pointer-overflow", "ptr.err");
})

void __ubsan_handle_builtin_unreachable(const struct at *data) {
  FOUND(data, "unreachable-call", "unreachable_call.err");
}

void __ubsan_handle_missing_return(const struct at *data) { FOUND(data, "missing-return", "missing_return.err"); }

HANDLER(vla_bound_not_positive, (const struct at *data, uint64_t bound), (data, bound), {
  (void)bound;
  FOUND(data, "non-positive-vla-index", "model.err");
})

HANDLER(float_cast_overflow, (const struct at *data, uint64_t value), (data, value), {
  (void)value;
  FOUND(data, "float-cast-overflow", "overflow.err");
})

HANDLER(load_invalid_value, (const struct of_type *data, uint64_t value), (data, value), {
  (void)value;
  const char *name = data->type->name;
  int is_truth = name[0] == '\'' && (name[1] == 'b' || name[1] == '_' || name[1] == 'B') && width(data->type) == 8;
  FOUND(data, is_truth ? "invalid-bool-load" : "invalid-enum-load", "invalid_load.err");
})

HANDLER(implicit_conversion, (const struct of_conversion *data, uint64_t from, uint64_t to), (data, from, to), {
  (void)from, (void)to;
  switch (data->kind) {
  case 0:
    FOUND(data,
          is_signed(data->from) || is_signed(data->to) ? "implicit-signed-integer-truncation"
                                                       : "implicit-unsigned-integer-truncation",
          "implicit_truncation.err");
  case 1:
    FOUND(data, "implicit-unsigned-integer-truncation", "implicit_truncation.err");
  case 2:
    FOUND(data, "implicit-signed-integer-truncation", "implicit_truncation.err");
  case 3:
    FOUND(data, "implicit-integer-sign-change", "implicit_conversion.err");
  default:
    FOUND(data, "implicit-signed-integer-truncation-or-sign-change", "implicit_conversion.err");
  }
})

HANDLER(invalid_builtin, (const struct at *data), (data), {
  FOUND(data, "invalid-builtin-use", "invalid_builtin_use.err");
})

HANDLER(nonnull_arg, (const struct at *data), (data), {
  FOUND(data, "invalid-null-argument", "nullable_attribute.err");
})

HANDLER(nullability_arg, (const struct at *data), (data), {
  FOUND(data, "invalid-null-argument-with-nullability", "nullable_attribute.err");
})

HANDLER(nonnull_return_v1, (const struct at *declared, const struct at *data), (declared, data), {
  (void)declared;
  FOUND(data, "invalid-null-return", "nullable_attribute.err");
})

HANDLER(nullability_return_v1, (const struct at *declared, const struct at *data), (declared, data), {
  (void)declared;
  FOUND(data, "invalid-null-return-with-nullability", "nullable_attribute.err");
})

HANDLER(function_type_mismatch, (const struct at *data, uint64_t function), (data, function), {
  (void)function;
  FOUND(data, "function-type-mismatch", "exec.err");
})

/* Those of -fsanitize-minimal-runtime, which tell nothing but the kind, in its words. */
#define MINIMAL(name, message, suffix)                                                                          \
  void __ubsan_handle_##name##_minimal(void) { klee_report_error("", 0, message, suffix); }                     \
  void __ubsan_handle_##name##_minimal_abort(void) { __ubsan_handle_##name##_minimal(); }

MINIMAL(type_mismatch, "type-mismatch", "ptr.err")
MINIMAL(alignment_assumption, "alignment-assumption", "ptr.err")
MINIMAL(add_overflow, "add-overflow", "overflow.err")
MINIMAL(sub_overflow, "sub-overflow", "overflow.err")
MINIMAL(mul_overflow, "mul-overflow", "overflow.err")
MINIMAL(negate_overflow, "negate-overflow", "overflow.err")
MINIMAL(divrem_overflow, "divrem-overflow", "overflow.err")
MINIMAL(shift_out_of_bounds, "shift-out-of-bounds", "overflow.err")
MINIMAL(out_of_bounds, "out-of-bounds", "ptr.err")
MINIMAL(local_out_of_bounds, "local-out-of-bounds", "ptr.err")
MINIMAL(builtin_unreachable, "builtin-unreachable", "unreachable_call.err")
MINIMAL(missing_return, "missing-return", "missing_return.err")
MINIMAL(vla_bound_not_positive, "vla-bound-not-positive", "model.err")
MINIMAL(float_cast_overflow, "float-cast-overflow", "overflow.err")
MINIMAL(load_invalid_value, "load-invalid-value", "invalid_load.err")
MINIMAL(invalid_builtin, "invalid-builtin", "invalid_builtin_use.err")
MINIMAL(function_type_mismatch, "function-type-mismatch", "exec.err")
MINIMAL(implicit_conversion, "implicit-conversion", "implicit_conversion.err")
MINIMAL(nonnull_arg, "nonnull-arg", "nullable_attribute.err")
MINIMAL(nonnull_return, "nonnull-return", "nullable_attribute.err")
MINIMAL(nullability_arg, "nullability-arg", "nullable_attribute.err")
MINIMAL(nullability_return, "nullability-return", "nullable_attribute.err")
MINIMAL(pointer_overflow, "pointer-overflow", "ptr.err")
