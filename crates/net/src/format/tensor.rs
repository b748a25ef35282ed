// SPDX-License-Identifier: GPL-3.0-or-later
//! Tensors: flat arrays of numbers, written little-endian one after another.

use super::NetFileError;

/// What the numbers of a tensor are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorKind {
    /// Signed bytes.
    I8,
    /// Signed 16-bit integers.
    I16,
    /// Signed 32-bit integers.
    I32,
    /// 32-bit floats, all finite.
    F32,
}

impl TensorKind {
    /// How many bytes one number takes.
    pub const fn size(self) -> usize {
        match self {
            Self::I8 => 1,
            Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
        }
    }

    /// The largest number, either way.
    const fn max(self) -> f64 {
        match self {
            Self::I8 => -(i8::MIN as f64),
            Self::I16 => -(i16::MIN as f64),
            Self::I32 => -(i32::MIN as f64),
            Self::F32 => f32::MAX as f64,
        }
    }

    /// What reports call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::F32 => "f32",
        }
    }

    /// The number that these bytes stand for. All kinds fit a double.
    ///
    /// # Panics
    /// If there are fewer or more bytes than a number takes.
    fn number(self, bytes: &[u8]) -> f64 {
        const LENGTH: &str = "a number has the length of its kind";
        match self {
            Self::I8 => i8::from_le_bytes(bytes.try_into().expect(LENGTH)).into(),
            Self::I16 => i16::from_le_bytes(bytes.try_into().expect(LENGTH)).into(),
            Self::I32 => i32::from_le_bytes(bytes.try_into().expect(LENGTH)).into(),
            Self::F32 => f32::from_le_bytes(bytes.try_into().expect(LENGTH)).into(),
        }
    }
}

/// The declaration of one tensor: its place in the file follows from the order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tensor {
    /// What it is called, in errors and in `net diff`.
    pub name: &'static str,
    /// What its numbers are.
    pub kind: TensorKind,
    /// How many there are.
    pub len: usize,
    /// Numbers are at most this, either way.
    pub limit: f64,
    /// What a trained number is multiplied with before it is rounded.
    pub unit: f32,
}

impl Tensor {
    const fn new(name: &'static str, kind: TensorKind, len: usize) -> Self {
        Self { name, kind, len, limit: kind.max(), unit: 1.0 }
    }

    /// A tensor of signed bytes.
    pub const fn i8(name: &'static str, len: usize) -> Self {
        Self::new(name, TensorKind::I8, len)
    }

    /// A tensor of 16-bit integers.
    pub const fn i16(name: &'static str, len: usize) -> Self {
        Self::new(name, TensorKind::I16, len)
    }

    /// A tensor of 32-bit integers.
    pub const fn i32(name: &'static str, len: usize) -> Self {
        Self::new(name, TensorKind::I32, len)
    }

    /// A tensor of floats.
    pub const fn f32(name: &'static str, len: usize) -> Self {
        Self::new(name, TensorKind::F32, len)
    }

    /// The same with numbers of at most `limit` either way.
    #[must_use]
    pub const fn within(mut self, limit: f64) -> Self {
        self.limit = limit;
        self
    }

    /// The same for trained numbers that are multiplied with `unit` before they are rounded.
    #[must_use]
    pub const fn times(mut self, unit: f32) -> Self {
        self.unit = unit;
        self
    }

    /// How many bytes it takes in a file.
    pub const fn bytes(&self) -> usize {
        self.len * self.kind.size()
    }
}

/// Hands out the tensors of a file in their declared order.
///
/// The file's length was checked against the declarations before, so that nothing is allocated that
/// the file does not hold.
#[derive(Debug)]
pub struct TensorReader<'a> {
    tensors: std::vec::IntoIter<Tensor>,
    bytes: &'a [u8],
}

impl<'a> TensorReader<'a> {
    /// Reads `tensors` from `bytes`.
    ///
    /// # Panics
    /// If the bytes are not exactly those of the tensors.
    pub fn new(tensors: Vec<Tensor>, bytes: &'a [u8]) -> Self {
        assert_eq!(bytes.len(), tensors.iter().map(Tensor::bytes).sum::<usize>());
        Self { tensors: tensors.into_iter(), bytes }
    }

    /// The tensors that were not read yet, as they are.
    pub(crate) fn views(self) -> impl Iterator<Item = TensorView<'a>> {
        let mut rest = self.bytes;
        self.tensors.map(move |tensor| {
            let (bytes, tail) = rest.split_at(tensor.bytes());
            rest = tail;
            TensorView { tensor, bytes }
        })
    }

    /// The numbers of the next tensor, each within the tensor's limit.
    fn take<T: Copy + Into<f64>, const N: usize>(
        &mut self,
        kind: TensorKind,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, NetFileError> {
        let tensor = self.tensors.next().expect("an architecture reads what it declares");
        assert_eq!(tensor.kind, kind, "`{}` is read as it is declared", tensor.name);
        let (head, tail) = self.bytes.split_at(tensor.bytes());
        self.bytes = tail;
        let numbers: Vec<T> = head.as_chunks().0.iter().map(|&chunk| number(chunk)).collect();
        // Written so that NaN is refused too.
        let is_within = |&number: &T| number.into().abs() <= tensor.limit;
        match numbers.iter().position(|number| !is_within(number)) {
            None => Ok(numbers),
            Some(index) => {
                let (found, limit) = (kind.number(&head[index * N..][..N]), tensor.limit);
                Err(NetFileError::Weight {
                    tensor: tensor.name,
                    index,
                    found: if kind == TensorKind::F32 {
                        (found as f32).to_string()
                    } else {
                        found.to_string()
                    },
                    expected: format!("-{limit} to {limit}"),
                })
            }
        }
    }

    /// The next tensor, of signed bytes.
    pub fn i8(&mut self) -> Result<Vec<i8>, NetFileError> {
        self.take(TensorKind::I8, i8::from_le_bytes)
    }

    /// The next tensor, of 16-bit integers.
    pub fn i16(&mut self) -> Result<Vec<i16>, NetFileError> {
        self.take(TensorKind::I16, i16::from_le_bytes)
    }

    /// The next tensor, of 32-bit integers.
    pub fn i32(&mut self) -> Result<Vec<i32>, NetFileError> {
        self.take(TensorKind::I32, i32::from_le_bytes)
    }

    /// The next tensor, of floats.
    pub fn f32(&mut self) -> Result<Vec<f32>, NetFileError> {
        self.take(TensorKind::F32, f32::from_le_bytes)
    }
}

/// Collects the tensors of a file in their declared order.
#[derive(Debug)]
pub struct TensorWriter {
    tensors: std::vec::IntoIter<Tensor>,
    bytes: Vec<u8>,
}

impl TensorWriter {
    /// Appends `tensors` to `bytes`, which hold the header.
    pub fn new(tensors: Vec<Tensor>, bytes: Vec<u8>) -> Self {
        Self { tensors: tensors.into_iter(), bytes }
    }

    fn put<const N: usize>(&mut self, kind: TensorKind, values: impl Iterator<Item = [u8; N]>) {
        let tensor = self.tensors.next().expect("an architecture writes what it declares");
        let before = self.bytes.len();
        values.for_each(|value| self.bytes.extend(value));
        let (written, name) = (self.bytes.len() - before, tensor.name);
        assert_eq!((kind, written), (tensor.kind, tensor.bytes()), "`{name}` is as declared");
    }

    /// Appends a tensor of signed bytes.
    pub fn i8(&mut self, values: &[i8]) {
        self.put(TensorKind::I8, values.iter().map(|value| value.to_le_bytes()));
    }

    /// Appends a tensor of 16-bit integers.
    pub fn i16(&mut self, values: &[i16]) {
        self.put(TensorKind::I16, values.iter().map(|value| value.to_le_bytes()));
    }

    /// Appends a tensor of 32-bit integers.
    pub fn i32(&mut self, values: &[i32]) {
        self.put(TensorKind::I32, values.iter().map(|value| value.to_le_bytes()));
    }

    /// Appends a tensor of floats.
    pub fn f32(&mut self, values: &[f32]) {
        self.put(TensorKind::F32, values.iter().map(|value| value.to_le_bytes()));
    }

    /// Appends a tensor of trained numbers: multiplied with the tensor's unit and rounded to its kind.
    pub fn rounded(&mut self, values: &[f32]) {
        let tensor = self.tensors.as_slice().first().expect("a tensor is declared");
        let (kind, unit) = (tensor.kind, tensor.unit);
        match kind {
            TensorKind::I8 => {
                self.put(kind, values.iter().map(|x| ((x * unit).round() as i8).to_le_bytes()));
            }
            TensorKind::I16 => {
                self.put(kind, values.iter().map(|x| ((x * unit).round() as i16).to_le_bytes()));
            }
            TensorKind::I32 => {
                let rounded = |x: &f32| (f64::from(*x) * f64::from(unit)).round() as i32;
                self.put(kind, values.iter().map(|x| rounded(x).to_le_bytes()));
            }
            TensorKind::F32 => self.f32(values),
        }
    }

    /// The header and all tensors.
    pub fn finish(mut self) -> Vec<u8> {
        assert!(self.tensors.next().is_none(), "an architecture writes all it declares");
        self.bytes
    }
}

/// One tensor of a file.
#[derive(Clone, Copy, Debug)]
pub struct TensorView<'a> {
    tensor: Tensor,
    bytes: &'a [u8],
}

impl<'a> TensorView<'a> {
    /// What the architecture calls it. Where it has several alike, they share a name.
    pub const fn name(&self) -> &'static str {
        self.tensor.name
    }

    /// What its numbers are.
    pub const fn kind(&self) -> TensorKind {
        self.tensor.kind
    }

    /// Its numbers as they are trained, as far as rounding has left them.
    pub fn trained(&self) -> Vec<f32> {
        let unit = f64::from(self.tensor.unit);
        self.numbers().map(|x| (x / unit) as f32).collect()
    }

    /// Its numbers as they stand in the file, exactly.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = f64> + use<'a> {
        let kind = self.tensor.kind;
        self.bytes.chunks_exact(kind.size()).map(move |bytes| kind.number(bytes))
    }
}
