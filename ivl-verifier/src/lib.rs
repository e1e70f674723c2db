//! Verifies Boogie programs and re-proves only what an edit touched.
