//! What would be asked about a program, with the keys under which answers are looked up: nothing is looked up here
//! and nobody is asked. Laws about keys are told in these terms.

use cache_core::key::Key;

use super::front::{Prints, front_end};
use super::{Verifier, candidates, failures};
use crate::base::source::{FileId, Sources};
use crate::lower::cut::{Cut, cut};
use crate::lower::pieces::{Piece, pieces};
use crate::lower::recall::Recollection;
use crate::lower::{Passive, Unsupported, watched};
use crate::resolve::program::{ImplementationId, Program};
use crate::resolve::reach::{AxiomIndex, Reach, Visited, reach};
use crate::smt::translate::Shared;
use crate::smt::wire;
use crate::snapshot::checksum::Checksums;
use crate::snapshot::key::key;
use crate::transform::expand;
use crate::vc;

/// What would be asked about an implementation.
#[derive(Clone, Debug)]
pub struct Question {
    /// The implementation's name.
    pub name: String,
    /// The key of its result.
    pub key: Key,
    /// The queries, as they are sent: one, or those of the pieces.
    pub queries: Vec<Vec<u8>>,
    /// What would be said of each check if it failed, in the order of the checks, without places.
    pub checks: Vec<String>,
}

impl Verifier {
    /// The questions about the implementations of a program that are to be verified, in its order, but for those that
    /// cannot be put; none if the program is refused.
    #[must_use]
    pub fn questions(&self, sources: &Sources, files: &[FileId]) -> Vec<Question> {
        let Some(mut program) = front_end(sources, files, self.reading(), &Prints::default()).0 else {
            return Vec::new();
        };
        if !expand(&mut program, &self.options.expansion).is_empty() {
            return Vec::new();
        }
        if self.options.infer_contracts {
            candidates::assume(&mut program);
            if !self.inline_for_inference(&mut program).is_empty() {
                return Vec::new();
            }
        }
        self.questions_about(&mut program)
    }

    fn questions_about(&self, program: &mut Program) -> Vec<Question> {
        let options = self.key_options(program);
        let begin = options.begin();
        let mut keyed = Vec::new();
        {
            let index = AxiomIndex::new(program, self.options.axioms);
            let mut visited = Visited::default();
            let mut checksums = Checksums::new(program);
            for id in program.implementations.ids().filter(|id| self.verifies(program, *id)) {
                let reach = reach(program, &index, id, &mut visited);
                let begin = self.begin_key(&begin, program, id);
                let (key, axioms) =
                    key(program, &mut checksums, id, &reach, &begin, options.drop_dependencies);
                keyed.push((id, reach, key, axioms));
            }
        }
        let mut questions = Vec::new();
        let mut shared = Shared::default();
        for (id, reach, key, axioms) in keyed {
            let Ok((_, passive, pieces)) = self.lowered(program, id, &reach) else { continue };
            let whole = vc::condition(&passive);
            let conditions = match pieces.as_slice() {
                [] => vec![whole],
                pieces => pieces.iter().map(|piece| whole.of(piece)).collect(),
            };
            let query = |condition| {
                let made = self.made(program, &mut shared, (id, &reach), &axioms, &passive, &condition)?;
                Ok(wire::write(&self.disturbed(&made.query)))
            };
            let made: Result<_, Unsupported> = conditions.into_iter().map(query).collect();
            let Ok(queries) = made else { continue };
            questions.push(Question {
                name: program.names.text(program.implementations[id].name).to_owned(),
                key,
                queries,
                checks: failures::words(program, &passive),
            });
        }
        questions
    }

    /// An implementation as it is asked: with cut loops, without its state, and in which pieces, if not as a whole.
    pub(super) fn lowered(
        &self,
        program: &mut Program,
        id: ImplementationId,
        reach: &Reach,
    ) -> Result<(Cut, Passive, Vec<Piece>), Unsupported> {
        let cut = cut(program, &program.implementations[id])?;
        let nothing = Recollection::default();
        let passive = watched(program, id, reach, &cut, &nothing, self.options.values);
        let pieces = pieces(&cut, self.division(program, id), self.keeps_going(program, id).is_some());
        Ok((cut, passive, pieces))
    }
}
