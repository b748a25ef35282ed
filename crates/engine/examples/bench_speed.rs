//! Temporary.
fn main() {
    let net = engine::networks::default_network(net::Kernels::detect());
    let start = std::time::Instant::now();
    let nodes: u64 = engine::Bench::new(12, 1, net).map(|e| e.nodes).sum();
    println!("{nodes} {:.0}", nodes as f64 / start.elapsed().as_secs_f64());
}
