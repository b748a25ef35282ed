// SPDX-License-Identifier: GPL-3.0-or-later
//! Tensors: flat arrays of numbers, written little-endian one after another.

use super::{NetFileError, TensorView};

/// What the numbers of a tensor are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Signed bytes.
    I8,
    /// Signed 16-bit integers.
    I16,
    /// Signed 32-bit integers.
    I32,
    /// 32-bit floats, all finite.
    F32,
}

impl Kind {
    /// How many bytes one number takes.
    pub const fn size(self) -> usize {
        match self {
            Self::I8 => 1,
            Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
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
    pub(super) fn number(self, bytes: &[u8]) -> f64 {
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tensor {
    /// What it is called, in errors and in `net diff`.
    pub name: &'static str,
    /// What its numbers are.
    pub kind: Kind,
    /// How many there are.
    pub len: usize,
}

impl Tensor {
    /// A tensor of signed bytes.
    pub const fn i8(name: &'static str, len: usize) -> Self {
        Self { name, kind: Kind::I8, len }
    }

    /// A tensor of 16-bit integers.
    pub const fn i16(name: &'static str, len: usize) -> Self {
        Self { name, kind: Kind::I16, len }
    }

    /// A tensor of 32-bit integers.
    pub const fn i32(name: &'static str, len: usize) -> Self {
        Self { name, kind: Kind::I32, len }
    }

    /// A tensor of floats.
    pub const fn f32(name: &'static str, len: usize) -> Self {
        Self { name, kind: Kind::F32, len }
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
    pub(super) fn views(self) -> impl Iterator<Item = TensorView<'a>> {
        let mut rest = self.bytes;
        self.tensors.map(move |tensor| {
            let (bytes, tail) = rest.split_at(tensor.bytes());
            rest = tail;
            TensorView { tensor, bytes }
        })
    }

    fn take(&mut self, kind: Kind) -> (Tensor, &'a [u8]) {
        let tensor = self.tensors.next().expect("an architecture reads what it declares");
        assert_eq!(tensor.kind, kind, "`{}` is read as it is declared", tensor.name);
        let (head, tail) = self.bytes.split_at(tensor.bytes());
        self.bytes = tail;
        (tensor, head)
    }

    /// The next tensor, of signed bytes.
    pub fn i8(&mut self) -> Vec<i8> {
        self.take(Kind::I8).1.iter().map(|&byte| byte.cast_signed()).collect()
    }

    /// The next tensor, of 16-bit integers.
    pub fn i16(&mut self) -> Vec<i16> {
        let (_, bytes) = self.take(Kind::I16);
        bytes.as_chunks().0.iter().map(|&chunk| i16::from_le_bytes(chunk)).collect()
    }

    /// The next tensor, of 16-bit integers of at most `limit` either way.
    pub fn i16_within(&mut self, limit: i16) -> Result<Vec<i16>, NetFileError> {
        let tensor = self.tensors.as_slice()[0];
        let values = self.i16();
        let is_outside = |value: &i16| value.unsigned_abs() > limit.unsigned_abs();
        match values.iter().position(is_outside) {
            None => Ok(values),
            Some(index) => Err(NetFileError::Weight {
                tensor: tensor.name,
                index,
                found: values[index].to_string(),
                expected: format!("-{limit} to {limit}"),
            }),
        }
    }

    /// The next tensor, of 32-bit integers of at most `limit` either way.
    pub fn i32_within(&mut self, limit: i32) -> Result<Vec<i32>, NetFileError> {
        let (tensor, bytes) = self.take(Kind::I32);
        let read = |(index, &chunk): (usize, &[u8; 4])| {
            let value = i32::from_le_bytes(chunk);
            let expected = || format!("-{limit} to {limit}");
            (value.unsigned_abs() <= limit.unsigned_abs()).then_some(value).ok_or_else(|| {
                let (found, expected) = (value.to_string(), expected());
                NetFileError::Weight { tensor: tensor.name, index, found, expected }
            })
        };
        bytes.as_chunks().0.iter().enumerate().map(read).collect()
    }

    /// The next tensor, of floats, each of them finite and at most `limit` either way.
    pub fn f32_within(&mut self, limit: f32) -> Result<Vec<f32>, NetFileError> {
        let (tensor, bytes) = self.take(Kind::F32);
        let read = |(index, &chunk): (usize, &[u8; 4])| {
            let value = f32::from_le_bytes(chunk);
            // Written so that NaN is refused too.
            if value.abs() <= limit {
                return Ok(value);
            }
            let (found, expected) = (value.to_string(), format!("-{limit} to {limit}"));
            Err(NetFileError::Weight { tensor: tensor.name, index, found, expected })
        };
        bytes.as_chunks().0.iter().enumerate().map(read).collect()
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

    fn put<const N: usize>(&mut self, kind: Kind, values: impl Iterator<Item = [u8; N]>) {
        let tensor = self.tensors.next().expect("an architecture writes what it declares");
        let before = self.bytes.len();
        values.for_each(|value| self.bytes.extend(value));
        let (written, name) = (self.bytes.len() - before, tensor.name);
        assert_eq!((kind, written), (tensor.kind, tensor.bytes()), "`{name}` is as declared");
    }

    /// Appends a tensor of signed bytes.
    pub fn i8(&mut self, values: &[i8]) {
        self.put(Kind::I8, values.iter().map(|value| value.to_le_bytes()));
    }

    /// Appends a tensor of 16-bit integers.
    pub fn i16(&mut self, values: &[i16]) {
        self.put(Kind::I16, values.iter().map(|value| value.to_le_bytes()));
    }

    /// Appends a tensor of 32-bit integers.
    pub fn i32(&mut self, values: &[i32]) {
        self.put(Kind::I32, values.iter().map(|value| value.to_le_bytes()));
    }

    /// Appends a tensor of floats.
    pub fn f32(&mut self, values: &[f32]) {
        self.put(Kind::F32, values.iter().map(|value| value.to_le_bytes()));
    }

    /// The header and all tensors.
    pub fn finish(mut self) -> Vec<u8> {
        assert!(self.tensors.next().is_none(), "an architecture writes all it declares");
        self.bytes
    }
}
