% Terms that become HTML: what SWI-Prolog writes is in html.txt.
:- use_module(library(http/html_write)).
:- html_meta box(html, ?, ?).
:- multifile html_write:expand//1, html_write:layout/3.
html_write:expand(stars(N)) --> { length(L, N), maplist(=(*), L), atomic_list_concat(L, A) }, html(b(A)).
html_write:layout(section, 2-1, 1-2).
user:body(fancy, B) --> html(body(class=fancy, [div(id(top), B), \foot])).
foot --> html_root_attribute(lang, en), html(div(class([a, b]), ['(c) ', &(copy), ' ', &(8212)])).
box(C) --> html(div([class(box), 'data-x'=1.5, hidden], C)).
items([]) --> [].
items([I-U|T]) --> html(li(a(href(U+[q=I, lang='en us']), I))), items(T).
main :-
    phrase(page(fancy, [title('T<>')], [\box([p('a & b'), stars(3)]), table([tr([th('A'), td('~2f<'-[1])])]), ul(\items([a-'/x', b-'/y'])),
        section(p(title('say "x"'), hi)), input([type=text, name=q]), br([]), script('a < b'), \html_post(head, link(href('s.css'))),
        \['<raw>'], element(i, [], [x]), pre('l1\nl2'), 12]), Tokens),
    print_html(Tokens),
    phrase(html([p(\html_receive(m)), \html_post(m, i(z)), \html_post(m, b(y)), f(a, b, c)]), More),
    print_html(More), nl,
    reply_html_page(title(x), y),
    catch(phrase(html(p(_)), _), error(E, _), (print(E), nl)).
