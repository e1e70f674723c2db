//! How `format/2` writes numbers where a directive asks for the program's way (`~:d`): a sign in front of the fraction,
//! and one between groups of digits.

/// What stands between the digits of a number.
#[derive(Clone, Debug)]
pub(crate) struct Locale {
    /// In front of the fraction.
    pub(crate) decimal_point: String,
    /// Between two groups in front of the decimal point; nothing is grouped if it is empty.
    pub(crate) separator: String,
    /// How many digits a group has, from the decimal point on.
    pub(crate) groups: Vec<usize>,
    /// Whether the last size is that of all further groups; otherwise the other digits are one group.
    pub(crate) repeats: bool,
}

impl Default for Locale {
    fn default() -> Self {
        Self { decimal_point: ".".to_owned(), separator: String::new(), groups: Vec::new(), repeats: false }
    }
}

impl Locale {
    /// Groups of three behind commas, whatever the program's way is.
    pub(crate) fn thousands() -> Self {
        Self { separator: ",".to_owned(), groups: vec![3], repeats: true, ..Self::default() }
    }

    /// A number that is written as `-1234.5`; what has no digits stays as it is.
    pub(crate) fn write(&self, number: &str) -> String {
        let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
        let (whole, fraction) =
            rest.split_once('.').map_or((rest, None), |(whole, part)| (whole, Some(part)));
        if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
            return number.to_owned();
        }
        let mut text = sign.to_owned();
        text.push_str(&self.grouped(whole));
        if let Some(fraction) = fraction {
            text.push_str(&self.decimal_point);
            text.push_str(fraction);
        }
        text
    }

    fn grouped(&self, digits: &str) -> String {
        if self.separator.is_empty() {
            return digits.to_owned();
        }
        // The groups from the last one on.
        let mut groups = Vec::new();
        let mut rest = digits;
        let last = self.groups.last().copied().filter(|_| self.repeats);
        for size in self.groups.iter().copied().chain(std::iter::repeat_with(|| last).map_while(|size| size))
        {
            if size == 0 || rest.len() <= size {
                break;
            }
            let (front, group) = rest.split_at(rest.len() - size);
            groups.push(group);
            rest = front;
        }
        groups.push(rest);
        groups.reverse();
        groups.join(&self.separator)
    }
}
