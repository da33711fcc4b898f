//! What is on its way to a process: the contents of all channels that lead to it, in one list of numbers.

use smallvec::SmallVec;

/// An inbox as it is kept: for each channel where its messages begin, then where those of the last one end, and then all of them by
/// number, channel by channel, first to last. Equal inboxes are equal lists.
#[derive(Clone, Copy, Debug)]
pub struct Inbox<'l>(&'l [u32]);

/// A list that is made. Most are short.
pub type List = SmallVec<[u32; 24]>;

impl<'l> Inbox<'l> {
    /// `list`: as one of these functions has made it.
    pub fn new(list: &'l [u32]) -> Inbox<'l> {
        Inbox(list)
    }

    /// How many channels there are.
    fn len(self) -> usize {
        self.0[0] as usize - 1
    }

    /// The messages of a channel, by its place among those of the receiver.
    pub fn channel(self, at: usize) -> &'l [u32] {
        &self.0[self.0[at] as usize..self.0[at + 1] as usize]
    }

    pub fn channels(self) -> impl Iterator<Item = &'l [u32]> {
        (0..self.len()).map(move |at| self.channel(at))
    }

    /// With a message more, at this position of a channel.
    pub fn with(self, at: usize, position: usize, message: u32) -> List {
        let mut list = List::with_capacity(self.0.len() + 1);
        let place = self.0[at] as usize + position;
        list.extend_from_slice(&self.0[..place]);
        list.push(message);
        list.extend_from_slice(&self.0[place..]);
        list[at + 1..=self.len()].iter_mut().for_each(|bound| *bound += 1);
        list
    }

    /// Without the message at this position of a channel, and which that was.
    pub fn without(self, at: usize, position: usize) -> (List, u32) {
        let place = self.0[at] as usize + position;
        let mut list = List::with_capacity(self.0.len());
        list.extend_from_slice(&self.0[..place]);
        list.extend_from_slice(&self.0[place + 1..]);
        list[at + 1..=self.len()].iter_mut().for_each(|bound| *bound -= 1);
        (list, self.0[place])
    }
}

/// The list of an inbox with these contents, channel by channel.
pub fn list<C: AsRef<[u32]>>(contents: &[C]) -> List {
    let first = contents.len() as u32 + 1;
    let lengths = contents.iter().map(|content| content.as_ref().len() as u32);
    let ends = lengths.scan(first, |end, length| {
        *end += length;
        Some(*end)
    });
    let messages = contents.iter().flat_map(|content| content.as_ref());
    std::iter::once(first).chain(ends).chain(messages.copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Inbox, list};

    fn contents(list: &[u32]) -> Vec<Vec<u32>> {
        Inbox::new(list).channels().map(<[u32]>::to_vec).collect()
    }

    #[test]
    fn what_comes_and_goes_changes_its_channel_only() {
        let before = list(&[vec![7, 8], vec![], vec![9]]);
        assert_eq!(contents(&before), [vec![7, 8], vec![], vec![9]]);
        let inbox = Inbox::new(&before);
        assert_eq!(inbox.channel(0), [7, 8]);
        assert_eq!(contents(&inbox.with(1, 0, 5)), [vec![7, 8], vec![5], vec![9]]);
        assert_eq!(contents(&inbox.with(0, 1, 5)), [vec![7, 5, 8], vec![], vec![9]]);
        assert_eq!(contents(&inbox.with(2, 1, 5)), [vec![7, 8], vec![], vec![9, 5]]);
        let (after, gone) = inbox.without(0, 1);
        assert_eq!((contents(&after), gone), (vec![vec![7], vec![], vec![9]], 8));
        let (after, gone) = inbox.without(2, 0);
        assert_eq!((contents(&after), gone), (vec![vec![7, 8], vec![], vec![]], 9));
        // Nothing tells how a list has come about.
        assert_eq!(Inbox::new(&inbox.with(1, 0, 5)).without(1, 0), (before, 5));
    }

    #[test]
    fn a_process_without_channels_has_an_inbox_too() {
        let empty: [Vec<u32>; 0] = [];
        assert_eq!(contents(&list(&empty)), empty);
        assert_ne!(list(&empty), list(&[vec![]]));
    }
}
