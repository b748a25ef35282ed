// SPDX-License-Identifier: GPL-3.0-or-later
//! Which rows of a first layer are active, position by position, and the same the other way round.

/// Which rows each sum is made of.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    rows: Vec<u16>,
    ends: Vec<u32>,
    /// The lists by their length, so that the processor foresees where the next one ends.
    by_length: Vec<u32>,
    columns: Vec<Columns>,
    counter: Counter,
}

impl Lists {
    /// How many lists are taken together on the way back: few enough that a tile of all their gradients stays in the
    /// nearest caches.
    pub(crate) const GROUP: usize = 256;

    /// Forgets all lists.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
    }

    /// Appends a list.
    pub fn push(&mut self, rows: impl Iterator<Item = usize>) {
        self.rows.extend(rows.map(|row| row as u16));
        self.ends.push(self.rows.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All lists in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|index| self.list(index))
    }

    /// One list.
    #[inline(always)]
    pub(super) fn list(&self, index: usize) -> &[u16] {
        &self.rows[self.start(index)..self.ends[index] as usize]
    }

    #[inline(always)]
    fn start(&self, index: usize) -> usize {
        if index == 0 { 0 } else { self.ends[index - 1] as usize }
    }

    /// The numbers of all lists, the shortest first; after [`Lists::sort_by_length`].
    #[inline(always)]
    pub(super) fn by_length(&self) -> impl Iterator<Item = usize> {
        self.by_length.iter().map(|&list| list as usize)
    }

    /// Sorts the lists by their length.
    pub(super) fn sort_by_length(&mut self) {
        let Self { ends, by_length, counter, .. } = self;
        let starts = [0].into_iter().chain(ends.iter().copied());
        let lengths = ends.iter().zip(starts).map(|(end, start)| end - start);
        counter.sort((0..).zip(lengths), by_length);
    }

    /// Which lists each of the layer's rows is in, for each group of lists.
    pub(super) fn columns(&mut self, rows: usize) -> &[Columns] {
        let groups = self.len().div_ceil(Self::GROUP);
        self.columns.resize_with(groups, Columns::default);
        for group in 0..groups {
            let first = group * Self::GROUP;
            let last = self.len().min(first + Self::GROUP);
            let start = self.start(first);
            let entries = &self.rows[start..self.ends[last - 1] as usize];
            let ends = self.ends[first..last].iter().map(|end| *end as usize - start);
            self.columns[group].fill(entries, ends, rows, &mut self.counter);
        }
        &self.columns
    }
}

/// Which lists of a group each row is in.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Where each row's lists begin, and where the last one's end.
    starts: Vec<u32>,
    /// The numbers of lists within the group, row by row, each row's in order.
    lists: Vec<u8>,
    /// The rows that are in any list, by the number of lists.
    active: Vec<u32>,
}

impl Columns {
    fn fill(
        &mut self,
        entries: &[u16],
        ends: impl Iterator<Item = usize>,
        rows: usize,
        counter: &mut Counter,
    ) {
        // First the number of a row's lists stands two places behind it, then the place of its next list
        // one place behind it, which in the end is where the next row's lists begin.
        self.starts.clear();
        self.starts.resize(rows + 2, 0);
        for &row in entries {
            self.starts[usize::from(row) + 2] += 1;
        }
        let counts = self.starts[2..].iter().copied();
        counter.sort((0..).zip(counts).filter(|&(_, count)| count > 0), &mut self.active);
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.lists.resize(entries.len(), 0);
        let mut begin = 0;
        for (list, end) in ends.enumerate() {
            for &row in &entries[begin..end] {
                let place = &mut self.starts[usize::from(row) + 1];
                self.lists[*place as usize] = list as u8;
                *place += 1;
            }
            begin = end;
        }
    }

    /// Each active row with the numbers of its lists.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.active.iter().map(|&row| {
            let row = row as usize;
            (row, &self.lists[self.starts[row] as usize..self.starts[row + 1] as usize])
        })
    }
}

/// Sorts by small keys, by counting them.
#[derive(Clone, Debug, Default)]
struct Counter {
    places: Vec<u32>,
}

impl Counter {
    /// Writes the items to `sorted` in the order of their keys; those with the same key stay in order.
    fn sort(&mut self, items: impl Iterator<Item = (u32, u32)> + Clone, sorted: &mut Vec<u32>) {
        self.places.clear();
        let mut count = 0;
        for (_, key) in items.clone() {
            let len = self.places.len().max(key as usize + 2);
            self.places.resize(len, 0);
            self.places[key as usize + 1] += 1;
            count += 1;
        }
        let mut sum = 0;
        for place in &mut self.places {
            sum += *place;
            *place = sum;
        }
        sorted.resize(count, 0);
        for (item, key) in items {
            let place = &mut self.places[key as usize];
            sorted[*place as usize] = item;
            *place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::Rng;

    #[test]
    fn columns_hold_what_lists_hold() {
        const ROWS: usize = 50;
        let mut random = Rng::new(8);
        let mut lists = Lists::default();
        // The second round shows that nothing is left of the first.
        for count in [Lists::GROUP + 70, 40] {
            lists.clear();
            let mut expected = Vec::new();
            for list in 0..count {
                let rows: Vec<usize> = (0..random.below(9)).map(|_| random.below(ROWS)).collect();
                expected.extend(rows.iter().map(|&row| (row, list)));
                lists.push(rows.iter().copied());
            }
            lists.sort_by_length();
            assert!(lists.by_length().is_sorted_by_key(|list| lists.list(list).len()));
            assert_eq!(lists.by_length().count(), count);
            let mut found = Vec::new();
            for (group, columns) in lists.columns(ROWS).iter().enumerate() {
                let mut last = 0;
                for (row, lists) in columns.iter() {
                    assert!(lists.len() >= last.max(1) && lists.is_sorted());
                    last = lists.len();
                    let first = group * Lists::GROUP;
                    found.extend(lists.iter().map(|&list| (row, first + usize::from(list))));
                }
            }
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
