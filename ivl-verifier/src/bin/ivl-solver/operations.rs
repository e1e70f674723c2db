//! Operations of Z3's theories.

use ivl_verifier::smt::term::Op;
use z3::ast::{Array, Ast, BV, Bool, Dynamic, Int, Real};

use crate::theory::applied;

/// An operation applied to terms.
pub(crate) fn operation(op: &Op, parts: &[&Dynamic]) -> Result<Dynamic, String> {
    let wrong = || format!("{op:?} does not fit its arguments");
    let part = |index: usize| parts.get(index).copied().ok_or_else(wrong);
    let boolean = |index: usize| part(index)?.as_bool().ok_or_else(wrong);
    let array = |index: usize| -> Result<Array, String> { part(index)?.as_array().ok_or_else(wrong) };
    let vector = |index: usize| -> Result<BV, String> { part(index)?.as_bv().ok_or_else(wrong) };
    let integer = |index: usize| -> Result<Int, String> { part(index)?.as_int().ok_or_else(wrong) };
    if arity(op).is_some_and(|arity| arity != parts.len()) {
        return Err(wrong());
    }
    let booleans = || parts.iter().map(|it| it.as_bool().ok_or_else(wrong)).collect::<Result<Vec<Bool>, _>>();
    Ok(match op {
        Op::Not => boolean(0)?.not().into(),
        Op::And => Bool::and(&booleans()?).into(),
        Op::Or => Bool::or(&booleans()?).into(),
        Op::Implies => boolean(0)?.implies(boolean(1)?).into(),
        Op::Eq => part(0)?.safe_eq(part(1)?.clone()).map_err(|_| wrong())?.into(),
        Op::Distinct => {
            let parts: Vec<Dynamic> = parts.iter().map(|it| (*it).clone()).collect();
            Dynamic::distinct(&parts).into()
        }
        Op::IfThenElse => boolean(0)?.ite(part(1)?, part(2)?),
        Op::Select => array(0)?.select(part(1)?),
        Op::Store => array(0)?.store(part(1)?, part(2)?).into(),
        Op::Concat => vector(0)?.concat(vector(1)?).into(),
        Op::Extract(high, low) => vector(0)?.extract(*high, *low).into(),
        Op::Div => integer(0)?.div(integer(1)?).into(),
        Op::Mod => integer(0)?.modulo(integer(1)?).into(),
        Op::ToReal => integer(0)?.to_real().into(),
        Op::ToInt => part(0)?.as_real().ok_or_else(wrong)?.to_int().into(),
        Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::RealDiv | Op::Lt | Op::Le | Op::Gt | Op::Ge => {
            return arithmetic(op, parts);
        }
        Op::Named(name) => return named(name, parts),
        Op::Construct(..) | Op::Test(..) | Op::Field(..) | Op::ConstArray(_) => return Err(wrong()),
    })
}

/// How many arguments an operation takes, if that is no matter of what comes with it. What a program gives it too
/// many of is an error, and not left out.
fn arity(op: &Op) -> Option<usize> {
    Some(match op {
        Op::Not | Op::Neg | Op::Extract(..) | Op::ToReal | Op::ToInt => 1,
        Op::Implies
        | Op::Eq
        | Op::Select
        | Op::Concat
        | Op::Div
        | Op::Mod
        | Op::RealDiv
        | Op::Lt
        | Op::Le
        | Op::Gt
        | Op::Ge => 2,
        Op::IfThenElse | Op::Store => 3,
        Op::And | Op::Or | Op::Distinct | Op::Add | Op::Sub | Op::Mul => return None,
        Op::Named(_) | Op::Construct(..) | Op::Test(..) | Op::Field(..) | Op::ConstArray(_) => return None,
    })
}

fn arithmetic(op: &Op, parts: &[&Dynamic]) -> Result<Dynamic, String> {
    let wrong = || format!("{op:?} does not fit its arguments");
    if let Some(numbers) = parts.iter().map(|it| it.as_int()).collect::<Option<Vec<Int>>>() {
        return match (op, numbers.as_slice()) {
            (Op::Neg, [a]) => Ok(a.unary_minus().into()),
            (Op::Add, all) => Ok(Int::add(all).into()),
            (Op::Sub, all) => Ok(Int::sub(all).into()),
            (Op::Mul, all) => Ok(Int::mul(all).into()),
            (Op::Lt, [a, b]) => Ok(a.lt(b.clone()).into()),
            (Op::Le, [a, b]) => Ok(a.le(b.clone()).into()),
            (Op::Gt, [a, b]) => Ok(a.gt(b.clone()).into()),
            (Op::Ge, [a, b]) => Ok(a.ge(b.clone()).into()),
            _ => Err(wrong()),
        };
    }
    let numbers: Vec<Real> = parts.iter().map(|it| it.as_real()).collect::<Option<_>>().ok_or_else(wrong)?;
    match (op, numbers.as_slice()) {
        (Op::Neg, [a]) => Ok(a.unary_minus().into()),
        (Op::Add, all) => Ok(Real::add(all).into()),
        (Op::Sub, all) => Ok(Real::sub(all).into()),
        (Op::Mul, all) => Ok(Real::mul(all).into()),
        (Op::RealDiv, [a, b]) => Ok(a.div(b.clone()).into()),
        (Op::Lt, [a, b]) => Ok(a.lt(b.clone()).into()),
        (Op::Le, [a, b]) => Ok(a.le(b.clone()).into()),
        (Op::Gt, [a, b]) => Ok(a.gt(b.clone()).into()),
        (Op::Ge, [a, b]) => Ok(a.ge(b.clone()).into()),
        _ => Err(wrong()),
    }
}

/// Functions that `{:bvbuiltin}` and `{:builtin}` name.
fn named(name: &str, parts: &[&Dynamic]) -> Result<Dynamic, String> {
    let unknown = || format!("the built-in function `{name}` is not supported with these arguments");
    // None unless all are.
    let vectors = parts.iter().map(|it| it.as_bv()).collect::<Option<Vec<BV>>>().unwrap_or_default();
    let name = name.trim();
    if let Some(indexed) = name.strip_prefix("(_").and_then(|rest| rest.strip_suffix(')')) {
        let mut words = indexed.split_whitespace();
        let function = words.next().unwrap_or_default();
        let numbers: Vec<u32> = words.map_while(|word| word.parse().ok()).collect();
        return Ok(match (function, numbers.as_slice(), vectors.as_slice()) {
            ("zero_extend", [by], [a]) => a.zero_ext(*by).into(),
            ("sign_extend", [by], [a]) => a.sign_ext(*by).into(),
            ("extract", [high, low], [a]) => a.extract(*high, *low).into(),
            ("int2bv" | "int_to_bv" | "nat2bv", [width], []) => {
                let [number] = parts else { return Err(unknown()) };
                BV::from_int(&number.as_int().ok_or_else(unknown)?, *width).into()
            }
            _ => return applied(name, parts, "").ok_or_else(unknown),
        });
    }
    if name.starts_with('(') {
        return applied(name, parts, "").ok_or_else(unknown);
    }
    if let Some(map) = pointwise(name) {
        return applied(map, parts, "").ok_or_else(unknown);
    }
    Ok(match (name, vectors.as_slice()) {
        ("bvnot", [a]) => a.bvnot().into(),
        ("bvneg", [a]) => a.bvneg().into(),
        ("bv2nat" | "bv2int" | "ubv_to_int", [a]) => a.to_int(false).into(),
        ("sbv_to_int", [a]) => a.to_int(true).into(),
        ("bvand", [a, b]) => a.bvand(b).into(),
        ("bvor", [a, b]) => a.bvor(b).into(),
        ("bvxor", [a, b]) => a.bvxor(b).into(),
        ("bvnand", [a, b]) => a.bvnand(b).into(),
        ("bvnor", [a, b]) => a.bvnor(b).into(),
        ("bvxnor", [a, b]) => a.bvxnor(b).into(),
        ("bvadd", [a, b]) => a.bvadd(b).into(),
        ("bvsub", [a, b]) => a.bvsub(b).into(),
        ("bvmul", [a, b]) => a.bvmul(b).into(),
        ("bvudiv", [a, b]) => a.bvudiv(b).into(),
        ("bvsdiv", [a, b]) => a.bvsdiv(b).into(),
        ("bvurem", [a, b]) => a.bvurem(b).into(),
        ("bvsrem", [a, b]) => a.bvsrem(b).into(),
        ("bvsmod", [a, b]) => a.bvsmod(b).into(),
        ("bvshl", [a, b]) => a.bvshl(b).into(),
        ("bvlshr", [a, b]) => a.bvlshr(b).into(),
        ("bvashr", [a, b]) => a.bvashr(b).into(),
        ("bvult", [a, b]) => a.bvult(b).into(),
        ("bvule", [a, b]) => a.bvule(b).into(),
        ("bvugt", [a, b]) => a.bvugt(b).into(),
        ("bvuge", [a, b]) => a.bvuge(b).into(),
        ("bvslt", [a, b]) => a.bvslt(b).into(),
        ("bvsle", [a, b]) => a.bvsle(b).into(),
        ("bvsgt", [a, b]) => a.bvsgt(b).into(),
        ("bvsge", [a, b]) => a.bvsge(b).into(),
        ("concat", [a, b]) => a.concat(b).into(),
        _ => return theory(name, parts).or_else(|| applied(name, parts, "")).ok_or_else(unknown),
    })
}

/// Built-in functions that are operations of ours under their SMT-LIB names. Where these take more arguments than
/// ours do (`(= a b c)`), Z3's own reader knows what that means.
fn theory(name: &str, parts: &[&Dynamic]) -> Option<Dynamic> {
    if parts.is_empty() {
        return None;
    }
    let op = match name {
        "not" => Op::Not,
        "and" => Op::And,
        "or" => Op::Or,
        "=>" => Op::Implies,
        "=" => Op::Eq,
        "distinct" => Op::Distinct,
        "ite" => Op::IfThenElse,
        "select" => Op::Select,
        "store" => Op::Store,
        "div" => Op::Div,
        "mod" => Op::Mod,
        "to_real" => Op::ToReal,
        "to_int" => Op::ToInt,
        "+" => Op::Add,
        "-" if parts.len() == 1 => Op::Neg,
        "-" => Op::Sub,
        "*" => Op::Mul,
        "/" => Op::RealDiv,
        "<" => Op::Lt,
        "<=" => Op::Le,
        ">" => Op::Gt,
        ">=" => Op::Ge,
        "rem" => {
            let [a, b] = parts else { return None };
            return Some(a.as_int()?.rem(b.as_int()?).into());
        }
        _ => return None,
    };
    operation(&op, parts).ok()
}

/// Boogie's names of operations on maps, element by element, and what the solver calls them.
pub(crate) fn pointwise(name: &str) -> Option<&'static str> {
    Some(match name {
        "MapAdd" => "(_ map (+ (Int Int) Int))",
        "MapSub" => "(_ map (- (Int Int) Int))",
        "MapMul" => "(_ map (* (Int Int) Int))",
        "MapDiv" => "(_ map (div (Int Int) Int))",
        "MapMod" => "(_ map (mod (Int Int) Int))",
        "MapGt" => "(_ map (> (Int Int) Bool))",
        "MapGe" => "(_ map (>= (Int Int) Bool))",
        "MapLt" => "(_ map (< (Int Int) Bool))",
        "MapLe" => "(_ map (<= (Int Int) Bool))",
        "MapEq" => "(_ map =)",
        "MapIff" => "(_ map (= (Bool Bool) Bool))",
        "MapOr" => "(_ map or)",
        "MapAnd" => "(_ map and)",
        "MapNot" => "(_ map not)",
        "MapImp" => "(_ map =>)",
        "MapIte" => "(_ map ite)",
        _ => return None,
    })
}
