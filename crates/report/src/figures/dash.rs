//! Dashed lines, in whole pixels. Square roots are exact everywhere, so the dashes are the same on every machine.

/// A place in pixels.
pub type Pixel = (i32, i32);

/// Cuts a line into dashes of length `on` with gaps of length `off`, both more than 0. Corners within a dash are kept.
pub fn dashes(line: &[Pixel], on: f64, off: f64) -> Vec<Vec<Pixel>> {
    let round = |(x, y): (f64, f64)| (x.round() as i32, y.round() as i32);
    let mut all = Vec::new();
    let mut dash: Vec<Pixel> = line.first().copied().into_iter().collect();
    let mut left = on;
    let mut drawing = true;
    for (&from, &to) in line.iter().zip(line.iter().skip(1)) {
        let (dx, dy) = (f64::from(to.0) - f64::from(from.0), f64::from(to.1) - f64::from(from.1));
        let length = (dx * dx + dy * dy).sqrt();
        let mut done = 0.0;
        while length - done >= left {
            done += left;
            let place = round((f64::from(from.0) + dx * done / length, f64::from(from.1) + dy * done / length));
            if drawing {
                dash.push(place);
                all.push(std::mem::take(&mut dash));
            } else {
                dash = vec![place];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
        left -= length - done;
        // A dash that begins at a corner has it already.
        if drawing && dash.last() != Some(&to) {
            dash.push(to);
        }
    }
    if drawing {
        all.push(dash);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_round_corners() {
        let line = [(0, 0), (10, 0), (10, 9)];
        let expected =
            vec![vec![(0, 0), (4, 0)], vec![(6, 0), (10, 0)], vec![(10, 2), (10, 6)], vec![(10, 8), (10, 9)]];
        assert_eq!(dashes(&line, 4.0, 2.0), expected);
        assert_eq!(dashes(&line, 100.0, 2.0), vec![line.to_vec()]);
        assert_eq!(dashes(&line, 12.0, 2.0), vec![vec![(0, 0), (10, 0), (10, 2)], vec![(10, 4), (10, 9)]]);
    }
}
