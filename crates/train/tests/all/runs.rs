// SPDX-License-Identifier: GPL-3.0-or-later
//! Whole runs: what they leave behind, and going on after the power was cut.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use net::Net;
use train::{
    Checkpoint, Options, Recipe, Start, TrainError, TrainingProgress, TrainingSummary, check, run,
};

fn smoke(settings: &[&str]) -> Recipe {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes/smoke.toml");
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    Recipe::read(&path, &settings).unwrap()
}

const SHORT: [&str; 2] = ["schedule.passes=2.5", "schedule.interval=10"];

fn follow(
    recipe: &Recipe,
    out: &Path,
    resume: bool,
    progress: &mut dyn FnMut(&TrainingProgress) -> ControlFlow<()>,
) -> Result<TrainingSummary, TrainError> {
    let start = if resume { Start::Resume } else { Start::New };
    let options = Options { out: out.to_owned(), threads: Some(2), start };
    run(recipe, &options, progress)
}

fn to_end(recipe: &Recipe, out: &Path, resume: bool) -> TrainingSummary {
    follow(recipe, out, resume, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// What must be the same after any interruption: all of the log but the speed, and all else.
fn results(out: &Path) -> (Vec<u8>, Vec<u8>, Vec<String>) {
    let log = fs::read_to_string(out.join("log.csv")).unwrap();
    let rows = log.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect();
    let read = |name| fs::read(out.join(name)).unwrap();
    (read("smoke.qnet"), read("checkpoint.bin"), rows)
}

#[test]
fn a_run_leaves_a_log_and_a_network_that_knows_where_it_comes_from() {
    let dir = tempfile::tempdir().unwrap();
    let recipe = smoke(&SHORT);
    let summary = to_end(&recipe, dir.path(), false);
    assert_eq!(summary.positions_seen, 59 * 512);
    assert!(!summary.is_stopped && summary.positions_per_second > 0.0);
    let net = Net::read(&summary.net).unwrap();
    let provenance = &net.header().provenance;
    for part in [
        "30208 positions seen",
        "smoke-train.qrec",
        "12000 positions",
        "Stockfish 15.1",
        &format!("{:016x}", recipe.hash()),
    ] {
        assert!(provenance.contains(part), "`{part}` in `{provenance}`");
    }
    let log = fs::read_to_string(dir.path().join("log.csv")).unwrap();
    let mut lines = log.lines();
    let heading = "step,positions,train_loss,validation_loss,lr,positions_per_second";
    assert_eq!(lines.next(), Some(heading));
    let steps: Vec<&str> = lines.map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(steps, ["10", "20", "30", "40", "50", "59"]);
}

#[test]
fn training_learns_and_rounding_loses_little() {
    let dir = tempfile::tempdir().unwrap();
    let summary = to_end(&smoke(&["schedule.passes=12"]), dir.path(), false);
    // Saying nothing, that is zero, gives 0.068 on these positions.
    assert!(summary.validation_loss < 0.035, "{}", summary.validation_loss);
    let lost = summary.validation_loss / summary.unrounded_loss - 1.0;
    assert!(lost.abs() < 0.02, "{lost}");
}

#[test]
fn a_run_cut_at_any_checkpoint_ends_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, cut) = (dir.path().join("whole"), dir.path().join("cut"));
    let recipe = smoke(&SHORT);
    // What a power cut between the steps 30 and 40 would leave: everything as it was then, and a
    // row that a checkpoint does not know yet.
    let mut save = |progress: &TrainingProgress| {
        if progress.step == 34 {
            copy_dir(&whole, &cut);
            let log = cut.join("log.csv");
            let text = fs::read_to_string(&log).unwrap();
            fs::write(&log, text + "40,20480,0.1,0.1,0.1,1\n50,2").unwrap();
        }
        ControlFlow::Continue(())
    };
    follow(&recipe, &whole, false, &mut save).unwrap();
    to_end(&recipe, &cut, true);
    assert_eq!(results(&whole), results(&cut));
}

#[test]
fn a_run_stopped_between_checkpoints_ends_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, cut) = (dir.path().join("whole"), dir.path().join("cut"));
    let recipe = smoke(&SHORT);
    to_end(&recipe, &whole, false);
    let mut stop = |progress: &TrainingProgress| match progress.step {
        17 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let summary = follow(&recipe, &cut, false, &mut stop).unwrap();
    assert!(summary.is_stopped && !summary.net.exists());
    to_end(&recipe, &cut, true);
    assert_eq!(results(&whole), results(&cut));
}

#[test]
fn finishing_records_come_last() {
    let dir = tempfile::tempdir().unwrap();
    let finish = "data.finish={train=[\"data/smoke-validation.qrec\"],share=0.25}";
    let recipe = smoke(&[SHORT[0], SHORT[1], finish]);
    let summary = to_end(&recipe, dir.path(), false);
    // The end learns the validation positions themselves, which must show.
    let plain = to_end(&smoke(&SHORT), &dir.path().join("plain"), false);
    assert!(summary.validation_loss < plain.validation_loss);
    let net = Net::read(&summary.net).unwrap();
    assert!(net.header().provenance.contains("smoke-validation.qrec"));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let recipe = smoke(&SHORT);
    let mut stop = |_: &TrainingProgress| ControlFlow::Break(());
    follow(&recipe, dir.path(), false, &mut stop).unwrap();
    let error = follow(&recipe, dir.path(), false, &mut stop).unwrap_err().to_string();
    assert!(error.contains("--resume"), "{error}");
    let other = smoke(&[SHORT[0], SHORT[1], "seed=2"]);
    let error = follow(&other, dir.path(), true, &mut stop).unwrap_err().to_string();
    assert!(error.contains("checkpoint.bin") && error.contains("recipe"), "{error}");
    let options = Options { out: dir.path().to_owned(), threads: Some(3), start: Start::Resume };
    let error = run(&recipe, &options, &mut stop).unwrap_err().to_string();
    assert!(error.contains("2 threads") && error.contains('3'), "{error}");
}

#[test]
fn a_finished_run_is_only_replaced_when_told_to() {
    let dir = tempfile::tempdir().unwrap();
    let recipe = smoke(&SHORT);
    to_end(&recipe, dir.path(), false);
    let before = results(dir.path());
    let other = smoke(&["schedule.passes=1", "seed=2"]);
    let mut go_on = |_: &TrainingProgress| ControlFlow::Continue(());
    let error = follow(&other, dir.path(), false, &mut go_on).unwrap_err().to_string();
    assert!(error.contains("--force") && error.contains("--out"), "{error}");
    assert_eq!(results(dir.path()), before);
    // The network alone may have been copied here.
    fs::remove_file(dir.path().join("checkpoint.bin")).unwrap();
    assert!(follow(&other, dir.path(), false, &mut go_on).is_err());
    let out = dir.path().to_owned();
    let replace = Options { out, threads: Some(2), start: Start::Replace };
    run(&other, &replace, &mut go_on).unwrap();
    assert_ne!(results(dir.path()).0, before.0);
}

#[test]
fn two_runs_do_not_share_a_directory() {
    let dir = tempfile::tempdir().unwrap();
    let recipe = smoke(&SHORT);
    let mut error = String::new();
    let mut other = |_: &TrainingProgress| {
        let second = follow(&recipe, dir.path(), true, &mut |_| ControlFlow::Break(()));
        error = second.unwrap_err().to_string();
        ControlFlow::Break(())
    };
    follow(&recipe, dir.path(), false, &mut other).unwrap();
    assert!(error.contains("in use"), "{error}");
}

#[test]
fn a_run_that_cannot_begin_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let go_on = &mut |_: &TrainingProgress| ControlFlow::Continue(());
    for setting in [r#"data.train=["none.qrec"]"#, "from=none.qnet", "data.validation=none.qrec"] {
        assert!(follow(&smoke(&[setting]), &out, false, go_on).is_err());
        assert!(!out.exists(), "{setting}");
    }
}

#[test]
fn warm_ups_longer_than_the_run_are_noticed() {
    let warnings = |setting| check(&smoke(&[SHORT[0], setting])).unwrap();
    assert_eq!(warnings("schedule.warm_up=58"), [""; 0]);
    let found = warnings("schedule.warm_up=500");
    assert!(found[0].contains("500 steps") && found[0].contains("only 59"), "{found:?}");
}

fn copy_dir(from: &Path, to: &PathBuf) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn a_run_can_build_upon_another() {
    let dir = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| dir.path().join(name));
    let earlier = smoke(&SHORT);
    let learnt = to_end(&earlier, &first, false).unrounded_loss;
    let from = format!("from={}", first.join("checkpoint.bin").display());
    // Without learning, the network stays as good as it was.
    let still = ["schedule.steps=1", "schedule.first=0", "schedule.last=0", &from];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes/smoke.toml");
    let text = fs::read_to_string(&path).unwrap();
    let kept = |line: &&str| !line.starts_with("passes");
    let text = text.lines().filter(kept).collect::<Vec<_>>().join("\n");
    let settings: Vec<String> = still.iter().map(|&setting| setting.to_owned()).collect();
    let recipe = Recipe::parse(&text, &path, &settings).unwrap();
    let summary = to_end(&recipe, &second, false);
    assert!((summary.unrounded_loss - learnt).abs() < 1e-9, "{summary:?}, {learnt}");
    let provenance = Net::read(&summary.net).unwrap().header().provenance.clone();
    let expected = format!("after 59 steps of recipe {:016x}", earlier.hash());
    assert!(provenance.contains(&expected), "{provenance}");
    // The network's file serves as well, but for the rounding.
    let file = format!("from={}", first.join("smoke.qnet").display());
    let settings: Vec<String> = still[..3].iter().chain([&&*file]).map(|&s| s.to_owned()).collect();
    let recipe = Recipe::parse(&text, &path, &settings).unwrap();
    let summary = to_end(&recipe, &dir.path().join("file"), false);
    assert!((summary.unrounded_loss - learnt).abs() < 1e-4, "{summary:?}, {learnt}");
    let provenance = Net::read(&summary.net).unwrap().header().provenance.clone();
    assert!(provenance.contains("after network `smoke` "), "{provenance}");
    // Another network's checkpoint does not fit.
    let wider = smoke(&[&SHORT[..], &["network.width=48", &from]].concat());
    let error =
        follow(&wider, &dir.path().join("third"), false, &mut |_| ControlFlow::Continue(()));
    assert!(error.unwrap_err().to_string().contains("parameters"));
}

/// A factorised layer stays in its parts, nothing is rounded, and the moments go on if they should.
#[test]
fn a_checkpoint_is_continued_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let map: Vec<u8> = (0..32).map(|square| square / 8).collect();
    let kings = format!("network.king_buckets={map:?}");
    let first = dir.path().join("first");
    let earlier = smoke(&["schedule.passes=1", &kings]);
    let len = earlier.model().unwrap().layout().len();
    let read = |out: &Path| Checkpoint::read(&out.join("checkpoint.bin"), len).unwrap().state;
    to_end(&earlier, &first, false);
    let learnt = read(&first);
    assert_eq!(learnt.age, 24);
    let from = format!("from={}", first.join("checkpoint.bin").display());
    for (keeps, age) in [(true, 26), (false, 2)] {
        let out = dir.path().join(format!("second-{keeps}"));
        let keep = format!("keep_moments={keeps}");
        // At a rate of zero nothing moves but the moments.
        let still = ["schedule.passes=0.08", "schedule.first=0", "schedule.last=0"];
        to_end(&smoke(&[&still[..], &[&kings, &from, &keep]].concat()), &out, false);
        let state = read(&out);
        assert_eq!(state.age, age);
        assert!(state.parameters[..] == learnt.parameters[..]);
    }
}

#[test]
fn decided_positions_can_be_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let short = ["schedule.passes=0.2", "schedule.interval=1"];
    let all = to_end(&smoke(&short), &dir.path().join("all"), false);
    let capped = smoke(&[&short[..], &["data.max_score=100"]].concat());
    let some = to_end(&capped, &dir.path().join("some"), false);
    // Saying nothing is nearly right for positions that are nearly even.
    assert!(some.unrounded_loss < 0.7 * all.unrounded_loss, "{some:?}, {all:?}");
}
