//! XML whose elements know their file and line.
//!
//! Nothing is dropped in silence: an attribute that the importer does not know is an error, and one that it knows but cannot carry over
//! becomes a note.

use std::cell::RefCell;

use anyhow::{Error, Result, anyhow, ensure};
use nalgebra::Vector3;
use roxmltree::{Document, Node};

/// A file, and what was found in it that the list of parts cannot say.
pub struct File<'a> {
    name: &'a str,
    document: &'a Document<'a>,
    notes: RefCell<Vec<String>>,
}

/// An element. An attribute that it does not have is looked up in its defaults, one after the other.
#[derive(Clone)]
pub struct Element<'a> {
    file: &'a File<'a>,
    node: Node<'a, 'a>,
    defaults: Vec<Node<'a, 'a>>,
}

/// Parses the text. The error names the file, the line and the column.
pub fn parse<'a>(name: &str, text: &'a str) -> Result<Document<'a>> {
    Document::parse(text).map_err(|error| {
        let at = error.pos();
        anyhow!("{name}:{}:{}: not XML: {error}", at.row, at.col)
    })
}

impl<'a> File<'a> {
    /// A parsed file.
    pub fn new(name: &'a str, document: &'a Document<'a>) -> Self {
        File { name, document, notes: RefCell::default() }
    }

    /// The outermost element.
    pub fn root(&'a self) -> Element<'a> {
        Element { file: self, node: self.document.root_element(), defaults: Vec::new() }
    }

    /// What cannot be carried over, in the order in which it was met.
    pub fn into_notes(self) -> Vec<String> {
        self.notes.into_inner()
    }
}

impl<'a> Element<'a> {
    /// What kind of element it is.
    pub fn tag(&self) -> &'a str {
        self.node.tag_name().name()
    }

    /// The elements in it.
    pub fn children(&self) -> impl Iterator<Item = Element<'a>> {
        let file = self.file;
        let elements = self.node.children().filter(Node::is_element);
        elements.map(move |node| Element { file, node, defaults: Vec::new() })
    }

    /// The first element of this kind in it.
    pub fn child(&self, tag: &str) -> Option<Element<'a>> {
        self.children().find(|child| child.tag() == tag)
    }

    /// The same element, with others of its kind to look its attributes up in.
    pub fn or(mut self, defaults: impl Iterator<Item = Element<'a>>) -> Self {
        self.defaults.extend(defaults.map(|element| element.node));
        self
    }

    /// File and line.
    pub fn place(&self) -> String {
        self.place_of(&self.node)
    }

    fn place_of(&self, node: &Node) -> String {
        format!("{}:{}", self.file.name, self.file.document.text_pos_at(node.range().start).row)
    }

    /// An error at this element.
    pub fn error(&self, problem: impl std::fmt::Display) -> Error {
        anyhow!("{}: <{}>: {problem}", self.place(), self.tag())
    }

    /// Names something that the list of parts cannot say.
    pub fn note(&self, what: impl std::fmt::Display) {
        self.note_at(&self.node, what);
    }

    fn note_at(&self, node: &Node, what: impl std::fmt::Display) {
        let name = node.attribute("name").map(|name| format!(" `{name}`")).unwrap_or_default();
        let note = format!("{}: <{}>{name}: {what}", self.place_of(node), node.tag_name().name());
        let mut notes = self.file.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Checks the attributes: `known` ones are read or do not move anything; `lost` ones are named, unless they are off. Any other is an
    /// error.
    pub fn expect(&self, known: &[&str], lost: &[&str]) -> Result<()> {
        for node in [&self.node].into_iter().chain(&self.defaults) {
            for attribute in node.attributes() {
                let (name, off) = (attribute.name(), matches!(attribute.value(), "0" | "false"));
                if lost.contains(&name) && !off {
                    self.note_at(node, format_args!("{name} = {}", attribute.value()));
                }
                let (place, tag) = (self.place_of(node), node.tag_name().name());
                ensure!(known.contains(&name) || lost.contains(&name), "{place}: <{tag}>: unknown attribute `{name}`");
            }
        }
        Ok(())
    }

    /// An attribute, or its default.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        [&self.node].into_iter().chain(&self.defaults).find_map(|node| node.attribute(name))
    }

    /// An attribute that has to be there.
    pub fn required(&self, name: &str) -> Result<&'a str> {
        self.text(name).ok_or_else(|| self.error(format_args!("`{name}` is missing")))
    }

    /// Numbers, separated by spaces. NaN and infinite ones are errors.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = |word: &str| match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            Ok(_) => Err(self.error(format_args!("`{name}` is NaN or infinite: {text}"))),
            Err(_) => Err(self.error(format_args!("`{name}` is not a number: {text}"))),
        };
        text.split_whitespace().map(number).collect::<Result<_>>().map(Some)
    }

    /// As many numbers.
    pub fn array<const D: usize>(&self, name: &str) -> Result<Option<[f64; D]>> {
        let Some(numbers) = self.numbers(name)? else { return Ok(None) };
        let count = numbers.len();
        let array = numbers.try_into();
        array.map(Some).map_err(|_| self.error(format_args!("`{name}` has {count} numbers instead of {D}")))
    }

    /// One number.
    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        Ok(self.array::<1>(name)?.map(|[number]| number))
    }

    /// Three numbers.
    pub fn vector(&self, name: &str) -> Result<Option<Vector3<f64>>> {
        Ok(self.array::<3>(name)?.map(Vector3::from))
    }
}
