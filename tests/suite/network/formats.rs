//! Graph files: recognition by content, the same network in every format, remarks, and formats that are not read.

use super::check_laws;
use std::fmt::Write;
use synod::internals::ids::ProcessId;
use synod::internals::network::{Network, NetworkOptions, Spec, TopologyError, build};

fn read(path: &str, text: &str) -> Result<Network, TopologyError> {
    let network = build(&Spec::from_file(path, text)?, &NetworkOptions::default())?;
    check_laws(&network);
    Ok(network)
}

/// Return the names of processes and the links with their weights, in a canonical order.
fn graph(network: &Network) -> String {
    let weight = |link: &synod::internals::network::Link| network.weight(link.from, link.from_port);
    let name = |p| network.process_name(p);
    let mut links: Vec<String> = network
        .links()
        .map(|link| format!("{}>{}:{}", name(link.from), name(link.to), weight(&link)))
        .collect();
    links.sort();
    format!("{} | {}", network.names().join(" "), links.join(" "))
}

/// A triangle 1, 2, 3 and the process 4 behind 3, weights 5, 6, 7, 8, in all formats that have weights; the names of the files do not
/// indicate the format.
const WEIGHTED: &[&str] = &[
    "1 2 5\n2 3 6\n1 3 7\n3 4 8\n",
    "# Undirected graph\n1\t2\t5\r\n2\t3\t6\r\n1\t3\t7\r\n3\t4\t8\r\n",
    "% sym weighted\n1 2 5 1082040961\n2 3 6 1082155839\n1 3 7 1082414391\n3 4 8 1082439619\n",
    "1,2,5\n2,3,6\n1,3,7\n3,4,8\n",
    "Source;Target;Weight\n1;2;5,0\n2;3;6,0\n1;3;7,0\n3;4;8,0\n",
    "Weight,Type,Source,Target\n5,Undirected,1,2\n6,Undirected,2,3\n7,Undirected,1,3\n8,Undirected,3,4\n",
    "1 2 {'weight': 5}\n2 3 {'weight': 6.0}\n1 3 {\"weight\": 7, \"colour\": \"red\"}\n3 4 {'weight': 8}\n",
    "1 -- 2 5\n2 <-> 3 6\n1--3 7\n3 ↔ 4 8\n",
    "graph { 1 -- 2 [weight=5]; 2 -- 3 [weight=6]; 1 -- 3 [weight=7]; 3 -- 4 [weight=8] }",
    "/* c */ strict digraph \"G\" {\n edge [dir=both] 1 -> 2 [weight=5] 2 -> 3 [weight=6.0]\n 1->3 [weight=7] 3->4 [weight=8] }",
    "Creator \"me\"\ngraph [\n directed 0\n node [ id 1 ] node [ id 2 graphics [ x 1.0 ] ] node [ id 3 ] node [ id 4 ]\n\
     edge [ source 1 target 2 weight 5 ] edge [ source 2 target 3 value 6.0 ]\n\
     edge [ source 1 target 3 weight 7 ] edge [ source 3 target 4 weight 8 ]\n]\n",
    "*Network triangle\n*Vertices 4\n1 \"1\" 0.5 0.5\n*Edges\n1 2 5\n2 3 6\n1 3 7 c Blue\n3 4 8\n",
    "*vertices 4\n*arcs\n1 2 5\n2 1 5\n*edges\n2 3 6\n1 3 7\n3 4 8\n",
    "%%MatrixMarket matrix coordinate integer symmetric\n% c\n4 4 4\n2 1 5\n3 2 6\n3 1 7\n4 3 8\n",
    "%%MatrixMarket matrix coordinate real general\n4 4 8\n1 2 5.0\n2 1 5.0\n2 3 6\n3 2 6\n1 3 7\n3 1 7\n3 4 8\n4 3 8\n",
    "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\"/><graph edgedefault=\"undirected\"><node id=\"1\"/><node id=\"2\"/>\
     <node id=\"3\"/><node id=\"4\"/><edge source=\"1\" target=\"2\"><data key=\"w\">5.0</data></edge><edge source=\"2\" \
     target=\"3\"><data key=\"w\">6</data></edge><edge source=\"1\" target=\"3\"><data key=\"w\">7</data></edge><edge \
     source=\"3\" target=\"4\"><data key=\"w\">8</data></edge></graph></graphml>",
];

#[test]
fn a_graph_is_the_same_in_every_format() {
    let first = graph(&read("net", WEIGHTED[0]).unwrap());
    assert!(first.starts_with("1 2 3 4 | 1>2:5 1>3:7 2>1:5"), "{first}");
    for text in WEIGHTED {
        for text in [text.to_string(), format!("\u{feff}{}", text.replace('\n', "\r\n"))] {
            let network = read("folder/net", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(graph(&network), first, "{text}");
            assert_eq!(network.topology(), "net");
        }
    }
    // Formats without weights; graph6 counts from 0.
    let shape = |text: &str| {
        let network = read("net", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        (network.n(), network.edges(), network.degree(ProcessId(2)), network.diameter(), network.directed())
    };
    let wanted = (4, 4, 3, Some(2), false);
    for text in [
        "1 2 3\n2 1 3\n3 1 2 4\n4 3\n",
        "1: 2 3\n2: 3\n3: 4\n4:\n",
        "a: b c\nb: c\nc: d\n",
        "Cx",
        ">>graph6<<Cx\n",
        "&CYlG",
    ] {
        assert_eq!(shape(text), wanted, "{text}");
    }
}

/// The ending of a file decides only if the content does not: a list of edges may have any name.
#[test]
fn a_list_of_edges_may_have_any_name() {
    let text = "1 2 5\n2 3 6\n1 3 7\n";
    let expected = graph(&read("net.txt", text).unwrap());
    for ending in ["dot", "gv", "gml", "graphml", "net", "paj", "mtx", "g6", "d6", "edgelist"] {
        assert_eq!(graph(&read(&format!("net.{ending}"), text).unwrap()), expected, "{ending}");
    }
    // Neither: the format of the ending states what is wrong.
    let error = read("net.dot", "hello { a -- b }").unwrap_err().to_string();
    assert!(error.contains("DOT") || error.contains("graph"), "{error}");
}

#[test]
fn directions_of_files() {
    let arcs = "a b c | a>b:1 b>c:1 c>a:1";
    for text in [
        "digraph { a -> b [weight=1]; b -> c [weight=1]; a -> c [dir=back, weight=1] }",
        "# Directed graph (each unordered pair is saved once)\na b 1\nb c 1\nc a 1\n",
        "a -> b 1\nb->c 1\nc → a 1\n",
        "source,target,type,weight\na,b,Directed,1\nb,c,Directed,1\nc,a,Directed,1\n",
        "graph [ directed 1 node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] node [ id 2 label \"c\" ]\n\
         edge [ source 0 target 1 weight 1 ] edge [ source 1 target 2 weight 1 ] edge [ source 2 target 0 weight 1 ] ]",
        "*Vertices 3\n1 a\n2 b\n3 \"c\"\n*Arcs\n1 2 1\n2 3 1\n3 1 1\n",
    ] {
        assert_eq!(graph(&read("net", text).unwrap()), arcs, "{text}");
    }
}

#[test]
fn remarks_about_files() {
    let mut text = String::new();
    for (path, file) in [
        ("header.txt", "# n m\n3 3\n0 1\n1 2\n0 2\n"),
        ("header1.txt", "5\n0 1\n1 2\n0 2\n"),
        ("maybe.txt", "9 3\n0 1\n1 2\n0 2\n"),
        ("hdr.txt", "source target\n1 2\n2 3\n"),
        ("hdr3.txt", "from\tto\tweight\nA\tB\t1\n"),
        ("von.csv", "Von;Nach;Gewicht\nA;B;3\nB;C;1,5\n"),
        ("both.txt", "0 1\n1 0\n1 2\n2 1\n"),
        ("weights.txt", "0 1 5\n1 0 6\n"),
        ("parallel.dot", "graph { a -- b; b -- a; a -- a; b -- c }"),
        ("simple(parallel.dot)", "graph { a -- b; b -- a; a -- a; b -- c }"),
        ("decimals.txt", "0 1 0.25\n1 2 3\n2 3 1e1\n3 0\n"),
        ("tiny.txt", "0 1 1e-300\n1 2 1\n"),
        ("heavy.dot", "graph { a -- b [weight=heavy] }"),
        ("konect.txt", "% sym unweighted\n1 2\n2 3\n"),
        ("times.txt", "% sym weighted\n1 2 1 1082\n2 3 1 1083\n"),
        ("neighbours.txt", "0 1 2\n1 3\n2 3\n"),
        ("x.adjlist", "0 1 2\n1 3\n2 3\n"),
        ("suspicious.txt", "0 1 2\n1 2 0\n2 0 1\n"),
        ("around.txt", "0 1 2\n1 0 2\n2 0 1\n"),
        ("four.txt", "a b c d\nb a c d\nc a b d\nd a b c\n"),
    ] {
        let network = read(path, file).unwrap_or_else(|error| panic!("{path}: {error}"));
        writeln!(text, "{path}: {}", graph(&network)).unwrap();
        for notice in network.notices() {
            writeln!(text, "    {notice}").unwrap();
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn files_that_are_no_networks() {
    let mut text = String::new();
    for file in [
        "<?xml version=\"1.0\"?>\n<gexf xmlns=\"http://gexf.net/1.3\"><graph/></gexf>",
        "<!-- a picture --><svg/>",
        "{\"directed\": false, \"nodes\": [], \"links\": []}",
        "[(0, 1), (1, 2)]",
        ":Fa@x^\n",
        "LEDA.GRAPH\nstring\nint\n",
        "c a graph\np edge 3 2\ne 1 2\ne 2 3\n",
        "dl n = 3\nformat = edgelist1\n",
        "graph TD\n  A --> B\n",
        "Id,Label\n1,A\n2,B\n",
        ",A,B\nA,0,1\nB,1,0\n",
        "0 1 1\n1 0 1\n1 1 0\n",
        "# three processes\n0;1;1\n1;0;1\n1;1;0\n",
        "This is a text.\nIt has several lines, but no edges.\n",
        "a | b\n",
        "*Vertices 2\n*Edges\n1 3\n",
        "*Vertices\n",
        "*Vertices 2\n*Matrix\n0 1\n1 0\n",
        "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n",
        "%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n",
        "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 x\n",
        "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]",
        "graph [ node [ id 1 node [ ] ",
        "graph [ node [ label \"x\" ] ]",
        "graph [ node [ id 1 ] node [ id 1 ] ]",
        ">>graph6<<D",
        "Cx\nCx\n",
        "   \n",
    ] {
        match read("net", file) {
            Ok(network) => panic!("{file:?} is understood as {}", graph(&network)),
            Err(error) => writeln!(text, "{file:?}\n    {error}").unwrap(),
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn names_and_ids() {
    let network = read("ids.txt", "10 20\n20 30\n30 10\n").unwrap();
    assert_eq!(network.ids_by_name().unwrap(), [10, 20, 30]);
    assert_eq!(network.process_named("20"), Some(ProcessId(1)));
    let words = read("words.txt", "a b\n").unwrap().ids_by_name().unwrap_err().to_string();
    assert!(words.contains("the name «a» is not an integer"), "{words}");
    let none = super::network("ring(3)").ids_by_name().unwrap_err().to_string();
    assert!(none.contains("the processes of ring(3) have no names"), "{none}");
}

#[test]
fn simple_graphs() {
    let simple = super::network("simple(edges(0->1:4, 1-0:3, 1-1, 1->2:5, 2->1:6))");
    let links: Vec<(u32, u32)> = simple.links().map(|link| (link.from.0, link.to.0)).collect();
    assert_eq!(links, [(0, 1), (1, 0), (1, 2), (2, 1)]);
    assert_eq!((simple.weight(ProcessId(0), 0), simple.weight(ProcessId(2), 0)), (3, 5));
    assert_eq!(Spec::parse("simple(ring(4))").unwrap().to_string(), "ring(4)");
    assert_eq!(Spec::file_of(" simple( a b.txt )"), "a b.txt");
}
