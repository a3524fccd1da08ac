//! Counts the covers of a problem in Knuth's format, read from the standard input, with the
//! dancing links of the package exact-covers.

use exact_covers::{DlSolver, Solver};
use std::io;
use std::ops::ControlFlow;

fn main() -> io::Result<()> {
    let text = io::read_to_string(io::stdin())?;
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('|'));
    let items = lines.next().unwrap_or_default();
    let (first, second) = items.split_once('|').unwrap_or((items, ""));
    let primary: Vec<&str> = first.split_whitespace().collect();
    let secondary: Vec<&str> = second.split_whitespace().collect();
    let mut solver: DlSolver<&str, &str> = DlSolver::new(&primary, &secondary);
    for line in lines {
        let (own, others): (Vec<&str>, Vec<&str>) =
            line.split_whitespace().partition(|word| primary.contains(word));
        let colored = others.iter().map(|word| match word.split_once(':') {
            Some((item, color)) => (item, Some(color)),
            None => (*word, None),
        });
        solver.add_option(own, colored.collect::<Vec<_>>());
    }
    let mut n_covers = 0u64;
    solver.solve(|_| {
        n_covers += 1;
        ControlFlow::Continue(())
    });
    println!("{n_covers} solutions");
    Ok(())
}
