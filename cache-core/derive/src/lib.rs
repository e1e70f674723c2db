//! `#[derive(CacheKey)]`: every field enters the key.
//!
//! The derived implementation takes its type apart without `..`, in the order in which the fields are declared, as
//! one that is written by hand has to. Variants are written by their names, so that they may be reordered;
//! renaming one changes the keys. A field that can change no answer is left out by
//! `#[cache_key(skip = "why it cannot")]`; the reason is required, and is for readers.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, LitStr, parse_macro_input, parse_quote};

/// Derives `cache_core::key::CacheKey`. See the [crate](self).
#[proc_macro_derive(CacheKey, attributes(cache_key))]
pub fn cache_key(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementation(input).unwrap_or_else(Error::into_compile_error).into()
}

fn implementation(mut input: DeriveInput) -> Result<TokenStream, Error> {
    let body = match &input.data {
        Data::Struct(data) => {
            let Parts { pattern, writes } = parts(&data.fields)?;
            // A structure without fields still writes something, so that two of them in a row are told from one.
            let nothing = data.fields.is_empty().then(|| quote!(out.sequence(0);));
            quote! {
                let Self #pattern = self;
                #nothing
                #writes
            }
        }
        Data::Enum(data) => {
            let mut arms = TokenStream::new();
            for variant in &data.variants {
                let (name, text) = (&variant.ident, variant.ident.to_string());
                let Parts { pattern, writes } = parts(&variant.fields)?;
                arms.extend(quote! {
                    Self::#name #pattern => {
                        out.text(#text);
                        #writes
                    }
                });
            }
            match data.variants.is_empty() {
                true => quote!(match *self {}),
                false => quote!(match self { #arms }),
            }
        }
        Data::Union(_) => {
            return Err(Error::new(
                input.ident.span(),
                "a union does not say which of its fields counts: implement `CacheKey` by hand",
            ));
        }
    };
    let types: Vec<_> = input.generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    let bounds = input.generics.make_where_clause();
    for parameter in types {
        bounds.predicates.push(parse_quote!(#parameter: ::cache_core::key::CacheKey));
    }
    let name = &input.ident;
    let (parameters, arguments, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters ::cache_core::key::CacheKey for #name #arguments #bounds {
            fn encode(&self, out: &mut ::cache_core::digest::Encoder) {
                #body
            }
        }
    })
}

/// How fields are taken apart, and what is done with each.
struct Parts {
    pattern: TokenStream,
    writes: TokenStream,
}

fn parts(fields: &Fields) -> Result<Parts, Error> {
    let (mut patterns, mut writes) = (TokenStream::new(), TokenStream::new());
    for (place, field) in fields.iter().enumerate() {
        // Names that no field and no type of the caller has.
        let local = format_ident!("field_{place}", span = field.span());
        let pattern = match skipped(field)? {
            true => quote!(_),
            false => {
                writes.extend(quote!(::cache_core::key::CacheKey::encode(#local, out);));
                quote!(#local)
            }
        };
        match &field.ident {
            Some(name) => patterns.extend(quote!(#name: #pattern,)),
            None => patterns.extend(quote!(#pattern,)),
        }
    }
    let pattern = match fields {
        Fields::Named(_) => quote!({ #patterns }),
        Fields::Unnamed(_) => quote!((#patterns)),
        Fields::Unit => TokenStream::new(),
    };
    Ok(Parts { pattern, writes })
}

/// Whether a field is left out.
fn skipped(field: &Field) -> Result<bool, Error> {
    let mut skipped = false;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("cache_key")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("skip") {
                return Err(meta.error("unknown: write `skip = \"why the field can change no answer\"`"));
            }
            let reason: LitStr = meta.value()?.parse()?;
            if reason.value().trim().is_empty() {
                return Err(Error::new(reason.span(), "say why the field can change no answer"));
            }
            skipped = true;
            Ok(())
        })?;
    }
    Ok(skipped)
}
