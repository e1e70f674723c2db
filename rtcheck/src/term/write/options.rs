//! How a term is written.

/// What is written behind a variable that has attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttributesWritten {
    /// Nothing.
    #[default]
    Nothing,
    /// `{...}`.
    Dots,
    /// Its attributes in braces, but not those of a variable inside its own.
    All,
}

/// How a term is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// Atoms are quoted where reading needs it, strings always.
    pub quoted: bool,
    /// Operators are written as ordinary functors.
    pub ignore_operators: bool,
    /// Lists are written with their functor `'.'`.
    pub dotted_lists: bool,
    /// `'$VAR'(N)` is written as a letter and a number.
    pub number_variables: bool,
    /// `'$VAR'(Name)` is written as that name.
    pub named_variables: bool,
    /// `'$VAR'(Name)` is written as that name where it is the name of a variable.
    pub spelled_variables: bool,
    /// `'$portrayed'(Text)` is written as that text.
    pub portrayed: bool,
    /// What is said of a variable with attributes behind it.
    pub attributes: AttributesWritten,
    /// A space follows the commas between arguments and between elements.
    pub spaced_arguments: bool,
    /// `...` stands for what lies deeper than this.
    pub most_depth: Option<usize>,
    /// After about this many tokens `...` stands for the rest; `None` for no limit.
    pub most_steps: Option<usize>,
}

impl WriteOptions {
    /// Those of `write/1`.
    pub const PLAIN: Self = Self {
        quoted: false,
        ignore_operators: false,
        dotted_lists: false,
        number_variables: true,
        named_variables: false,
        spelled_variables: false,
        portrayed: false,
        attributes: AttributesWritten::Nothing,
        spaced_arguments: false,
        most_depth: None,
        most_steps: None,
    };
    /// Those of `writeq/1`.
    pub const QUOTED: Self = Self { quoted: true, ..Self::PLAIN };
    /// Those of `write_canonical/1`.
    pub const CANONICAL: Self =
        Self { quoted: true, ignore_operators: true, number_variables: false, ..Self::PLAIN };
}
