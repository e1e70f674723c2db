//! Writing terms.

use crate::machine::{Machine, Outcome};
use crate::term::{Cell, Tag, WriteOptions, Writer, atom};

const PLAIN: WriteOptions = WriteOptions::PLAIN;
const QUOTED: WriteOptions = WriteOptions::QUOTED;
const CANONICAL: WriteOptions = WriteOptions::CANONICAL;

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("nl", 0, |m| {
        m.write_output("\n");
        Ok(true)
    });
    machine.define_builtin("write", 1, |m| write(m, 0, PLAIN));
    machine.define_builtin("print", 1, |m| write(m, 0, QUOTED));
    machine.define_builtin("display", 1, |m| {
        write(m, 0, WriteOptions { ignore_operators: true, ..WriteOptions::default() })
    });
    machine.define_builtin("writeq", 1, |m| write(m, 0, QUOTED));
    machine.define_builtin("write_canonical", 1, |m| write(m, 0, CANONICAL));
    machine.define_builtin("writeln", 1, |m| {
        write(m, 0, PLAIN)?;
        m.write_output("\n");
        Ok(true)
    });
    machine.define_builtin("put_char", 1, |m| {
        let character = m.argument(0);
        if character.tag() != Tag::Atm {
            return m.type_error(atom::CHARACTER, character);
        }
        let text = m.atoms.shared_text(character.as_atom());
        m.write_output(&text);
        Ok(true)
    });
    machine.define_builtin("tab", 1, |m| {
        let count = m.argument(0);
        let count = m.evaluate(count)?;
        if let crate::term::Number::Int(count) = count {
            m.write_output(&" ".repeat(count.clamp(0, 1 << 20) as usize));
        }
        Ok(true)
    });
    machine.define_builtin("flush_output", 0, |m| {
        m.flush_output();
        Ok(true)
    });
    machine.define_builtin("$write_text", 2, |m| {
        // '$write_text'(Term, Style): for format/2.
        let style = m.argument(1).int_value();
        let options = match style {
            0 => PLAIN,
            1 => QUOTED,
            _ => CANONICAL,
        };
        write(m, 0, options)
    });
    machine.define_builtin("$column", 1, |m| {
        let column = Cell::count(m.column);
        Ok(m.unify_argument(0, column))
    });
}

/// The text of a term.
pub(crate) fn text_of(m: &Machine, term: Cell, options: WriteOptions) -> String {
    Writer::new(&m.store, &m.atoms, &m.operators, options).text(term, 1200)
}

fn write(m: &mut Machine, i: usize, options: WriteOptions) -> Outcome {
    let text = text_of(m, m.argument(i), options);
    m.write_output(&text);
    Ok(true)
}
