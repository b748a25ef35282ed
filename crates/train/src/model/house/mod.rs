// SPDX-License-Identifier: GPL-3.0-or-later
//! The house's own: two views through one first layer, then a head for each output bucket.
//!
//! With several king buckets the first layer is factorized: a part that all buckets share and a part
//! of each, which are added before a step and merged for good at export.

mod factors;
mod grow;
mod head;
mod pairwise;
mod screlu;

use std::ops::Range;

use factors::Factors;
use head::{Body, HeadNet};
use net::features::HouseFeatures;
use net::file::Contents;
use net::{Activation, Architecture, Header, NetFileError};
use serde::{Deserialize, Serialize};

use super::{
    GradientWorker, Model, NetLabel, OptionError, Unfolding, ValueNet, ValueWorker, check_form,
    check_width, default_scale, filled,
};
use crate::Aligned;
use crate::layers::{Lists, Sparse};
use crate::objective::OutputView;
use crate::parameters::{Layout, Tensor};
use crate::position::TrainingPosition;

/// What follows the first layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Head {
    /// Squared and clipped lanes straight to the output.
    Screlu,
    /// Products of halves, then two small layers.
    Pairwise,
}

/// The choices of this architecture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HouseOptions {
    /// Lanes of each view.
    pub width: u16,
    /// What follows them.
    #[serde(default = "screlu")]
    pub head: Head,
    /// Values of the two small layers of the pairwise head.
    #[serde(default = "small")]
    pub small: [u16; 2],
    /// Whether boards are mirrored so that the own king stands on the files a to d.
    #[serde(default = "yes")]
    pub mirrored: bool,
    /// How many sets of output weights the number of pieces chooses from.
    #[serde(default = "one")]
    pub output_buckets: u8,
    /// The bucket of each own king's square, a1 first, by ranks: 32 squares if mirrored, otherwise
    /// 64; empty for a single bucket.
    #[serde(default)]
    pub king_buckets: Vec<u8>,
    /// Points per unit of output.
    #[serde(default = "default_scale")]
    pub scale: u32,
}

const fn screlu() -> Head {
    Head::Screlu
}

const fn small() -> [u16; 2] {
    [16, 32]
}

const fn yes() -> bool {
    true
}

const fn one() -> u8 {
    1
}

/// The largest weight that quantization leaves room for.
const LIMIT: f32 = 1.98;
/// About thirty rows are added up: so their sums spread over a part of the clipped range.
const SPREAD: f32 = 0.06;
/// The quantization factor of the later weights.
const QB: u16 = 64;

/// (768 × buckets → N) × 2, then a head for each output bucket.
#[derive(Debug)]
pub struct HouseModel {
    header: Header,
    /// What is trained.
    layout: Layout,
    /// What workers use: one set of rows for each king bucket, bias, head.
    weights: Layout,
    factors: Option<Factors>,
    first: Sparse,
    features: HouseFeatures,
}

impl HouseModel {
    /// The network with these options; refuses what no file could hold.
    pub fn new(options: &HouseOptions) -> Result<Self, OptionError> {
        check(options)?;
        let header = header(options);
        let features = HouseFeatures::new(options.mirrored, &header.bucket_map);
        let buckets = usize::from(header.input_buckets);
        let first = Sparse::new(768 * buckets, options.width.into());
        let rows = Tensor::weights("first weights", first.len(), SPREAD).within(LIMIT);
        let weights = layout_with(vec![rows], &header);
        let (layout, factors) = if buckets == 1 {
            (weights.clone(), None)
        } else {
            let layout = layout_with(Factors::tensors(buckets, first.width).into(), &header);
            let factors = Factors::new(buckets, first.width, &layout, &weights);
            (layout, Some(factors))
        };
        Ok(Self { header, layout, weights, factors, first, features })
    }

    /// The weights of the first layer by king buckets, `[row][lane]`, and all others behind them.
    fn merged(&self, parameters: &[f32]) -> Vec<f32> {
        let mut weights = vec![0.0; self.weights.len()];
        match &self.factors {
            Some(factors) => factors.unfold(parameters, &mut weights),
            None => weights.copy_from_slice(parameters),
        }
        weights
    }
}

impl Model for HouseModel {
    fn architecture(&self) -> Architecture {
        Architecture::House
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn initial(&self, seed: u64) -> Aligned {
        let mut parameters = self.layout.initial(seed);
        HeadNet::initialize(&self.header, &self.layout, &mut parameters);
        parameters
    }

    fn unfolding(&self) -> Option<&dyn Unfolding> {
        self.factors.as_ref().map(|factors| factors as &dyn Unfolding)
    }

    fn worker(&self) -> Box<dyn GradientWorker> {
        let [weights, bias] = [0, 1].map(|index: usize| self.weights.tensors()[index].range());
        let first = FirstLayer { layer: self.first, weights, bias };
        Box::new(ValueWorker::new(HouseNet {
            features: self.features.clone(),
            lists: Lists::default(),
            buckets: Vec::new(),
            output_buckets: self.header.output_buckets.into(),
            body: Body::new(first, &self.header, &self.weights),
        }))
    }

    fn scale(&self) -> f32 {
        self.header.scale as f32
    }

    fn export(&self, parameters: &[f32], label: &NetLabel) -> Result<Vec<u8>, NetFileError> {
        let weights = self.merged(parameters);
        net::file::make(&label.header(&self.header), |tensors| {
            let part = |index: usize| &weights[self.weights.tensors()[index].range()];
            tensors.rounded(&self.first.in_rows(part(0)));
            tensors.rounded(part(1));
            HeadNet::export(&self.header, &self.weights, &weights, tensors);
        })
    }

    fn import(&self, contents: &Contents<'_>, seed: u64) -> Result<Aligned, String> {
        if grow::can_grow(&contents.header, &self.header) {
            return grow::grown(self, contents, seed);
        }
        check_form(&self.header, contents)?;
        if self.factors.is_some() {
            return Err("its king buckets are merged, and the parts that they are trained in are \
                        only in a checkpoint"
                .to_owned());
        }
        let [rows, bias, head @ ..] = contents.tensors.as_slice() else {
            return Err("no first layer".to_owned());
        };
        let mut tensors = vec![self.first.from_rows(&rows.trained()), bias.trained()];
        tensors.extend(HeadNet::import(&self.header, head));
        Ok(filled(&self.layout, &tensors))
    }
}

/// The first layer and its place among the weights.
#[derive(Clone, Debug)]
struct FirstLayer {
    layer: Sparse,
    weights: Range<usize>,
    bias: Range<usize>,
}

/// One thread's forward and backward.
#[derive(Debug)]
struct HouseNet {
    features: HouseFeatures,
    /// The active features, the mover's view before the other.
    lists: Lists,
    buckets: Vec<usize>,
    output_buckets: usize,
    body: Body,
}

impl ValueNet for HouseNet {
    type Input = TrainingPosition;
    const VIEW: OutputView = OutputView::Mover;

    fn forward(&mut self, weights: &[f32], positions: &[TrainingPosition], outputs: &mut [f32]) {
        self.lists.clear();
        self.buckets.clear();
        for position in positions {
            for view in [position.turn, !position.turn] {
                self.lists.push(position.features(&self.features, view));
            }
            let pieces = position.pieces().len();
            self.buckets.push(net::House::output_bucket(pieces, self.output_buckets));
        }
        self.body.forward(weights, &mut self.lists, &self.buckets, outputs);
    }

    fn backward(&mut self, weights: &[f32], slopes: &[f32], gradients: &mut [f32]) {
        self.body.backward(weights, &mut self.lists, &self.buckets, slopes, gradients);
    }
}

fn check(options: &HouseOptions) -> Result<(), OptionError> {
    check_width("width", options.width, 16, net::House::MAX_WIDTH)?;
    for width in options.small {
        check_width("small", width, 8, net::House::MAX_SMALL)?;
    }
    let outputs = options.output_buckets;
    if !(1..=net::House::MAX_OUTPUT_BUCKETS).contains(&outputs) {
        let expected = format!("1 to {}", net::House::MAX_OUTPUT_BUCKETS);
        return Err(OptionError::new("output_buckets", outputs, expected));
    }
    let squares = if options.mirrored { 32 } else { 64 };
    if ![0, squares].contains(&options.king_buckets.len()) {
        let found = format!("{} numbers long", options.king_buckets.len());
        return Err(OptionError::new("king_buckets", found, format!("{squares} numbers or none")));
    }
    if let Some(&last) = options.king_buckets.iter().max()
        && last >= net::House::MAX_INPUT_BUCKETS
    {
        let expected = format!("buckets below {}", net::House::MAX_INPUT_BUCKETS);
        return Err(OptionError::new("king_buckets", format!("up to {last}"), expected));
    }
    Ok(())
}

/// The first layer's rows, its bias, and the head.
fn layout_with(rows: Vec<Tensor>, header: &Header) -> Layout {
    let mut tensors = rows;
    tensors.push(Tensor::bias("first bias", header.width(0)).within(LIMIT));
    tensors.extend(HeadNet::tensors(header));
    Layout::new(tensors)
}

fn header(options: &HouseOptions) -> Header {
    let (activation, small, qb) = match options.head {
        Head::Screlu => (Activation::Screlu, [0, 0], QB),
        Head::Pairwise => (Activation::Pairwise, options.small, pairwise::QB),
    };
    let squares = if options.mirrored { 32 } else { 64 };
    let mut header = Header::new(Architecture::House, activation);
    header.bucket_map = match options.king_buckets.as_slice() {
        [] => vec![0; squares],
        map => map.to_vec(),
    };
    header.input_buckets = header.bucket_map.iter().max().map_or(1, |&last| last.saturating_add(1));
    header.inputs = 768 * u32::from(header.input_buckets);
    header.widths = [options.width, small[0], small[1], 0];
    header.output_buckets = options.output_buckets;
    header.flags = if options.mirrored { Header::MIRRORED } else { 0 };
    header.scale = options.scale;
    header.quantization = [net::House::QA, qb];
    header
}
