// SPDX-License-Identifier: GPL-3.0-or-later
//! The thread in which an engine searches. It lives as long as the engine: each `go` wakes it.

use std::sync::mpsc::{SendError, Sender, channel};
use std::thread;

use search::STACK_BYTES;

/// A search, with all that it needs.
type Task = Box<dyn FnOnce() + Send>;

/// A thread that runs one task after the other. It is started by the first task, and anew after a task
/// that panicked.
#[derive(Debug, Default)]
pub(crate) struct SearchThread {
    tasks: Option<Sender<Task>>,
}

impl SearchThread {
    /// Runs a task as soon as those before it have ended.
    ///
    /// # Panics
    /// If the system has no thread left.
    pub(crate) fn run(&mut self, task: impl FnOnce() + Send + 'static) {
        let Err(task) = self.send(Box::new(task)) else { return };
        let (sender, receiver) = channel::<Task>();
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || receiver.into_iter().for_each(|task| task()))
            .expect("a thread for the search");
        self.tasks = Some(sender);
        let sent = self.send(task);
        debug_assert!(sent.is_ok(), "a new thread waits for tasks");
    }

    /// Hands a task to the thread; without a thread, hands it back.
    fn send(&self, task: Task) -> Result<(), Task> {
        match &self.tasks {
            Some(sender) => sender.send(task).map_err(|SendError(task)| task),
            None => Err(task),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::SearchThread;

    #[test]
    fn tasks_run_on_one_thread_and_on_a_new_one_after_a_panic() {
        let mut searches = SearchThread::default();
        let (sender, receiver) = channel();
        let mut id_of_a_task = || {
            let sender = sender.clone();
            searches.run(move || sender.send(thread::current().id()).unwrap());
            receiver.recv().unwrap()
        };
        let first = id_of_a_task();
        assert_eq!(id_of_a_task(), first);
        assert_ne!(first, thread::current().id());

        let (gone, wait) = channel::<()>();
        searches.run(move || {
            let _until_unwound = gone;
            std::panic::resume_unwind(Box::new("planted"));
        });
        assert!(wait.recv().is_err());
        // The thread may take a moment to end; a task that it did not take is not lost.
        let (sender, receiver) = channel();
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while receiver.try_recv().is_err() {
            assert!(std::time::Instant::now() < deadline);
            let sender = sender.clone();
            searches.run(move || sender.send(thread::current().id()).unwrap_or_default());
            thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}
