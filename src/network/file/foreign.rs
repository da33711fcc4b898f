//! Graph formats that Synod does not read: their recognition and conversion.

use super::Source;

struct Foreign {
    name: &'static str,
    recognise: fn(Source) -> bool,
    conversion: &'static str,
}

const FOREIGN: &[Foreign] = &[
    Foreign {
        name: "GEXF",
        recognise: |source| root(source) == "gexf",
        conversion: "convert it with NetworkX: write_graphml(read_gexf(FILE), \"net.graphml\"); Gephi exports GraphML",
    },
    Foreign {
        name: "XML",
        recognise: |source| !matches!(root(source), "" | "graphml"),
        conversion: "GraphML is the only XML format that Synod reads: Gephi, yEd and NetworkX write it",
    },
    Foreign {
        name: "JSON with the key `links`",
        recognise: |source| begins(source, &["{"]) && source.text.contains("\"links\""),
        conversion: "convert it with NetworkX: write_graphml(node_link_graph(json.load(open(FILE)), edges=\"links\"), \"net.graphml\")",
    },
    Foreign {
        name: "JSON with the key `adjacency`",
        recognise: |source| begins(source, &["{"]) && source.text.contains("\"adjacency\""),
        conversion: "convert it with NetworkX: write_graphml(adjacency_graph(json.load(open(FILE))), \"net.graphml\")",
    },
    Foreign {
        name: "JSON",
        recognise: |source| begins(source, &["{", "[{", "[["]) && source.text.contains([':', ']']),
        conversion: "convert it with NetworkX: write_graphml(node_link_graph(json.load(open(FILE))), \"net.graphml\")",
    },
    Foreign {
        name: "a Python list",
        recognise: |source| begins(source, &["[(", "[ ("]),
        conversion: "write a list of edges with NetworkX: write_edgelist(Graph(LIST), \"net.txt\", data=False)",
    },
    Foreign {
        name: "sparse6",
        recognise: |source| {
            begins(source, &[">>sparse6<<"])
                || begins(source, &[":"]) && source.text.trim().lines().count() == 1
        },
        conversion: "convert it with NetworkX: write_graphml(read_sparse6(FILE), \"net.graphml\"), or with nauty: copyg -g",
    },
    Foreign {
        name: "LEDA",
        recognise: |source| begins(source, &["LEDA.GRAPH"]),
        conversion: "convert it with NetworkX: write_graphml(read_leda(FILE), \"net.graphml\")",
    },
    Foreign {
        name: "DIMACS",
        recognise: |source| {
            let mut lines =
                source.text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("c"));
            lines.next().is_some_and(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                matches!(words[..], ["p", _, n, m] if n.parse::<u32>().is_ok() && m.parse::<u32>().is_ok())
            })
        },
        conversion: "the edges alone are a list: grep '^[ae] ' FILE | cut -d ' ' -f 2- > net.txt",
    },
    Foreign {
        name: "UCINET DL",
        recognise: |source| begins(source, &["dl n", "DL n", "dl N", "DL N"]),
        conversion: "export it from UCINET as Pajek",
    },
    Foreign {
        name: "TGF",
        recognise: |source| source.ending() == "tgf",
        conversion: "the lines after `#` are a list of edges: sed '1,/^#/d' FILE > net.txt",
    },
    Foreign {
        name: "Mermaid",
        recognise: |source| {
            let mut words = source.text.split_whitespace();
            match (words.next(), words.next()) {
                (Some("flowchart"), _) => true,
                (Some("graph"), Some(way)) => {
                    matches!(way.trim_end_matches(';'), "TD" | "TB" | "BT" | "LR" | "RL")
                }
                _ => false,
            }
        },
        conversion: "in DOT, the same graph is written graph { A -- B; B -- C }",
    },
    Foreign {
        name: "a program",
        recognise: |source| source.ending() == "syn",
        conversion: "a topology is a family such as ring(8), or a graph file",
    },
];

/// Return the name of the format, and its conversion.
pub(super) fn recognise(source: Source) -> Option<(&'static str, &'static str)> {
    let found = FOREIGN.iter().find(|foreign| (foreign.recognise)(source));
    found.map(|foreign| (foreign.name, foreign.conversion))
}

fn begins(source: Source, beginnings: &[&str]) -> bool {
    let text = source.text.trim_start();
    beginnings.iter().any(|beginning| text.starts_with(beginning))
}

/// Return the name of the first element of an XML file; empty for other texts, and if there is no element.
fn root(source: Source<'_>) -> &str {
    let text = source.text.trim_start();
    if !text.starts_with('<') {
        return "";
    }
    let element = text.match_indices('<').map(|(at, _)| &text[at + 1..]);
    let mut element = element.filter(|rest| rest.starts_with(|c: char| c.is_alphabetic()));
    let name = element.next().unwrap_or("");
    let name = &name[..name.find(|c: char| !c.is_alphanumeric() && c != ':').unwrap_or(name.len())];
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}
