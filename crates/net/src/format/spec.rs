// SPDX-License-Identifier: GPL-3.0-or-later
//! How an architecture is declared: one value, from which all but its `forward` follows.

use super::{Activation, Architecture, Header, NetFileError, Tensor};

/// What an architecture is.
///
/// Its header is checked by it; the tensors that it declares are read, written, rounded by the trainer and
/// filled at random for tests in their declared order, and bound the memory that a file may ask for.
#[derive(Clone, Copy, Debug)]
pub struct ArchSpec {
    /// Its number and name.
    pub architecture: Architecture,
    /// What may be done to the first layer's sums.
    pub activations: &'static [Activation],
    /// How many features there are for each input bucket.
    pub inputs: usize,
    /// The most input buckets; zero if there are none.
    pub max_input_buckets: u8,
    /// The most output buckets; zero if there are none.
    pub max_output_buckets: u8,
    /// Flags that must be set.
    pub needed_flags: u16,
    /// Flags that may be set besides.
    pub allowed_flags: u16,
    /// The layers' widths, first to last.
    pub widths: &'static [Width],
    /// What weights are multiplied with before they are rounded, in the first and in later layers.
    pub factors: [Factor; 2],
    /// The largest number of points per unit of output.
    pub max_scale: u32,
    /// Points that the right to move is worth, where the network does not see it. The search adds them to
    /// the evaluation of the side to move.
    pub tempo: i32,
    /// The weights in the order of the file, for a header that has passed [`ArchSpec::check`].
    pub tensors: fn(&Header) -> Vec<Tensor>,
    /// A common small size, for tests and benchmarks.
    pub sample: Sample,
}

/// The width of a layer: a multiple of `step` from `min` to `max`.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    /// What errors call it.
    pub name: &'static str,
    /// It is a multiple of this.
    pub step: u16,
    /// The smallest width.
    pub min: u16,
    /// The largest width.
    pub max: u16,
    /// The activation behind which alone this layer is there, if it is not always there.
    pub only: Option<Activation>,
}

impl Width {
    /// A multiple of `step` up to `max`.
    pub(crate) const fn multiple(name: &'static str, step: usize, max: usize) -> Self {
        Self { name, step: step as u16, min: step as u16, max: max as u16, only: None }
    }

    /// Any number from `min` to `max`.
    pub(crate) const fn range(name: &'static str, min: usize, max: usize) -> Self {
        Self { name, step: 1, min: min as u16, max: max as u16, only: None }
    }

    /// A layer that is there behind one activation only.
    pub(crate) const fn only(mut self, activation: Activation) -> Self {
        self.only = Some(activation);
        self
    }

    fn check(&self, found: u16) -> Result<(), NetFileError> {
        if found.is_multiple_of(self.step) && (self.min..=self.max).contains(&found) {
            return Ok(());
        }
        let expected = match self.step {
            1 => format!("{} to {}", self.min, self.max),
            step => format!("a multiple of {step} up to {}", self.max),
        };
        Err(NetFileError::field(self.name, found, expected))
    }
}

/// What a quantization factor may be.
#[derive(Clone, Copy, Debug)]
pub enum Factor {
    /// From the first to the second.
    Range(u16, u16),
    /// A power of two from the first to the second.
    PowerOfTwo(u16, u16),
}

impl Factor {
    /// Nothing but this.
    pub(crate) const fn only(factor: u16) -> Self {
        Self::Range(factor, factor)
    }

    fn check(self, name: &'static str, found: u16) -> Result<(), NetFileError> {
        match self {
            Self::Range(min, max) => Header::check(name, found, min..=max),
            Self::PowerOfTwo(min, max) => {
                if found.is_power_of_two() && (min..=max).contains(&found) {
                    return Ok(());
                }
                let expected = format!("a power of two from {min} to {max}");
                Err(NetFileError::field(name, found, expected))
            }
        }
    }
}

/// A common small size of an architecture.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The layers' widths.
    pub widths: [u16; 4],
    /// The quantization factors.
    pub quantization: [u16; 2],
    /// The flags.
    pub flags: u16,
}

impl ArchSpec {
    /// The tensors that a header declares, if it is valid.
    pub fn checked_tensors(&self, header: &Header) -> Result<Vec<Tensor>, NetFileError> {
        self.check(header)?;
        Ok((self.tensors)(header))
    }

    /// Refuses a header that no network of this architecture has.
    pub fn check(&self, header: &Header) -> Result<(), NetFileError> {
        self.check_inputs(header)?;
        let widths = self
            .widths
            .iter()
            .filter(|width| width.only.is_none_or(|activation| activation == header.activation));
        let used = widths.clone().count();
        for &width in &header.widths[used..] {
            Header::check("width of a layer that is not there", width, 0..=0)?;
        }
        let flags = self.needed_flags | self.allowed_flags;
        Header::check("flags of other architectures", header.flags & !flags, 0..=0)?;
        let needed = self.needed_flags;
        Header::check("flags", header.flags & needed, needed..=needed)?;
        Header::check("scale", header.scale, 1..=self.max_scale)?;
        for (width, &found) in widths.zip(&header.widths) {
            width.check(found)?;
        }
        let least = u8::from(self.max_output_buckets > 0);
        Header::check("output buckets", header.output_buckets, least..=self.max_output_buckets)?;
        let [first, second] = header.quantization;
        self.factors[0].check("first quantization factor", first)?;
        self.factors[1].check("second quantization factor", second)
    }

    fn check_inputs(&self, header: &Header) -> Result<(), NetFileError> {
        if !self.activations.contains(&header.activation) {
            let names: Vec<_> =
                self.activations.iter().map(|activation| activation.name()).collect();
            let (found, expected) = (header.activation.name(), names.join(" or "));
            return Err(NetFileError::field("activation", found, expected));
        }
        let least = u8::from(self.max_input_buckets > 0);
        Header::check("input buckets", header.input_buckets, least..=self.max_input_buckets)?;
        let expected = (self.inputs * usize::from(header.input_buckets.max(1))) as u32;
        Header::check("inputs", header.inputs, expected..=expected)
    }

    /// The header of a common small size.
    pub fn sample_header(&self) -> Header {
        let mut header = Header::new(self.architecture, self.activations[0]);
        header.inputs = self.inputs as u32;
        header.widths = self.sample.widths;
        header.quantization = self.sample.quantization;
        header.flags = self.sample.flags | self.needed_flags;
        header.input_buckets = self.max_input_buckets.min(1);
        header.output_buckets = self.max_output_buckets.min(1);
        header.bucket_map = vec![0; header.bucket_map_len()];
        header.scale = header.scale.min(self.max_scale);
        header
    }
}
