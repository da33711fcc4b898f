//! The inbox of a process: the contents of all incoming channels, in one list of numbers.

use smallvec::SmallVec;

/// An inbox as stored: for each channel the offset of its messages, the offset after the last one, and then all messages by id,
/// channel by channel, first to last. Equal inboxes are equal lists.
#[derive(Clone, Copy, Debug)]
pub struct Inbox<'l>(&'l [u32]);

/// A list under construction. Most are short.
pub type List = SmallVec<[u32; 24]>;

impl<'l> Inbox<'l> {
    /// Wrap a list that a function of this module has made.
    pub fn new(list: &'l [u32]) -> Inbox<'l> {
        Inbox(list)
    }

    /// Return the number of channels.
    fn len(self) -> usize {
        self.0[0] as usize - 1
    }

    /// Return the messages of a channel, by its index among those of the receiver.
    pub fn channel(self, at: usize) -> &'l [u32] {
        &self.0[self.0[at] as usize..self.0[at + 1] as usize]
    }

    pub fn channels(self) -> impl Iterator<Item = &'l [u32]> {
        (0..self.len()).map(move |at| self.channel(at))
    }

    /// Return the inbox with a message inserted at this position of a channel.
    pub fn with(self, at: usize, position: usize, message: u32) -> List {
        let mut list = List::with_capacity(self.0.len() + 1);
        let place = self.0[at] as usize + position;
        list.extend_from_slice(&self.0[..place]);
        list.push(message);
        list.extend_from_slice(&self.0[place..]);
        list[at + 1..=self.len()].iter_mut().for_each(|bound| *bound += 1);
        list
    }

    /// Return the inbox without the message at this position of a channel, and that message.
    pub fn without(self, at: usize, position: usize) -> (List, u32) {
        let place = self.0[at] as usize + position;
        let mut list = List::with_capacity(self.0.len());
        list.extend_from_slice(&self.0[..place]);
        list.extend_from_slice(&self.0[place + 1..]);
        list[at + 1..=self.len()].iter_mut().for_each(|bound| *bound -= 1);
        (list, self.0[place])
    }
}

/// Encode an inbox with these contents, channel by channel.
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
