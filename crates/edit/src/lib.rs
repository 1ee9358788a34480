#![doc = include_str!("../README.md")]

pub mod codes;
mod settings;

pub use settings::Settings;
