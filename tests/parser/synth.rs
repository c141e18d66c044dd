//! The synthetic treebank: the same always, valid, and with phenomena that are there, can be found, and do not leak.

mod chance;
mod leaks;
mod sites;
mod tells;
mod treebank;
mod verb;
