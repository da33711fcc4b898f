//! What a delivery looks at first, for each process in sixteen bytes: most deliveries look at nothing else of it, so
//! that a run on a large network touches one line of memory for each.

use super::Setting;
use crate::instance::Wiring;
use crate::semantics::configuration::{Configuration, reached};

/// A process, as far as it decides what becomes of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub id: i64,
    /// Length of the longest causal chain that has reached it.
    pub depth: u32,
    /// See [`crate::instance::FastRole::cell`].
    pub cell: u32,
}

const _: () = assert!(size_of::<Head>() == 16);

/// The heads of all processes.
pub(super) fn of<W: Wiring>(setting: Setting<'_, W>, configuration: &mut Configuration) -> Vec<Head> {
    let Setting { instance, fast, .. } = setting;
    let (words, stride) = configuration.blocks();
    let blocks = (0u32..).zip(words.chunks_exact(stride));
    let head = |(process, block): (u32, &[i64])| Head {
        id: instance.network.id(process),
        depth: block[stride - 1] as u32,
        cell: fast.role(instance, process).cell(block),
    };
    blocks.map(head).collect()
}

/// Tells the configuration what has reached its processes. Everything else it knows.
pub(super) fn settle(heads: &[Head], configuration: &mut Configuration) {
    let (words, stride) = configuration.blocks();
    for (head, block) in heads.iter().zip(words.chunks_exact_mut(stride)) {
        let own = &mut block[stride - 1];
        // A message makes a chain longer than none, so that whom one has reached is known by that.
        if head.depth != *own as u32 {
            *own = reached(*own, head.depth);
        }
    }
}
