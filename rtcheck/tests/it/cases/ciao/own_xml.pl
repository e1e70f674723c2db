:- module(own_xml, [t/2], [assertions, pillow, dcg]).
:- use_module(library(pillow/html), [html2terms/2, output_html/1]).
:- use_module(library(pillow/http)).
:- use_module(library(pillow/http_ll)).
:- use_module(library(xml_path)).
t(T, H) :- H = [html([head([title(T)]), body([env(h1, [], [T]), --, \\, $, ref('x', "y"), img$[src='a'], begin(p), end(p)])])].
