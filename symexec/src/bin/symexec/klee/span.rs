//! Times as KLEE's options have them.

use std::time::Duration;

/// Understands `10`, `1.5s`, `1h30min`, `250ms`: numbers with units, one after the other; a number alone
/// means seconds.
///
/// # Errors
/// Says that the text is no time.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let wrong = || format!("Illegal number format: {text} (write 30s, 5min or 1h30min)");
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).map_err(|_| wrong());
    }
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let (number, after) = rest.split_at(end);
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let end = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let unit = match unit {
            "d" => Duration::from_secs(86_400),
            "h" => Duration::from_secs(3_600),
            "min" => Duration::from_secs(60),
            "s" => Duration::from_secs(1),
            "ms" => Duration::from_millis(1),
            "us" => Duration::from_micros(1),
            "ns" => Duration::from_nanos(1),
            _ => return Err(wrong()),
        };
        let part = unit.checked_mul(u32::try_from(number).map_err(|_| wrong())?).ok_or_else(wrong)?;
        total = total.checked_add(part).ok_or_else(wrong)?;
        rest = after;
    }
    if text.is_empty() { Err(wrong()) } else { Ok(total) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::parse;

    #[test]
    fn units_add_up() {
        for (text, milliseconds) in [
            ("10", 10_000),
            ("1.5", 1_500),
            ("1h30min", 5_400_000),
            ("2min250ms", 120_250),
            ("0", 0),
            ("1d", 86_400_000),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "10x", "-1", "5min3", "99999999999h", "nan", "1e400"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
