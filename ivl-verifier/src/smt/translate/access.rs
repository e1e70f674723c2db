//! Maps without type parameters: arrays of the solver's theory, or values of a sort with functions that read and
//! write, of which axioms say what Boogie 2 says of them: what was written is read, and at other places what was
//! there before. The axioms hold of the solver's arrays too, so that nothing is proved with them that is not true of
//! maps; they say less, since maps with equal elements need not be equal, and are cheaper, since no element is looked
//! at where nobody reads it.

use super::{Translated, Translator, narrow};
use crate::resolve::graph::NodeId;
use crate::resolve::types::{Type, TypeId};
use crate::smt::term::{Bound, FunctionId, Op, Quantifier, Sort, SortId, Term, TermId};

/// What maps are for the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Maps {
    /// As it is best for the program: by axioms where it has maps with type parameters.
    #[default]
    Chosen,
    /// Arrays of the solver's theory.
    Arrays,
    /// Values of a sort, with functions and axioms; arrays for programs with built-in functions that need them.
    Axioms,
}

/// The functions that read and write maps of a type.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub(super) read: FunctionId,
    pub(super) write: FunctionId,
}

impl Translator<'_> {
    /// The sort of a map type without type parameters.
    pub(super) fn map_sort(&mut self, ty: TypeId) -> Translated<SortId> {
        let Type::Map(0, arguments, result) = self.program.types.get(ty).clone() else {
            return self.unsupported("a map is expected here");
        };
        if self.by_axioms {
            let text = self.shown(ty);
            return Ok(self.builder.sort(Sort::Declared(format!("M@{text}"))));
        }
        let mut sort = self.sort(result)?;
        for argument in arguments.into_iter().rev() {
            let index = self.sort(argument)?;
            sort = self.builder.sort(Sort::Array(index, sort));
        }
        Ok(sort)
    }

    /// The functions that read and write maps of a type without type parameters.
    fn access(&mut self, ty: TypeId) -> Translated<Access> {
        if let Some(access) = self.accesses.get(&ty) {
            return Ok(*access);
        }
        let Type::Map(0, arguments, result) = self.program.types.get(ty).clone() else {
            return self.unsupported("a map is expected here");
        };
        let text = self.shown(ty);
        let access = self.declare_access(ty, &arguments, result, &text)?;
        self.accesses.insert(ty, access);
        self.access_order.push((access, access));
        Ok(access)
    }

    /// Declares functions that read and write at arguments of these types.
    pub(super) fn declare_access(
        &mut self,
        map: TypeId,
        arguments: &[TypeId],
        result: TypeId,
        text: &str,
    ) -> Translated<Access> {
        let whole = self.sort(map)?;
        let mut sorts = vec![whole];
        for argument in arguments {
            sorts.push(self.sort(*argument)?);
        }
        let element = self.sort(result)?;
        let read = self.builder.declare(&format!("read@{text}"), sorts.clone(), element);
        sorts.push(element);
        let write = self.builder.declare(&format!("write@{text}"), sorts, whole);
        Ok(Access { read, write })
    }

    /// The element of a map at places.
    pub(super) fn selected(
        &mut self,
        map: NodeId,
        indices: &[NodeId],
        element: TypeId,
    ) -> Translated<TermId> {
        let places = self.all(indices)?;
        let ty = self.program.graph.ty(map);
        if let Some(instance) = self.instance_of(map, indices, element)? {
            let whole = self.done(map)?;
            return self.read_instance(&instance, whole, places);
        }
        let whole = self.done(map)?;
        self.element(ty, whole, places)
    }

    /// The element of a map of a type without type parameters.
    pub(super) fn element(&mut self, ty: TypeId, whole: TermId, places: Vec<TermId>) -> Translated<TermId> {
        if self.by_axioms {
            let access = self.access(ty)?;
            let arguments = std::iter::once(whole).chain(places).collect();
            return Ok(self.builder.term(Term::Apply(access.read, arguments)));
        }
        let mut element = whole;
        for place in places {
            element = self.builder.op(Op::Select, vec![element, place]);
        }
        Ok(element)
    }

    /// A map with another element at places.
    pub(super) fn updated(&mut self, map: NodeId, indices: &[NodeId], value: NodeId) -> Translated<TermId> {
        let places = self.all(indices)?;
        let new = self.done(value)?;
        let instance = self.instance_of(map, indices, self.program.graph.ty(value))?;
        let whole = self.done(map)?;
        if let Some(instance) = instance {
            return self.write_instance(&instance, whole, &places, new);
        }
        if self.by_axioms {
            let access = self.access(self.program.graph.ty(map))?;
            let arguments = std::iter::once(whole).chain(places).chain([new]).collect();
            return Ok(self.builder.term(Term::Apply(access.write, arguments)));
        }
        Ok(self.updated_array(whole, &places, new))
    }

    /// Reads the rows of an array of arrays on the way in, and writes them on the way out.
    pub(super) fn updated_array(&mut self, array: TermId, places: &[TermId], new: TermId) -> TermId {
        let mut rows = vec![array];
        for place in places.iter().take(places.len().saturating_sub(1)) {
            let row = rows[rows.len() - 1];
            rows.push(self.builder.op(Op::Select, vec![row, *place]));
        }
        let mut new = new;
        for (row, place) in rows.iter().zip(places).rev() {
            new = self.builder.op(Op::Store, vec![*row, *place, new]);
        }
        new
    }

    /// What is known of reading what was written, for each pair of functions that write and read; a pair that belongs
    /// together reads what was written at the same places, other pairs read at other places.
    pub(super) fn finish_accesses(&mut self) {
        for (written, read) in std::mem::take(&mut self.access_order) {
            self.access_axioms(written, read);
        }
    }

    fn access_axioms(&mut self, written: Access, read: Access) {
        let sorts = self.builder.query.functions[written.write].arguments.clone();
        let (Some(whole), Some(element)) = (sorts.first().copied(), sorts.last().copied()) else { return };
        let places = &sorts[1..sorts.len() - 1];
        let mut bound = vec![Bound { name: "map".to_owned(), level: 0, sort: whole }];
        let place = |prefix: &str, sort: &SortId, number: usize, level: usize| Bound {
            name: format!("{prefix}{number}"),
            level: narrow(level),
            sort: *sort,
        };
        for (number, sort) in places.iter().enumerate() {
            bound.push(place("at", sort, number, bound.len()));
        }
        bound.push(Bound { name: "new".to_owned(), level: narrow(bound.len()), sort: element });
        let terms: Vec<TermId> = bound.iter().map(|it| self.builder.term(Term::Bound(it.clone()))).collect();
        let new = self.builder.term(Term::Apply(written.write, terms.clone()));
        let same = written.read == read.read;
        if same {
            let arguments = std::iter::once(new).chain(terms[1..=places.len()].iter().copied()).collect();
            let after = self.builder.term(Term::Apply(read.read, arguments));
            let body = self.builder.op(Op::Eq, vec![after, terms[terms.len() - 1]]);
            // Who writes says what is there.
            self.axiom(bound.clone(), new, body);
        }
        let sorts = self.builder.query.functions[read.read].arguments.clone();
        let mut others = Vec::new();
        for (number, sort) in sorts.iter().skip(1).enumerate() {
            let other = place("other", sort, number, bound.len());
            others.push(self.builder.term(Term::Bound(other.clone())));
            bound.push(other);
        }
        let at = |map: TermId| std::iter::once(map).chain(others.iter().copied()).collect::<Vec<_>>();
        let after = self.builder.term(Term::Apply(read.read, at(new)));
        let before = self.builder.term(Term::Apply(read.read, at(terms[0])));
        let kept = self.builder.op(Op::Eq, vec![after, before]);
        // What is kept is said where someone looks.
        if !same {
            self.axiom(bound, after, kept);
            return;
        }
        for (place, other) in terms[1..=places.len()].iter().zip(&others) {
            let equal = self.builder.op(Op::Eq, vec![*place, *other]);
            let body = if self.lies.keep_written { kept } else { self.builder.op(Op::Or, vec![equal, kept]) };
            self.axiom(bound.clone(), after, body);
        }
    }

    /// `forall bound :: {trigger} body`
    pub(super) fn axiom(&mut self, bound: Vec<Bound>, trigger: TermId, body: TermId) {
        let quantifier = Quantifier {
            universal: true,
            bound,
            triggers: vec![vec![trigger]],
            no_triggers: Vec::new(),
            weight: 0,
            body,
        };
        let axiom = self.builder.term(Term::Quantifier(Box::new(quantifier)));
        self.builder.query.background.push(axiom);
    }
}
