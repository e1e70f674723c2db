:- module(own_doc, [p/1], [assertions, doccomments, regtypes]).
%! \title Doc
%  \module text
%! p(X): text
:- pred p(X) : atm(X) #"no space".
:- pred p(+X) => atm(X) # "with
many
lines".
:- doc(doinclude, p/1).
:- doc(p/1, "text @tt{x} @@ @{ @}").
:- doc(usage, "@tt{:- use_module(library(x))}").
:- doc(copyright, "@include{Copyright.lpdoc}").
:- doc(version_maintenance, dir('../version')).
:- doc(version(1*0+1, 2020/01/01, 12:00*00+'CET'), "First.").
:- comment(title, "old style").
:- doc(appendix, "x").
:- doc(filetype, package).
:- doc(nodoc, assertions).
p(_).
