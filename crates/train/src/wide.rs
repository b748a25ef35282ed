// SPDX-License-Identifier: GPL-3.0-or-later
//! The widest vectors of the processor, chosen when the program runs.
//!
//! A loop over floats gives the same bits in vectors of every width: each lane is computed by itself, and
//! sums have a fixed order.

/// Work whose loops are worth compiling twice.
pub(crate) trait Work {
    /// Does the work. Implementations are `#[inline(always)]`: only then are they compiled anew for the
    /// wider vectors.
    fn run(self);
}

/// Does the work in vectors of 512 bits where the processor has them.
pub(crate) fn run_in_widest_vectors(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
        fn run_wide(work: impl Work) {
            work.run();
        }

        let is_wide = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("fma");
        if is_wide {
            #[expect(unsafe_code, reason = "the features are known only when the program runs")]
            // SAFETY: the processor has all the features that the function is compiled for.
            return unsafe { run_wide(work) };
        }
    }
    work.run();
}
