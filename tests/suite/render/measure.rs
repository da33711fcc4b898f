//! Numbers, formulas and axes of measured costs.

use synod::internals::measure::Shape;
use synod::internals::measure::fit::Model;
use synod::internals::render::measure::{formula, number};
use synod::internals::render::plot::{Axis, short, wrapped};

#[test]
fn numbers_have_four_significant_digits() {
    let shown: Vec<String> =
        [0.5, 1.0, 12.3456, 0.0123, 0.001_234_56, 12_345.6, 0.0, 0.000_01, -2.5].map(number).into();
    assert_eq!(shown, ["0.5", "1", "12.35", "0.0123", "0.001235", "12346", "0", "0", "-2.5"]);
}

#[test]
fn formulas_are_readable() {
    let model = |shape, coefficient, below| Model { shape, coefficient, below, error: 0.0, plausible: true };
    assert_eq!(formula(&model(Shape::Square, 0.5, 1.5)), "0.5 n² + 1.5 n");
    assert_eq!(formula(&model(Shape::Linear, 3.0, -2.0)), "3 n - 2");
    assert_eq!(formula(&model(Shape::Linearithmic, 2.0, 0.0)), "2 n log n");
    assert_eq!(formula(&model(Shape::Constant, 7.0, 0.0)), "7");
}

#[test]
fn axes_have_a_few_ticks() {
    for (from, to) in [(1.0, 9.0), (4.0, 4096.0), (3.0, 2e9), (0.0, 1.0), (7.0, 7.0), (0.0, 0.0)] {
        let axis = Axis::of([from, to].into_iter());
        let ticks = axis.ticks();
        assert!((2..=14).contains(&ticks.len()), "{from} to {to}: {ticks:?}");
        assert!(ticks.iter().all(|tick| (-1e-9..=1.0 + 1e-9).contains(&axis.place(*tick))));
    }
}

#[test]
fn numbers_beside_an_axis_are_short() {
    let shown: Vec<String> = [1.0, 0.2, 4096.0, 65536.0, 2e9, 3e18].map(short).into();
    assert_eq!(shown, ["1", "0.2", "4096", "65.536k", "2G", "3e18"]);
}

#[test]
fn legends_break_at_spaces() {
    assert_eq!(wrapped("cost: messages <= n * (n + 1) div 2 + n", 20).len(), 2);
    assert!(wrapped(&"x".repeat(90), 20).iter().all(|line| line.chars().count() <= 20));
}
