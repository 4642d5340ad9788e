//! Decides which files are worth parsing.
//!
//! Most code bases hold a few files about payments and thousands of others. Three steps keep the others from
//! costing more than a read:
//!
//! 1. [`words`]: one pass over all bytes for the words of sinks. A tree without any ends here.
//! 2. [`packages`]: a flow runs along calls, and a call needs a dependency between the packages of caller and
//!    callee. Only packages that can call into a package with a sink word, and what those depend on, remain.
//! 3. [`demand`]: of these, the files that hold a name which the loaded code can reach or be reached by.
//!
//! Each step keeps a superset of what any flow to a key slot can run through; the arguments stand in the modules.
//! `--load-all` skips steps 2 and 3.

mod aliases;
mod carriers;
mod declarations;
pub mod demand;
pub mod index;
mod modules;
pub mod packages;
mod visibility;
mod wanted;
pub mod words;

pub use words::{Scan, SinkWords, Word, WordRow, scan};
