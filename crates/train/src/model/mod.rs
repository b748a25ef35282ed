// SPDX-License-Identifier: GPL-3.0-or-later
//! The architectures as the trainer sees them.
//!
//! Each is one file: what it trains, how an output is made and how a gradient goes back, and how the
//! result is written through [`net::file`]. The training loop knows none of this: it hands records
//! to a [`GradientWorker`] per thread and gives the gradients to the optimizer.

mod batu;
mod house;
mod napoleon;
mod nectar;
mod policy;
mod rengar;
mod tal;
mod value;

use std::fmt;

pub use batu::{Batu, BatuOptions};
use data::Record;
pub use house::{Head, HouseModel, HouseOptions};
pub use napoleon::{Napoleon, NapoleonOptions};
pub use nectar::{Nectar, NectarOptions};
use net::file::Contents;
use net::{Architecture, Header, NetFileError};
pub use policy::{PolicyModel, PolicyOptions};
pub use tal::{Join, Tal, TalOptions};
pub use value::{ValueNet, ValueWorker};

use rayon::ThreadPool;
use serde::de::DeserializeOwned;

use crate::aligned::Aligned;
use crate::objective::Objective;
use crate::parameters::Layout;

/// A network that can be trained.
pub trait Model: fmt::Debug + Send + Sync {
    /// Which architecture it is.
    fn architecture(&self) -> Architecture;

    /// What is trained.
    fn layout(&self) -> &Layout;

    /// Where training begins.
    fn initial(&self, seed: u64) -> Aligned {
        self.layout().initial(seed)
    }

    /// How parameters become the weights that workers use, if these are not the same.
    fn unfolding(&self) -> Option<&dyn Unfolding> {
        None
    }

    /// One thread's share of the work.
    fn worker(&self) -> Box<dyn GradientWorker>;

    /// Points per unit of output.
    fn scale(&self) -> f32;

    /// The network as the bytes of a file, rounded as the file wants it.
    fn export(&self, parameters: &[f32], label: &NetLabel) -> Result<Vec<u8>, NetFileError>;

    /// The parameters of a network's file, as far as rounding has left them, to be trained further; or
    /// why they cannot be had. What a smaller network's file lacks begins as `seed` says.
    fn import(&self, contents: &Contents<'_>, _seed: u64) -> Result<Aligned, String> {
        let name = self.architecture().name();
        let found = contents.header.architecture.name();
        Err(format!("a file of `{found}`, but `{name}` can only go on from a checkpoint"))
    }
}

/// Refuses the file of a network of another form.
fn check_form(expected: &Header, contents: &Contents<'_>) -> Result<(), String> {
    let Header { name, provenance, .. } = contents.header.clone();
    if (Header { name, provenance, ..expected.clone() }) == contents.header {
        return Ok(());
    }
    let form = |header: &Header| {
        let (name, widths) = (header.architecture.name(), header.widths);
        let (kings, outputs) = (header.input_buckets, header.output_buckets);
        format!("{name} {widths:?} with {kings} king and {outputs} output buckets")
    };
    let (found, expected) = (form(&contents.header), form(expected));
    Err(format!("a network of another form: {found}, expected {expected} and the same scale"))
}

/// Parameters with these numbers, a list for each tensor.
fn filled(layout: &Layout, tensors: &[Vec<f32>]) -> Aligned {
    let mut parameters = Aligned::zeroed(layout.len());
    for (tensor, numbers) in layout.tensors().iter().zip(tensors) {
        parameters[tensor.range()].copy_from_slice(numbers);
    }
    parameters
}

/// The network of an architecture with the options of a recipe's table `network`; or what is wrong
/// with them.
pub fn build(architecture: Architecture, network: &toml::Table) -> Result<Box<dyn Model>, String> {
    fn with<O: DeserializeOwned, M: Model + 'static>(
        network: &toml::Table,
        new: impl Fn(&O) -> Result<M, OptionError>,
    ) -> Result<Box<dyn Model>, String> {
        let options: O =
            toml::Value::Table(network.clone()).try_into().map_err(|error: toml::de::Error| {
                format!("network: {}", error.message().replace('\n', " "))
            })?;
        new(&options).map(|model| Box::new(model) as _).map_err(|error| error.to_string())
    }
    match architecture {
        Architecture::Nectar => with(network, Nectar::new),
        Architecture::Rengar => with(network, rengar::Rengar::new),
        Architecture::Tal => with(network, Tal::new),
        Architecture::Batu => with(network, Batu::new),
        Architecture::House => with(network, HouseModel::new),
        Architecture::Policy => with(network, PolicyModel::new),
        Architecture::Napoleon => with(network, Napoleon::new),
    }
}

/// What a network's file says about where it comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NetLabel {
    /// The network's name.
    pub name: String,
    /// What it was trained on.
    pub provenance: String,
}

impl NetLabel {
    /// The header with name and provenance, cut to what a file can hold.
    fn header(&self, header: &Header) -> Header {
        let mut header = header.clone();
        header.name = cut(&self.name, Header::MAX_NAME);
        header.provenance = cut(&self.provenance, Header::MAX_PROVENANCE);
        header
    }
}

/// The text on one line, cut between characters to so many bytes.
fn cut(text: &str, max: usize) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line[..line.floor_char_boundary(max)].to_owned()
}

/// Points per unit of output, unless a recipe says otherwise.
const fn default_scale() -> u32 {
    400
}

/// Turns weights `[output][input]` into `[input][output]`, the order of files.
fn transposed(weights: &[f32], outputs: usize) -> Vec<f32> {
    let inputs = weights.len() / outputs;
    let column = |input| (0..outputs).map(move |output| weights[output * inputs + input]);
    (0..inputs).flat_map(column).collect()
}

/// The same for sets of weights, one after another.
fn transposed_sets(weights: &[f32], inputs: usize, outputs: usize) -> Vec<f32> {
    weights.chunks_exact(inputs * outputs).flat_map(|set| transposed(set, outputs)).collect()
}

/// Why an architecture cannot be trained with some options.
#[derive(Debug, thiserror::Error)]
#[error("network.{key} is {found}, expected {expected}")]
pub struct OptionError {
    key: &'static str,
    found: String,
    expected: String,
}

#[expect(clippy::needless_pass_by_value, reason = "numbers and texts alike, without a reference")]
impl OptionError {
    fn new(key: &'static str, found: impl ToString, expected: impl ToString) -> Self {
        Self { key, found: found.to_string(), expected: expected.to_string() }
    }
}

/// Refuses a width that is not a multiple of `step` from `step` to `max`.
fn check_width(key: &'static str, width: u16, step: usize, max: usize) -> Result<(), OptionError> {
    let found = usize::from(width);
    if found.is_multiple_of(step) && (step..=max).contains(&found) {
        return Ok(());
    }
    Err(OptionError::new(key, width, format!("a multiple of {step} up to {max}")))
}

/// Weights that are made from fewer or other parameters, such as a shared part and a part of each
/// bucket that are added.
pub trait Unfolding: Send + Sync {
    /// How many weights there are.
    fn len(&self) -> usize;

    /// Whether there are no weights.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes the weights.
    fn unfold(&self, parameters: &[f32], weights: &mut [f32]);

    /// Adds the gradients of the weights to those of the parameters.
    fn fold(&self, weight_gradients: &[f32], gradients: &mut [f32]);

    /// [`Unfolding::unfold`] by all threads.
    fn unfold_in(&self, parameters: &[f32], weights: &mut [f32], _pool: &ThreadPool) {
        self.unfold(parameters, weights);
    }

    /// [`Unfolding::fold`] of the gradients of each thread in turn, which are zero afterwards.
    fn fold_all(&self, all: &mut [Aligned], gradients: &mut [f32], _pool: &ThreadPool) {
        for weight_gradients in all {
            self.fold(weight_gradients, gradients);
            weight_gradients.fill(0.0);
        }
    }
}

/// Passes over records, in buffers of its own.
pub trait GradientWorker: Send {
    /// Adds the gradients of the records' losses to `gradients` and returns the sum of the losses.
    fn train(
        &mut self,
        weights: &[f32],
        records: &[Record],
        objective: &Objective,
        gradients: &mut [f32],
    ) -> f64;

    /// The sum of the records' losses.
    fn measure(&mut self, weights: &[f32], records: &[Record], objective: &Objective) -> f64;

    /// What a value network says to the side to move, in units of output; a policy says nothing.
    fn outputs(&mut self, weights: &[f32], records: &[Record]) -> Vec<f32>;
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use data::qrec::RecordFile;

    use super::*;

    /// Writing what was read from a file gives the same file.
    fn check_import(architecture: Architecture, options: &str) {
        let model = build(architecture, &options.parse().unwrap()).unwrap();
        let label = NetLabel { name: "first".to_owned(), provenance: "chance".to_owned() };
        let bytes = model.export(&model.initial(3), &label).unwrap();
        let parameters = model.import(&Contents::read(&bytes).unwrap(), 1).unwrap();
        assert!(model.export(&parameters, &label).unwrap() == bytes, "{architecture:?} {options}");
    }

    #[test]
    fn parameters_come_back_from_files() {
        check_import(Architecture::Policy, "width = 128");
        check_import(Architecture::House, "width = 48\noutput_buckets = 4");
        check_import(Architecture::House, "width = 32\nhead = \"pairwise\"\noutput_buckets = 2");
    }

    /// A larger network says what the smaller one said that it has grown from.
    #[test]
    fn houses_grow() {
        let house = |options: &str| build(Architecture::House, &options.parse().unwrap()).unwrap();
        let export = |model: &dyn Model, parameters: &[f32]| {
            model.export(parameters, &NetLabel::default()).unwrap()
        };
        let small = house("width = 32\noutput_buckets = 2");
        let mut parameters = small.initial(3);
        parameters[0] = 1.9; // more than a part of a factorized layer can hold
        let bytes = export(&*small, &parameters);
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes/data/smoke-validation.qrec");
        let records = RecordFile::open(&file).unwrap().load().unwrap();
        let expected = crate::verify::outputs(&bytes, &records).unwrap();
        let map: Vec<u8> = (0..32).map(|square| square / 8).collect();
        let kings = format!("king_buckets = {map:?}");
        for (options, is_wider) in [
            ("width = 48".to_owned(), true),
            (format!("width = 32\n{kings}"), false),
            (format!("width = 96\n{kings}"), true),
        ] {
            let large = house(&format!("{options}\noutput_buckets = 2"));
            let contents = Contents::read(&bytes).unwrap();
            let grown = large.import(&contents, 5).unwrap();
            let found = crate::verify::outputs(&export(&*large, &grown), &records).unwrap();
            assert_eq!(found, expected, "{options}");
            // New lanes are not all the same, or they would learn the same.
            let other = large.import(&contents, 6).unwrap();
            assert_eq!(other[..] != grown[..], is_wider, "{options}");
        }
    }

    #[test]
    fn files_of_another_form_are_refused() {
        let house = |options: &str| build(Architecture::House, &options.parse().unwrap()).unwrap();
        let wide = house("width = 64");
        let bytes = wide.export(&wide.initial(1), &NetLabel::default()).unwrap();
        let contents = Contents::read(&bytes).unwrap();
        let error = house("width = 48").import(&contents, 1).unwrap_err();
        assert!(error.contains("[64, 0, 0, 0]") && error.contains("[48, 0, 0, 0]"), "{error}");
        let nectar = build(Architecture::Nectar, &"width = 16".parse().unwrap()).unwrap();
        let error = nectar.import(&contents, 1).unwrap_err();
        assert_eq!(error, "a file of `house`, but `nectar` can only go on from a checkpoint");
    }
}
