//! Findings as SARIF 2.1.0, which code-scanning services and editors read.

use serde_json::{Value, json};

use crate::base::diagnostic::Severity;
use crate::base::source::{Sources, Span};
use crate::report::finding::{Finding, RULES};

/// One finding as a result.
#[must_use]
pub fn result(sources: &Sources, finding: &Finding) -> Value {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let related: Vec<Value> = finding
        .related
        .iter()
        .filter_map(|(span, words)| {
            let mut location = location(sources, *span)?;
            location["message"] = json!({ "text": words });
            Some(location)
        })
        .collect();
    let mut result = json!({
        "ruleId": finding.rule,
        "level": level,
        "message": { "text": finding.message },
        "locations": location(sources, finding.span).into_iter().collect::<Vec<_>>(),
    });
    if !related.is_empty() {
        result["relatedLocations"] = Value::Array(related);
    }
    result
}

fn location(sources: &Sources, span: Span) -> Option<Value> {
    if span == Span::NOWHERE {
        return None;
    }
    let at = sources.position(span);
    Some(json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&at.file) },
            "region": { "startLine": at.line, "startColumn": at.column },
        }
    }))
}

/// A path as a reference: what is no letter, digit or mark of a path is written by its bytes.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let path: String = path
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    if path.starts_with('/') { format!("file://{path}") } else { path }
}

/// A whole run.
#[must_use]
pub fn document(version: &str, results: &[Value]) -> Value {
    let rules: Vec<Value> =
        RULES.iter().map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } })).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "ivl", "version": version, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}
