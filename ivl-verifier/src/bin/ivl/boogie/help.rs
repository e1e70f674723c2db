//! What `ivl boogie` tells of itself: its options, the attributes that count, what `-proverOpt` sets.

/// What asks for help: Boogie's spellings and the usual ones.
pub(super) const HELP: &[&str] = &["--help", "-help", "/help", "-h", "-?", "/?"];

/// The answer to these.
pub(super) const USAGE: &str = "\
Take Boogie's options and write Boogie's output

Usage: ivl boogie [OPTIONS] <FILE>...

Options, written -name:value or /name:value:
  -noVerify                 resolve and check types only
  -noResolve, -noTypecheck  the same, without the closing line
  -proc:NAME                verify only implementations with this name; * stands for any text
  -timeLimit:SECONDS        for each implementation
  -rlimit:COUNT             the solver's resource count for each implementation
  -errorLimit:N             stop looking for errors in an implementation after so many
  -errorTrace:N             0 leaves out the traces of errors, 2 shows blocks that were added in them
  -useBaseNameForFileName   name files without their folders
  -vcsSplitOnEveryAssert    ask each check by itself; -vcsMaxSplits:N: in so many pieces at most
  -vcsMaxKeepGoingSplits:N  divide what runs out of limits; -vcsKeepGoingTimeout:SECONDS for each piece,
                            -vcsFinalAssertTimeout:SECONDS for one check on one path
  -randomSeed:N             the solver's seed
  -vcsCores:N               how many solvers run side by side
  -inline:MODE              what becomes of {:inline} calls: none, assume, assert, spec
  -inlineDepth:N            inline every procedure with a body so deep
  -loopUnroll:N             follow loops up to their Nth back edge; -soundLoopUnrolling: and fail there
  -inferModifies            procedures may change what their bodies change
  -infer:j                  find bounds of variables at the heads of loops; -checkInfer: and check them
  -contractInfer            find which {:existential} constants can hold; -printAssignment: print them
  -prune:1                  leave out axioms as Boogie does when it prunes
  -lib:NAME                 add a library: base, set_size
  -proverLog:FILE           write the queries as SMT-LIB 2
  -printModel:1             print with which values checks fail; -mv:FILE, -printModelToFile:FILE: write it
  -enhancedErrorMessages:1  print what {:print} on assumptions asks for
  -print:FILE               print the program, - for the output; -printUnstructured:2: as labelled blocks
  -printDesugared           print it once more when names and types are known, with what calls stand for
  -printCFG:PREFIX          write the control flow of each implementation to PREFIX.NAME.dot, for Graphviz
  -printInlined             print what inlining makes of implementations; -printInstrumented: the whole
                            program as it is verified
  -printPassive:FILE        write the program in its passive form; -printSplit:PREFIX: what is asked of each
                            implementation to PREFIX-NAME.spl, - for the output, -printSplitDeclarations: with
                            what -prune:1 leaves, -printPruned:PREFIX: that alone; -vcsDumpSplits: and as a
                            graph, to NAME.split.N.bpl and .dot
  -verifySeparately         each file is a program of its own
  -verifySnapshots:N        verify F.v0.bpl, F.v1.bpl, ... one after the other; reuse nothing (0), results of
                            implementations (1), single checks (2), and errors at their new places (3)
  -traceCaching:1           print what is reused
  -warningsAsErrors         verify nothing where there are warnings
  -smoke                    print code that control cannot reach, in what is verified
  -quiet, -silent           print no closing line, or nothing
  -proverOpt:O:NAME=VALUE   set an option of the solver
  -help                     print this; -attrHelp: which attributes count; -proverHelp: what -proverOpt sets

  -trace, -tracePOs         print what is done and what was asked
  -xml:FILE                 write the results as XML
  -trackVerificationCoverage  with -trace, tell what proofs need of the parts that have an {:id}
  -warnVacuousProofs        tell what is proved because control does not get there
  -env:2                    print the words of the command line
  -logPrefix:TEXT           what @PREFIX@ stands for in names of files that are written; @FILE@ stands for the
                            last program, @TIME@ for the moment

Boogie's options on logs, speed and encodings are accepted and do nothing. Those that would change what
is verified and are not supported are refused. REPRISE_CACHE=read-write (or a folder in REPRISE_CACHE_DIR)
keeps results; what is printed is the same but for times. REPRISE_CACHING=replay also keeps the instances
of quantifiers that dear proofs need, and tries them after edits. IVL_BOOGIE_VERSION sets what -version says,
IVL_BOOGIE_SOLVER=linked lets the linked Z3 answer whatever -proverOpt:PROVER_PATH and SOLVER name.

Exit codes: 0 the program was looked at, whatever its verdicts are; 1 the command line cannot be followed,
or a file or the solver is not there.
";

/// What asks which attributes count.
pub(super) const ATTRIBUTE_HELP: &[&str] = &["-attrHelp", "/attrHelp"];

/// The answer to these.
pub(super) const ATTRIBUTES: &str = "\
Attributes that count, written {:name value, ...}; others are kept and mean nothing

Declarations
  {:ignore}                 leave it out, once names are looked at
  {:extern}                 give way to another declaration of the same name
  {:checksum \"text\"}        believed with -verifySnapshots only
Functions
  {:inline}                 put its definition in the place of calls
  {:define}                 define it for the solver, where it is not recursive
  {:builtin \"name\"}, {:bvbuiltin \"name\"}
                            a function of the solver, also one with numbers: \"zero_extend 8\", \"(_ int2bv 8)\"
  {:never_pattern}          no trigger is chosen that begins with it
  {:identity}               -infer:j looks through it, if its body or an axiom says that it gives its argument back
Constants, axioms
  {:existential}            -contractInfer finds out whether it can hold
  {:include_dep}            -prune:1 keeps the axiom for whatever it mentions
  {:id \"name\"}             what -trackVerificationCoverage and -verifySnapshots call it
Procedures and implementations
  {:inline N}               put the body in the place of calls, N deep; see -inline
  {:verify false}           do not verify it
  {:selective_checking}     check only what {:start_checking_here} on an assumption leads to
  {:timeLimit N}, {:rlimit N}, {:random_seed N}, {:smt_option \"name\", value}
                            limits and settings of its own
  {:vcs_max_splits N}, {:vcs_max_keep_going_splits N}, {:vcs_split_on_every_assert}
                            the options of these names, for it alone
  {:priority N}             verify those with larger numbers first
  {:verboseName \"text\"}     what traces call it
  {:msg_if_verifies \"text\"} printed when it is verified
Conditions, assertions, assumptions
  {:msg \"text\"}             printed in place of the message when it fails; see -forceErrors
  {:always_assume}          assume a free condition on both sides
  {:subsumption N}          what -subsumption says, for it alone
  {:verified_under e}       nothing is to be shown where e holds
  {:isolate}, {:isolate \"paths\"}, {:focus}, {:split_here}, {:allow_split}
                            ask in pieces
  {:print e, ...}           printed with -enhancedErrorMessages:1 on failing ways
  {:captureState \"text\"}    a state of models, see -mv
  {:PossiblyUnreachable}    -smoke does not ask about it
Quantifiers
  {:weight N}, {:nopats e, ...}
                            handed to the solver
  {:pool \"name\"}, {:add_to_pool \"name\", e, ...}, {:skolem_add_to_pool \"name\", e, ...}
                            instances that are made beforehand
";

/// What asks for the options of the solver.
pub(super) const PROVER_HELP: &[&str] = &["-proverHelp", "/proverHelp"];

/// The answer to these.
pub(super) const PROVER_OPTIONS: &str = "\
What -proverOpt:KEY=VALUE sets

  PROVER_PATH=PROGRAM       the solver that answers: Z3 from 4.8 on, or cvc5; without it the linked Z3 does
  SOLVER=NAME               z3 or cvc5, found by its name
  O:NAME=VALUE              an option of the solver
  TIME_LIMIT=N              milliseconds for an implementation
  LOGIC=ALL                 the logic that is used

Accepted without effect: PROVER_NAME, LOG_FILE, APPEND_LOG_FILE, VERBOSITY, USE_WEIGHTS, BATCH_MODE,
MULTI_TRACES, DIAGNOSE_TIMEOUTS, MEMORY_LIMIT, INSPECTOR.
";
