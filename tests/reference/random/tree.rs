//! The tree of a program: text with holes, and the subtrees in them. A tree has a sort, so that a smaller tree of the same sort can replace
//! it.

/// A type of the language, as far as the generator uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Int,
    Bool,
    Id,
    Port,
    /// A process, in properties.
    Process,
    /// `enum Colour = red | green`.
    Colour,
    /// `(Int, Bool)`.
    Pair,
    /// `record Entry(key: Int, tag: Bool)`.
    Entry,
    Optional(Box<Ty>),
    Set(Box<Ty>),
    List(Box<Ty>),
    Map(Box<Ty>, Box<Ty>),
}

impl Ty {
    pub fn set(of: Ty) -> Ty {
        Ty::Set(Box::new(of))
    }

    pub fn list(of: Ty) -> Ty {
        Ty::List(Box::new(of))
    }

    pub fn optional(of: Ty) -> Ty {
        Ty::Optional(Box::new(of))
    }

    pub fn map(key: Ty, value: Ty) -> Ty {
        Ty::Map(Box::new(key), Box::new(value))
    }

    pub fn text(&self) -> String {
        match self {
            Ty::Int => "Int".into(),
            Ty::Bool => "Bool".into(),
            Ty::Id => "Id".into(),
            Ty::Port => "Port".into(),
            Ty::Process => "Process".into(),
            Ty::Colour => "Colour".into(),
            Ty::Pair => "(Int, Bool)".into(),
            Ty::Entry => "Entry".into(),
            Ty::Optional(of) => format!("{}?", of.text()),
            Ty::Set(of) => format!("set of {}", of.text()),
            Ty::List(of) => format!("list of {}", of.text()),
            Ty::Map(key, value) => format!("map of {} to {}", key.text(), value.text()),
        }
    }

    /// Test whether a value of this type contains a port.
    pub fn has_port(&self) -> bool {
        match self {
            Ty::Port => true,
            Ty::Optional(of) | Ty::Set(of) | Ty::List(of) => of.has_port(),
            Ty::Map(key, value) => key.has_port() || value.has_port(),
            _ => false,
        }
    }

    /// Test whether a value of this type contains an identifier.
    pub fn has_id(&self) -> bool {
        match self {
            Ty::Id => true,
            Ty::Optional(of) | Ty::Set(of) | Ty::List(of) => of.has_id(),
            Ty::Map(key, value) => key.has_id() || value.has_id(),
            _ => false,
        }
    }
}

/// The sort of a tree, which determines its possible replacements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sort {
    Expr(Ty),
    /// A list of trees with a separator; shrinking keeps at least this number of them.
    List(&'static str, usize),
    /// A piece of text that can be removed only with a parent.
    Fixed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub sort: Sort,
    /// The text, with a `#` for each of `parts`, in order; empty for lists.
    pub form: String,
    pub parts: Vec<Tree>,
}

impl Tree {
    pub fn expr(ty: Ty, form: impl Into<String>, parts: Vec<Tree>) -> Tree {
        Tree { sort: Sort::Expr(ty), form: form.into(), parts }
    }

    pub fn fixed(form: impl Into<String>, parts: Vec<Tree>) -> Tree {
        let form = form.into();
        debug_assert_eq!(form.matches('#').count(), parts.len(), "{form}");
        Tree { sort: Sort::Fixed, form, parts }
    }

    /// Return a list of statements or clauses.
    pub fn lines(parts: Vec<Tree>) -> Tree {
        Tree { sort: Sort::List("\n", 0), form: String::new(), parts }
    }

    /// Return a list of guarded commands, of which at least one remains.
    pub fn branches(parts: Vec<Tree>) -> Tree {
        Tree { sort: Sort::List("\n[] ", 1), form: String::new(), parts }
    }

    /// Return a list separated by commas.
    pub fn commas(parts: Vec<Tree>, least: usize) -> Tree {
        Tree { sort: Sort::List(", ", least), form: String::new(), parts }
    }

    pub fn size(&self) -> usize {
        1 + self.parts.iter().map(Tree::size).sum::<usize>()
    }

    /// Return the tree at a path of child numbers.
    pub fn at(&self, path: &[usize]) -> &Tree {
        path.iter().fold(self, |tree, child| &tree.parts[*child])
    }

    /// Return the same tree with another subtree at this path.
    pub fn with(&self, path: &[usize], new: Tree) -> Tree {
        match path {
            [] => new,
            [first, rest @ ..] => {
                let mut copy = self.clone();
                copy.parts[*first] = self.parts[*first].with(rest, new);
                copy
            }
        }
    }

    /// Return the paths of all subtrees, outermost first.
    pub fn paths(&self) -> Vec<Vec<usize>> {
        let mut all = vec![vec![]];
        let mut next = 0;
        while next < all.len() {
            let path = all[next].clone();
            for child in 0..self.at(&path).parts.len() {
                all.push([&path[..], &[child]].concat());
            }
            next += 1;
        }
        all
    }
}
