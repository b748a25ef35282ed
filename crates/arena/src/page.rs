// SPDX-License-Identifier: GPL-3.0-or-later
//! The frame of a page and the few HTML elements that reports use.

use std::fmt::{Display, Write as _};

use tools::text::html as escape;

/// Colors of both schemes; charts use the same variables.
const STYLE: &str = "
:root { --paper:#fbfaf7; --card:#ffffff; --ink:#22252a; --soft:#6b7078; --grid:#e4e2dc;
  --a:#2f6f9f; --b:#c2703d; --good:#3b8f5a; --bad:#b8484c; }
@media (prefers-color-scheme: dark) { :root { --paper:#16181c; --card:#1f2227; --ink:#e6e6e3;
  --soft:#9aa0a8; --grid:#343840; --a:#6fb1e0; --b:#e5a06f; --good:#74c794; --bad:#e58388; } }
body { margin:0 auto; max-width:64rem; padding:2rem 1.2rem; background:var(--paper);
  color:var(--ink); font:16px/1.5 system-ui, sans-serif; }
h1 { font-size:1.6rem; margin:0 0 .2rem; } h2 { font-size:1.05rem; margin:0 0 .6rem; }
p { margin:.2rem 0 1rem; color:var(--soft); }
.grid { display:grid; grid-template-columns:repeat(auto-fit,minmax(27rem,1fr)); gap:1rem; }
@media (max-width:34rem) { .grid { grid-template-columns:1fr; } }
section { background:var(--card); border:1px solid var(--grid); border-radius:.6rem;
  padding:1rem 1.2rem; margin:0 0 1rem; overflow-x:auto; }
section.wide { grid-column:1/-1; }
table { border-collapse:collapse; width:100%; font-variant-numeric:tabular-nums; }
th, td { text-align:right; padding:.25rem .6rem; border-bottom:1px solid var(--grid); }
th:first-child, td:first-child { text-align:left; }
th { color:var(--soft); font-weight:600; } tr:last-child td { border-bottom:0; }
svg { width:100%; max-width:38rem; height:auto; display:block; margin:0 auto; }
svg text { fill:var(--soft); font:12px system-ui, sans-serif; }
code { font-size:.85em; }
";

/// The variables of the light scheme, for programs that draw SVG and know no variables.
const LIGHT: [(&str, &str); 7] = [
    ("ink", "#22252a"),
    ("soft", "#6b7078"),
    ("grid", "#e4e2dc"),
    ("a", "#2f6f9f"),
    ("b", "#c2703d"),
    ("good", "#3b8f5a"),
    ("bad", "#b8484c"),
];

/// A chart as a file of its own, in the light scheme.
pub fn standalone(chart: &str) -> String {
    let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"system-ui, sans-serif\" \
                font-size=\"12\" style=\"background:#ffffff\" ";
    let svg = chart.replacen("<svg ", head, 1).replace("<text ", "<text fill=\"var(--soft)\" ");
    let fill =
        |svg: String, (name, color): &(&str, &str)| svg.replace(&format!("var(--{name})"), color);
    format!("{}\n", LIGHT.iter().fold(svg, fill))
}

/// A page under construction.
#[derive(Debug)]
pub struct Page {
    title: String,
    subtitle: String,
    body: String,
}

impl Page {
    /// A page with a title and a line below it.
    pub fn new(title: impl Display, subtitle: impl Display) -> Self {
        let (title, subtitle) = (escape(title), escape(subtitle));
        Self { title, subtitle, body: String::new() }
    }

    /// Adds a card; `content` is HTML already.
    pub fn card(&mut self, heading: &str, note: &str, content: &str) {
        self.section("card", heading, note, content);
    }

    /// Adds a card over the whole width.
    pub fn wide_card(&mut self, heading: &str, note: &str, content: &str) {
        self.section("card wide", heading, note, content);
    }

    fn section(&mut self, class: &str, heading: &str, note: &str, content: &str) {
        let (heading, note) = (escape(heading), escape(note));
        let _ = writeln!(
            self.body,
            "<section class=\"{class}\"><h2>{heading}</h2><p>{note}</p>{content}</section>"
        );
    }

    /// The page as one HTML document.
    pub fn finish(self) -> String {
        let Self { title, subtitle, body } = self;
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>{STYLE}</style></head>\n<body>\n\
             <h1>{title}</h1><p>{subtitle}</p>\n<div class=\"grid\">\n{body}</div>\n</body></html>\n"
        )
    }
}

/// A table; the cells are plain text.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut html = "<table><thead>".to_owned();
    push_row(&mut html, "th", head.iter());
    html.push_str("</thead><tbody>");
    for row in rows {
        push_row(&mut html, "td", row.iter());
    }
    html.push_str("</tbody></table>");
    html
}

fn push_row(html: &mut String, tag: &str, cells: impl Iterator<Item: Display>) {
    html.push_str("<tr>");
    for cell in cells {
        let _ = write!(html, "<{tag}>{}</{tag}>", escape(cell));
    }
    html.push_str("</tr>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_that_stand_alone_need_no_page() {
        let svg =
            standalone("<svg viewBox=\"0 0 1 1\"><text x=\"0\" stroke=\"var(--good)\"/></svg>");
        assert!(svg.contains("xmlns=") && !svg.contains("var("), "{svg}");
        for (name, color) in LIGHT {
            assert!(STYLE.contains(&format!("--{name}:{color}")), "{name} differs from the page's");
        }
    }

    #[test]
    fn names_cannot_break_the_page() {
        assert_eq!(escape("<b>&\""), "&lt;b&gt;&amp;&quot;");
        let html = table(&["name"], &[vec!["<script>".into()]]);
        assert!(!html.contains("<script>"), "{html}");
    }
}
