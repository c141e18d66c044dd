//! The synthetic treebank: the same always, valid, and with phenomena that are there, can be found, and do not leak.

#[path = "synth/chance.rs"]
mod chance;
#[path = "synth/leaks.rs"]
mod leaks;
#[path = "synth/sites.rs"]
mod sites;
#[path = "synth/tells.rs"]
mod tells;
#[path = "synth/treebank.rs"]
mod treebank;
#[path = "synth/verb.rs"]
mod verb;
