// SPDX-License-Identifier: GPL-3.0-or-later
//! The loop that takes connections, and that can also drop them.

use std::io;
use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::routes;
use crate::world::Shared;

/// In the extensions of a response that must not be sent: the connection ends instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HangUp;

pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let router = routes::router(shared);
    loop {
        let Ok((connection, _)) = listener.accept().await else { continue };
        let _ = connection.set_nodelay(true);
        let router = router.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request: hyper::Request<Incoming>| {
                let router = router.clone();
                async move { answer(router, request).await }
            });
            let connection = TokioIo::new(connection);
            // A client that goes away is no concern of ours.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(connection, service)
                .await;
        });
    }
}

async fn answer(
    router: axum::Router,
    request: hyper::Request<Incoming>,
) -> Result<Response, io::Error> {
    let request: Request = request.map(axum::body::Body::new);
    let response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
    if response.extensions().get::<HangUp>().is_some() {
        return Err(io::ErrorKind::ConnectionReset.into());
    }
    Ok(response)
}
