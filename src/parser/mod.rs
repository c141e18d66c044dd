//! The parser: features and weights put together into factor graphs, and the perceptron that learns the weights.

pub mod build;
pub mod perceptron;
