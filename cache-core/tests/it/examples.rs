//! The example programs do what they are there to show.

#[expect(dead_code, reason = "as a program it has a `main`")]
#[path = "../../examples/toy_types/main.rs"]
mod toy_types;

#[test]
fn the_toy_type_checker_infers_what_an_edit_touched_and_says_why() {
    insta::assert_snapshot!(toy_types::report(), @r"
    as first written
      same   : t0 -> t0                           inferred: nothing is stored for it
      twice  : (t0 -> t0) -> t0 -> t0             inferred: nothing is stored for it
      next   : number -> number                   inferred: nothing is stored for it
      later  : number -> number                   inferred: nothing is stored for it
      0 from the cache, 4 inferred, 0 of them again

    with other variables, and in another order
      next   : number -> number                   from the cache
      twice  : (t0 -> t0) -> t0 -> t0             from the cache
      same   : t0 -> t0                           from the cache
      later  : number -> number                   from the cache
      4 from the cache, 0 inferred, 0 of them again

    with another `next`
      next   : t0 -> t0                           from the cache
      twice  : (t0 -> t0) -> t0 -> t0             from the cache
      same   : t0 -> t0                           from the cache
      later  : t0 -> t0                           inferred again: dependency `next` changed
      3 from the cache, 1 inferred, 1 of them again

    with the first `next`, and a `twice` that has no type
      next   : number -> number                   from the cache
      twice  : (its type would contain itself)    inferred again: content `body` changed
      same   : t0 -> t0                           from the cache
      later  : (twice has no type)                inferred again: dependency `twice` changed
      2 from the cache, 2 inferred, 2 of them again
    ");
}
