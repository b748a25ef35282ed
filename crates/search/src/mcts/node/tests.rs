// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;

fn words() -> [AtomicU64; NODE_WORDS] {
    [const { AtomicU64::new(u64::MAX) }; NODE_WORDS]
}

#[test]
fn values_are_averaged_and_visits_counted() {
    let words = words();
    let node = NodeRef(&words);
    node.init();
    assert_eq!((node.visits(), node.counts().in_flight(), node.mean()), (0, 1, None));
    node.add_virtual_loss();
    node.add(Value { score: 0.25, draw: 0.5 });
    node.add(Value { score: 0.75, draw: 0.25 });
    assert_eq!((node.visits(), node.counts().in_flight()), (2, 0));
    assert_eq!(node.mean(), Some(Value { score: 0.5, draw: 0.375 }));
    assert!((node.mean_square() - 0.3125).abs() < 1e-6);
    node.add_virtual_loss();
    node.remove_virtual_loss();
    assert_eq!((node.visits(), node.counts().in_flight()), (2, 0));
}

#[test]
fn a_sum_is_worth_its_values() {
    let values = [0.0, 0.125, 0.3, 0.999, 1.0].map(|score| Value { score, draw: score / 4.0 });
    let (one, all) = (words(), words());
    let (one, all) = (NodeRef(&one), NodeRef(&all));
    one.init();
    all.init();
    let mut sum = ValueSum::default();
    for value in values {
        one.add_without_virtual_loss(value.flipped());
        sum.add(value);
    }
    all.add_sum(sum.flipped());
    assert_eq!((all.visits(), all.counts()), (5, one.counts()));
    assert!((all.mean().unwrap().score - one.mean().unwrap().score).abs() < 1e-6);
    assert!((all.mean().unwrap().draw - one.mean().unwrap().draw).abs() < 1e-6);
    assert!((all.mean_square() - one.mean_square()).abs() < 1e-6);
}

#[test]
fn flags_do_not_disturb_the_counts() {
    let words = words();
    let node = NodeRef(&words);
    node.init();
    assert!(node.lock() && !node.lock());
    node.prove(Proof::Lost(4));
    node.set_repeated(true);
    node.unlock();
    assert_eq!(node.proof(), Some(Proof::Lost(4)));
    assert!(node.counts().is_repeated() && node.lock());
    node.prove(Proof::Won(3));
    node.set_repeated(false);
    node.add(Value { score: 1.0, draw: 0.0 });
    assert_eq!((node.visits(), node.counts().in_flight()), (1, 0));
    assert_eq!(node.proof(), Some(Proof::Won(3)));
    node.clear_proof();
    assert_eq!((node.proof(), node.counts().is_repeated()), (None, false));
}

#[test]
fn links_keep_to_their_bits() {
    let words = words();
    let node = NodeRef(&words);
    node.init();
    node.set_first(0.5);
    assert_eq!(node.expansion(), None);
    node.expand(Place::from_bits(77).unwrap(), 1.5);
    assert_eq!(node.expansion(), Place::from_bits(77));
    assert!((node.factor() - 1.5).abs() < 1e-3 && (node.first() - 0.5).abs() < 1e-3);
    node.expand(Place::from_bits(78).unwrap(), 0.5);
    assert!((node.factor() - 0.5).abs() < 1e-3 && (node.first() - 0.5).abs() < 1e-3);
    let other = self::words();
    let copy = NodeRef(&other);
    copy.copy_from(node);
    assert_eq!((copy.expansion(), copy.counts().in_flight()), (None, 0));
    assert!((copy.factor() - 0.5).abs() < 1e-3);
}

/// Four threads add values at once, and none is lost.
#[test]
fn additions_of_threads_are_all_counted() {
    let words = words();
    let node = NodeRef(&words);
    node.reset();
    let rounds = if cfg!(miri) { 50 } else { 20_000 };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..rounds {
                    node.add_virtual_loss();
                    if round % 5 == 0 && node.lock() {
                        node.unlock();
                    }
                    node.add(Value { score: 0.5, draw: 1.0 });
                }
            });
        }
    });
    assert_eq!((node.visits(), node.counts().in_flight()), (4 * rounds, 0));
    assert_eq!(node.mean(), Some(Value { score: 0.5, draw: 1.0 }));
    assert!(node.lock());
}
