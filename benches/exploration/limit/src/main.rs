//! The practical limit of exhaustive exploration: an explorer written by hand for each model. The search is breadth first, by one
//! thread, and exact: it stores full states, not their hashes.
//!
//! ```text
//! explore dkr-packed  <id,id,...>   Dolev–Klawe–Rodeh, states packed into bits: unpack, apply and pack for each successor
//! explore dkr-memo    <id,id,...>   the same with a number for each process and its input channel, and memoised local steps
//! explore ra-packed   <n> <rounds>  Ricart–Agrawala, 2 to 4 processes, states packed into bits
//! explore ra-memo     <n> <rounds>  the same with a number for each process and each channel, and memoised local steps
//! explore ring-packed <n>           mutual exclusion by a token on a ring
//! ```
//!
//! The output is one line: case, states, transitions, depth, seconds, states per second, transitions per second, bytes per state
//! (of states and hash table), terminal states.

mod bits;
mod search;
mod dolev_klawe_rodeh;
mod ricart_agrawala;
mod token_ring;

use dolev_klawe_rodeh::{DkrMemo, DkrPacked};
use ricart_agrawala::{RaMemo, RaPacked};
use search::search;
use token_ring::TokenRing;

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let ids = || a[2].split(',').map(|x| x.parse().unwrap()).collect::<Vec<u8>>();
    match a[1].as_str() {
        "dkr-packed" => {
            let ids = ids();
            let name = format!("dkr-packed/{}", ids.len());
            // 12 bits for each process, 2 for the length of its channel, and 7 for its message.
            match (ids.len() * 21).div_ceil(64) {
                1 | 2 => search::<2, _>(&name, &mut DkrPacked::new(ids)),
                3 => search::<3, _>(&name, &mut DkrPacked::new(ids)),
                4 => search::<4, _>(&name, &mut DkrPacked::new(ids)),
                5 => search::<5, _>(&name, &mut DkrPacked::new(ids)),
                _ => search::<6, _>(&name, &mut DkrPacked::new(ids)),
            }
        }
        "dkr-memo" => {
            let ids = ids();
            let name = format!("dkr-memo/{}", ids.len());
            match ids.len().div_ceil(4) {
                1 | 2 => search::<2, _>(&name, &mut DkrMemo::new(ids)),
                3 => search::<3, _>(&name, &mut DkrMemo::new(ids)),
                _ => search::<4, _>(&name, &mut DkrMemo::new(ids)),
            }
        }
        "ra-packed" => {
            let (n, rounds): (usize, u8) = (a[2].parse().unwrap(), a[3].parse().unwrap());
            let name = format!("ra-packed/{n}x{rounds}");
            if n <= 3 {
                search::<3, _>(&name, &mut RaPacked::new(n, rounds))
            } else {
                search::<6, _>(&name, &mut RaPacked::new(n, rounds))
            }
        }
        "ra-memo" => {
            let (n, rounds): (usize, u8) = (a[2].parse().unwrap(), a[3].parse().unwrap());
            let name = format!("ra-memo/{n}x{rounds}");
            search::<3, _>(&name, &mut RaMemo::new(n, rounds))
        }
        "ring-packed" => {
            let n: usize = a[2].parse().unwrap();
            search::<1, _>(&format!("ring-packed/{n}"), &mut TokenRing::new(n))
        }
        _ => panic!("case?"),
    }
}
