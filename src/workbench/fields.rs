//! The fields of a request.

use super::failure::Failure;
use super::limits;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The fields of a request, without `request`.
pub struct Fields {
    name: String,
    fields: Map<String, Value>,
}

/// A request without fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

impl Fields {
    /// Parse a request.
    ///
    /// # Errors
    /// If it is not an object with a field `request`.
    pub fn read(text: &str) -> Result<Fields, Failure> {
        limits::REQUEST_BYTES.check(text.len() as u64)?;
        let value: Value = serde_json::from_str(text)
            .map_err(|error| Failure::new(format!("the request is not valid JSON: {error}")))?;
        let hint = "such as {\"request\": \"about\"}";
        let Value::Object(mut fields) = value else {
            return Err(Failure::new("the request is not a JSON object").hint(hint));
        };
        match fields.remove("request") {
            Some(Value::String(name)) => Ok(Fields { name, fields }),
            Some(_) => Err(Failure::new("`request` is not a text").hint(hint)),
            None => Err(Failure::new("the field `request` is missing").hint(hint)),
        }
    }

    /// Return the name of the request.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Parse the fields.
    ///
    /// # Errors
    /// If a field is unknown, missing, or has a value of another type.
    pub fn parse<T: DeserializeOwned>(self) -> Result<T, Failure> {
        let Fields { name, mut fields } = self;
        fields.retain(|_, value| !value.is_null());
        serde_json::from_value(Value::Object(fields))
            .map_err(|error| Failure::new(format!("{name}: {error}")))
    }

    /// Remove and parse the fields with these names.
    ///
    /// # Errors
    /// As [`Fields::parse`].
    pub fn split<T: DeserializeOwned>(&mut self, names: &[&str]) -> Result<T, Failure> {
        let taken = names.iter().filter_map(|name| Some((name.to_string(), self.fields.remove(*name)?)));
        Fields { fields: taken.collect(), name: self.name.clone() }.parse()
    }
}
