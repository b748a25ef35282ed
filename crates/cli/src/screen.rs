// SPDX-License-Identifier: GPL-3.0-or-later
//! A few lines at the bottom of a terminal that are drawn again and again.

use console::Term;

/// The terminal behind standard error, if there is one.
#[derive(Debug)]
pub(crate) struct Screen {
    term: Term,
    /// Lines that the last drawing has left on it.
    lines: usize,
}

impl Screen {
    /// The terminal; nothing if standard error goes elsewhere, or cannot move its cursor.
    pub(crate) fn open() -> Option<Self> {
        let term = Term::buffered_stderr();
        let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
        (term.is_term() && !is_dumb).then_some(Self { term, lines: 0 })
    }

    /// How many letters fit in a line.
    pub(crate) fn width(&self) -> usize {
        usize::from(self.term.size().1)
    }

    /// Draws lines in place of the last ones; those that do not fit are left out.
    pub(crate) fn draw(&mut self, lines: &[String]) {
        let height = usize::from(self.term.size().0);
        let shown = &lines[..lines.len().min(height.saturating_sub(1))];
        // What a terminal does not take, it does not show; there is nothing else to do about it.
        let _ = self.erase().and_then(|()| {
            shown.iter().try_for_each(|line| self.term.write_line(line))?;
            self.lines = shown.len();
            self.term.flush()
        });
    }

    /// Takes the lines away.
    pub(crate) fn clear(&mut self) {
        let _ = self.erase().and_then(|()| self.term.flush());
    }

    fn erase(&mut self) -> std::io::Result<()> {
        // The line of the cursor holds what was typed meanwhile, such as `^C`.
        self.term.clear_line()?;
        self.term.clear_last_lines(std::mem::take(&mut self.lines))
    }
}
