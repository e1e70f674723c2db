//! Hand-made scripts in which something is meant to go wrong.

/// By what is hostile about them; `deep` and `long` are made.
pub(super) fn scripts() -> Vec<Vec<String>> {
    let mut scripts: Vec<Vec<String>> = SCRIPTS.iter().map(|script| vec![(*script).to_owned()]).collect();
    let deep = |depth: usize| {
        format!(
            "(declare-const p Bool)(assert {}p{})(check-sat)(get-model)",
            "(not ".repeat(depth),
            ")".repeat(depth)
        )
    };
    scripts.push(vec![deep(2_001)]);
    let numeral = "7".repeat(5_000);
    scripts.push(vec![format!("(declare-const n Int)(assert (= n {numeral}))(check-sat)(get-value (n))")]);
    let name = "n".repeat(20_000);
    scripts.push(vec![format!("(declare-const {name} Int)(assert (> {name} 1))(check-sat)(get-model)")]);
    let many: String =
        (0..300).map(|at| format!("(declare-const m{at} Int)(assert (< m{at} {at}))")).collect();
    scripts.push(vec![format!("{many}(check-sat)(get-value (m7 m8))")]);
    scripts
}

const SCRIPTS: [&str; 58] = [
    "(declare-const |a b| Int)(declare-const |c\nd| Int)(assert (> |a b| |c\nd|))(check-sat)(get-model)(get-value (|a b| (+ |c\nd| 1)))",
    "(declare-const x Int)(assert (let ((x (+ x 1))) (let ((x (* 2 x))) (> x 10))))(check-sat)(get-value (x))",
    "(declare-const x Int)(assert (forall ((x Int)) (exists ((y Int)) (> y x))))(assert (> x 3))(check-sat)(get-value (x))",
    "(push 1)(declare-const x Int)(assert (> x 1))(check-sat)(pop 1)(push 1)(declare-const x Bool)(assert x)(check-sat)(get-value (x))(pop 1)",
    "(set-option :produce-unsat-cores true)(declare-const p Bool)(assert (! p :named one))(assert (! (not p) :named two))(assert (! (or p true) :named three))(check-sat)(get-unsat-core)",
    "(declare-const p Bool)(assert (! p :named label))(assert (not label))(check-sat)",
    "(declare-const x Int)(assert (> x 3))(check-sat)(set-option :timeout 500)(assert (< x 5))(check-sat)(get-value (x))(set-option :rlimit 10000000)(check-sat)",
    "; a comment (with ) parens\n(declare-const x Int) ; another \"\n(assert (> x 3));)\n(check-sat)\n; last",
    "(declare-const s String)(assert (= s \"a \"\"quoted\"\" (word)\"))(check-sat)(get-value (s))",
    "(echo \"say \"\"this\"\" ; and | that\")(check-sat)(echo \"\")",
    "(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (val Int) (right Tree)))))(declare-const t Tree)(assert ((_ is node) t))(assert (> (val t) 3))(check-sat)(get-value ((val t)))",
    "(declare-datatypes ((Pair 2)) ((par (A B) ((mk (fst A) (snd B))))))(declare-const p (Pair Int Bool))(assert (= (fst p) 4))(assert (snd p))(check-sat)(get-value ((fst p)))",
    "(declare-datatypes ((Opt 0)) (((none) (some (it Int)))))(declare-const o Opt)(assert (match o ((none false) ((some v) (> v 2)))))(check-sat)(get-value ((it o)))",
    "(define-fun-rec len ((n Int)) Int (ite (<= n 0) 0 (+ 1 (len (- n 1)))))(assert (= (len 3) 3))(check-sat)",
    "(define-funs-rec ((ev ((n Int)) Bool) (od ((n Int)) Bool)) ((ite (= n 0) true (od (- n 1))) (ite (= n 0) false (ev (- n 1)))))(assert (ev 4))(check-sat)",
    "(define-sort Vec (T) (Array Int T))(declare-const v (Vec Int))(assert (= (select v 1) 5))(check-sat)(get-value ((select v 1)))",
    "(declare-sort S 0)(declare-const a S)(declare-const b S)(assert (distinct a b))(check-sat)(get-model)(get-value (a b))",
    "(declare-fun f (Int) Int)(declare-const x Int)(assert (= (f x) 7))(assert (= (f (f x)) 3))(check-sat)(get-model)(get-value ((f x)))",
    "(declare-const x Int)(declare-const x Int)(assert (> x 2))(check-sat)",
    "(declare-const x Int)(assert (> y 2))(assert (> x 2))(check-sat)(get-value (x))",
    "(declare-const x Int)(assert (+ x 1))(check-sat)(assert (and x))(check-sat)(pop 3)(check-sat)",
    "(set-option :print-success true)(declare-const x Int)(push 1)(assert (> x 2))(check-sat)(pop 1)(set-option :print-success false)(check-sat)",
    "(declare-const x Int)(assert (> x 2))(check-sat)(reset)(declare-const x Bool)(assert x)(check-sat)(get-value (x))",
    "(declare-const x Int)(assert (> x 2))(check-sat)(reset-assertions)(assert (< x 2))(check-sat)(declare-const y Int)(assert (= y 1))(check-sat)",
    "(check-sat)(get-model)(assert false)(check-sat)(get-model)(get-value (1))(get-unsat-core)",
    "(set-option :nonsense 3)(check-sat)(foo)(check-sat)",
    "(declare-const x Int)(assert (> x 1)))(check-sat)",
    "(declare-const x Int)(assert (> x 1)",
    "(declare-fun abs (Bool) Int)(assert (= (abs (- 5)) 5))(check-sat)(assert (= (abs true) 3))(check-sat)",
    "(declare-fun head (Bool) Int)(declare-const l (List Int))(assert (= (head l) (head true)))(check-sat)",
    "(declare-fun is-nil (Int) Bool)(declare-const l (List Int))(assert (is-nil l))(assert (is-nil 3))(check-sat)",
    "(declare-fun equals (Bool Bool) Int)(assert (equals 1 1))(check-sat)(assert (= (equals true false) 3))(check-sat)",
    "(declare-sort List 1)(declare-const l (List Int))(declare-const k (List Int))(assert (distinct k l))(check-sat)",
    "(declare-fun bvadd (Int Int) Int)(assert (= (bvadd #x1 #x2) #x3))(check-sat)(assert (= (bvadd 1 2) 7))(check-sat)",
    "(declare-fun ln (Int) Int)(declare-const bit0 Int)(assert (= (ln 2.5) 1.0))(assert (= (ln 3) bit0))(check-sat)",
    "(declare-fun f (Int) Int)(declare-fun f (Bool) Int)(assert (= (f 1) (f true)))(check-sat)(assert (distinct (f 1) (f true)))(check-sat)",
    "(set-info :status unsat)(declare-const p Bool)(assert p)(assert (not p))(check-sat)(exit)(check-sat)",
    "(set-logic QF_LIA)(declare-const x Int)(declare-const p Bool)(declare-const q Bool)(assert (=> p (> x 3)))(assert (=> q (< x 2)))(check-sat-assuming (p q))(check-sat-assuming (p))(get-value (x))(check-sat-assuming (q))(get-value (x))",
    "(declare-const k!0 Int)(declare-fun f (Int) Int)(assert (= (f k!0) 3))(assert (= (f (+ k!0 1)) 4))(check-sat)(get-value ((f k!0)))",
    "(set-logic QF_BV)(declare-const b Bool)(declare-const a Bool)(declare-const x Int)(assert (or a b))(assert (> x 1))(check-sat)(get-model)(get-value ((> x 1)))(get-value ((select ((as const (Array Int Int)) 0) x)))(get-value (b))",
    "(declare-const b Bool)(declare-const a Bool)(assert (or a b))(check-sat)(get-model)(get-value (nothing))(get-value ((select a b)))(get-value (a))",
    "(set-option :produce-unsat-cores true)(declare-const b Bool)(assert (! b :named z))(assert (! (not b) :named a))(assert (! (or b b) :named k))(check-sat)(get-unsat-core)(get-unsat-core)(get-value (b))(get-info :reason-unknown)",
    "(declare-const x Real)(declare-const y Real)(assert (= (* x y) 2.50))(assert (> x 1.0))(check-sat)(get-assertions)(simplify (+ 1 2))(check-sat)",
    "(set-option :print-success true)(set-option :produce-unsat-cores true)(reset)(declare-const x Int)(assert (! (> x 1) :named a))(assert (! (< x 1) :named b))(check-sat)(get-unsat-core)(get-option :print-success)(exit)",
    "(set-option :timeout 60000)(set-option :smt.mbqi false)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))(check-sat)(get-info :reason-unknown)(reset)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))(check-sat)(get-info :reason-unknown)",
    "(set-option :global-decls true)(push)(declare-const x Int)(define-fun two () Int 2)(declare-sort S 0)(declare-datatypes ((P 0)) (((mk (a Int)))))(assert (> x two))(check-sat)(pop)(declare-const s S)(assert (= x two))(assert (= (a (mk x)) 2))(check-sat)(get-value (x (mk x)))",
    "(set-option :global-declarations true)(push 1)(declare-const x Int)(pop 1)(push 1)(declare-const x Int)(assert (= x 1))(check-sat)(pop 1)(assert (! (= x 3) :named n))(push 1)(assert (! (= x 4) :named m))(check-sat)(pop 1)(assert m)(check-sat)(reset)(assert (= x 5))(check-sat)",
    "(declare-const x Int)(push)(assert (> x 3))(push)(assert (< x 3))(check-sat)(pop)(check-sat)(pop)(pop)(check-sat)",
    "(declare-fun f (Int) Int)(assert (exists ((x Int) (z Int)) (! (> (f x) (f z)) :skolemid |sk99| :qid |q.7:1|)))(assert (forall ((x Int)) (! (> (f x) 0) :qid |q.8:1| :no-pattern (f x) :pattern ((f (f x))))))(check-sat)",
    "(declare-const |ab| Int)(assert (= |ab|   3))(check-sat)(get-value (ab |ab|  (+ ab\n |ab|) (let ((ab 2)) (+ ab 1))))(get-value ((! (+ ab 1) :named n)))",
    "(set-option :odd 3)\n(set-option :smt.odd true)(declare-const x Int)(assert (> x 2))(check-sat)(set-option :model_odd false)(check-sat)",
    "(declare-const x Int)(assert (not (! (> x 1) :lblneg @1)))(check-sat)(labels)(assert (> x 5))(check-sat)(labels)(check-sat)",
    "(set-logic QF_LIA)(declare-const x Int)(set-option :print-success true)(assert (> x 2))(set-option :print-success false)(get-option :print-success)(check-sat)(set-option :print-success true)(get-option :print-success)",
    "(set-option :produce-models true)(declare-const x Int)(check-sat)(set-option :produce-unsat-cores true)(assert (> x 2))(check-sat)(get-value (x))",
    "(set-logic ODD)(declare-const x Int)(assert (> x 2))(check-sat)(set-logic QF_LIA)(check-sat)",
    "(declare-const x Int)(assert (= x 2))(check-sat)(declare-const y Int)(assert (odd x))(get-model)(assert (< x 2))(get-model)(check-sat)",
    "(set-option :print-success true)\n(assert (< x 0))\n(set-option :print-success false)(reset-assertions)\n(assert (< x 0))(set-info :source |a|)(check-sat)",
    "; one\n(assert (odd 1))\n(assert (odd 1)) ; two\n  (assert (odd 1))\n\n(check-sat)",
];
