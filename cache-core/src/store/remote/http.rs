//! Remote caches over HTTP, as Bazel's speak it: `GET` and `PUT` of `URL/ac/ADDRESS`.
//!
//! Requests that go out side by side do so on a bounded number of threads, each with a connection that is kept.
//! Redirects are not followed: who answers is who was named. Bodies are not unpacked.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

use super::transport::{Deadline, MAX_RECORD, Transport, TransportError};

/// The most requests at one time.
const LANES: usize = 16;

/// A server that is reached over HTTP.
pub struct Http {
    agent: Agent,
    /// What stands before an address.
    prefix: String,
    place: String,
    /// What the header `Authorization` says.
    authorization: Option<String>,
}

impl Http {
    /// A server at a URL (`http://` or `https://`, perhaps with `USER:PASSWORD@`, perhaps with a path). Connects to
    /// nothing yet. A token is sent with every request as a bearer's.
    ///
    /// Encrypted connections trust the authorities that the system trusts, or those in the file that the environment
    /// variable `SSL_CERT_FILE` names.
    #[must_use]
    pub fn new(url: &str, token: Option<&str>) -> Self {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(provider)
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(LANES)
            .max_idle_connections_per_host(LANES)
            .user_agent(concat!("reprise/", env!("CARGO_PKG_VERSION")))
            .build();
        let url = url.trim_end_matches('/');
        Self {
            agent: Agent::with_parts(config, DefaultConnector::default(), Once::default()),
            prefix: format!("{url}/ac/"),
            place: super::without_password(url),
            authorization: token.map(|token| format!("Bearer {token}")),
        }
    }

    /// One request, which is made again at once where it met the end of a connection that was kept for long.
    fn ask<T>(
        &self,
        deadline: Deadline,
        request: impl Fn(Duration) -> Result<T, Error>,
    ) -> Result<T, TransportError> {
        let mut again = true;
        loop {
            let Some(left) = deadline.next() else { return Err(TransportError::too_slow()) };
            match request(left) {
                Ok(answer) => return Ok(answer),
                Err(error) if again && ended(&error) => again = false,
                Err(Error::Timeout(_)) => return Err(TransportError::too_slow()),
                Err(Error::BodyExceedsLimit(_)) => {
                    return Err(TransportError(format!("it sent more than {MAX_RECORD} bytes")));
                }
                Err(error) => return Err(TransportError(format!("it cannot be reached ({error})"))),
            }
        }
    }

    fn get_one(&self, address: &str, deadline: Deadline) -> Result<Option<Vec<u8>>, TransportError> {
        let (status, body) = self.ask(deadline, |left| {
            let mut request = self.agent.get(format!("{}{address}", self.prefix));
            if let Some(authorization) = &self.authorization {
                request = request.header("Authorization", authorization);
            }
            let mut response = request.config().timeout_global(Some(left)).build().call()?;
            let status = response.status().as_u16();
            // A short body is read to its end, so that the connection can be used again.
            let body = response.body_mut().with_config().limit(MAX_RECORD as u64).read_to_vec()?;
            Ok((status, body))
        })?;
        match status {
            200 => Ok(Some(body)),
            204 | 404 | 410 => Ok(None),
            status => Err(refused(status, "asked for a record")),
        }
    }

    fn put_one(&self, address: &str, record: &[u8], deadline: Deadline) -> Result<(), TransportError> {
        let status = self.ask(deadline, |left| {
            let mut request = self.agent.put(format!("{}{address}", self.prefix));
            if let Some(authorization) = &self.authorization {
                request = request.header("Authorization", authorization);
            }
            let request = request.header("Content-Type", "application/octet-stream");
            let mut response = request.config().timeout_global(Some(left)).build().send(record)?;
            let status = response.status().as_u16();
            response.body_mut().with_config().limit(MAX_RECORD as u64).read_to_vec()?;
            Ok(status)
        })?;
        if (200..300).contains(&status) { Ok(()) } else { Err(refused(status, "given a record")) }
    }
}

impl Transport for Http {
    fn place(&self) -> &str {
        &self.place
    }

    fn get(&self, addresses: &[String], deadline: Deadline) -> Vec<Result<Option<Vec<u8>>, TransportError>> {
        side_by_side(addresses, |address| self.get_one(address, deadline))
    }

    fn put(&self, records: &[(String, Vec<u8>)], deadline: Deadline) -> Result<(), TransportError> {
        let put = |(address, record): &(String, Vec<u8>)| self.put_one(address, record, deadline);
        side_by_side(records, put).into_iter().collect()
    }
}

/// Looks the server's name up once: the client would do so for every request, on a thread of its own.
#[derive(Debug, Default)]
struct Once {
    resolver: DefaultResolver,
    known: Mutex<Option<(Uri, ResolvedSocketAddrs)>>,
}

impl Resolver for Once {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        // Nobody waits here for another's look-up, which may hang.
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, addresses)) = &*lock()
            && (of.scheme(), of.authority()) == (uri.scheme(), uri.authority())
        {
            return Ok(addresses.clone());
        }
        let addresses = self.resolver.resolve(uri, config, timeout)?;
        *lock() = Some((uri.clone(), addresses.clone()));
        Ok(addresses)
    }
}

/// Does something with each item on a bounded number of threads; the results are in the items' order. After a failure
/// nothing new is begun.
fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    act: impl Fn(&T) -> Result<R, TransportError> + Sync,
) -> Vec<Result<R, TransportError>> {
    if let [one] = items {
        return vec![act(one)];
    }
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<TransportError>> = Mutex::new(None);
    let failure = || failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let lane = || {
        let mut done = Vec::new();
        while let Some((at, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
        {
            let result = match failure() {
                Some(error) => Err(error),
                None => act(item),
            };
            if let Err(error) = &result {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.clone());
            }
            done.push((at, result));
        }
        done
    };
    let mut results: Vec<Option<Result<R, TransportError>>> = items.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..LANES.min(items.len())).map(|_| scope.spawn(lane)).collect();
        let own = lane();
        for (at, result) in others.into_iter().filter_map(|other| other.join().ok()).flatten().chain(own) {
            results[at] = Some(result);
        }
    });
    let lost = || Err(TransportError("a thread that asked it broke down".to_owned()));
    results.into_iter().map(|result| result.unwrap_or_else(lost)).collect()
}

/// Whether a connection ended before an answer came, as those do that a server keeps no longer.
fn ended(error: &Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    let kinds = [BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof];
    matches!(error, Error::Io(error) if kinds.contains(&error.kind()))
}

fn refused(status: u16, when: &str) -> TransportError {
    let hint = match status {
        300..=399 => ": it sends elsewhere; give the URL that answers itself",
        401 | 403 => ": it wants other credentials",
        404 | 405 => ": it takes none at this place",
        413 => ": it is too long for it",
        507 => ": it is full",
        _ => "",
    };
    TransportError(format!("it said {status} when it was {when}{hint}"))
}
