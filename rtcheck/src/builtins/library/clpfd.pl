:- module(clpfd, [
    op(760, yfx, #<==>), op(750, xfy, #==>), op(750, yfx, #<==), op(740, yfx, #\/), op(730, yfx, #\), op(720, yfx, #/\),
    op(710, fy, #\), op(700, xfx, #>), op(700, xfx, #<), op(700, xfx, #>=), op(700, xfx, #=<), op(700, xfx, #=),
    op(700, xfx, #\=), op(700, xfx, in), op(700, xfx, ins), op(450, xfx, ..),
    (#>)/2, (#<)/2, (#>=)/2, (#=<)/2, (#=)/2, (#\=)/2, (#\)/1, (#<==>)/2, (#==>)/2, (#<==)/2, (#\/)/2, (#\)/2, (#/\)/2,
    (in)/2, (ins)/2, all_different/1, all_distinct/1, sum/3, scalar_product/4, tuples_in/2, element/3,
    global_cardinality/2, global_cardinality/3, automaton/3, automaton/8, disjoint2/1, label/1, labeling/2, indomain/1, fd_var/1, fd_inf/2, fd_sup/2, fd_size/2, fd_dom/2, fd_degree/2,
    transpose/2, chain/2, lex_chain/1, circuit/1, cumulative/1,
    cumulative/2, zcompare/3]).

:- reexport(library(clpfd/more)).

% Constraints over integers, as in SWI-Prolog's library of this name.
%
% A variable's attribute is fd(Low, High, Domain, Waiting): the domain as a list of intervals Low-High in order, `inf` and
% `sup` at its ends only; Waiting is ps(Bound, Bounds, Changed), the propagators that look again when the variable is
% bound, when its least or greatest value changes, or when any value goes. A propagator is prop(Constraint, State); the
% State is idle, queued or dead. Propagators that are to look again wait in a queue, and the first one that finds it
% unattended empties it. A constraint that is linear is scalar(Op, Coefficients, Variables, Constant); what is not has
% variables for its parts.
%
% One module in several texts, which follow each other: see `builtins/library.rs`.

:- initialization(( '$share'('$clpfd_queue', []), '$share'('$clpfd_busy', false), '$share'('$clpfd_open', 0) ), now).
