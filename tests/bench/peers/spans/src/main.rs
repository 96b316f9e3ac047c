//! Prints what a span costs its thread, in nanoseconds of CPU time: {"perfetto": 600.5, "tracy": 20.1}.
//!
//! The best of twenty bursts, with time to write them in between. Perfetto records into a ring in memory, within the
//! process; Tracy keeps what it has until a viewer comes.

use perfetto_sdk_sys as perfetto;
use std::ffi::c_char;
use std::ptr;
use std::time::Duration;
use tracy_client_sys as tracy;

const BURSTS: usize = 20;
const SPANS: u32 = 20_000;

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanos: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

/// CPU time of this thread.
fn thread_nanos() -> i64 {
    const CLOCK_THREAD_CPUTIME_ID: i32 = 3;
    let mut time = Timespec { seconds: 0, nanos: 0 };
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.seconds * 1_000_000_000 + time.nanos
}

fn nanos_a_span(span: impl Fn()) -> f64 {
    let mut best = i64::MAX;
    for _ in 0..BURSTS {
        let begin = thread_nanos();
        for _ in 0..SPANS {
            span();
        }
        best = best.min(thread_nanos() - begin);
        std::thread::sleep(Duration::from_millis(30));
    }
    best as f64 / f64::from(SPANS)
}

/// A field of bytes below 128, whose key takes one or two bytes.
fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
    let key = number << 3 | 2;
    let mut out = if key < 0x80 { vec![key as u8] } else { vec![key as u8 | 0x80, (key >> 7) as u8] };
    out.push(bytes.len() as u8);
    out.extend(bytes);
    out
}

/// TraceConfig: a ring of 64 MB; every category of track events.
fn trace_config() -> Vec<u8> {
    let size_kb = [0x08, 0x80, 0x80, 0x04];
    let mut source = field(1, b"track_event");
    source.extend(field(113, &field(2, b"*")));
    let mut config = field(1, &size_kb);
    config.extend(field(2, &field(1, &source)));
    config
}

/// Nothing where the category is not being recorded.
unsafe fn perfetto_nanos() -> Option<f64> {
    let options = perfetto::PerfettoProducerBackendInitArgsCreate();
    perfetto::PerfettoProducerInProcessInit(options);
    perfetto::PerfettoProducerBackendInitArgsDestroy(options);
    perfetto::PerfettoTeInit();
    let mut descriptor = perfetto::PerfettoTeCategoryDescriptor {
        name: c"bench".as_ptr(),
        desc: c"".as_ptr(),
        tags: ptr::null_mut(),
        num_tags: 0,
    };
    let category = perfetto::PerfettoTeCategoryImplCreate(&mut descriptor);
    perfetto::PerfettoTePublishCategories();
    let session = perfetto::PerfettoTracingSessionInProcessCreate();
    let mut config = trace_config();
    perfetto::PerfettoTracingSessionSetup(session, config.as_mut_ptr().cast(), config.len());
    perfetto::PerfettoTracingSessionStartBlocking(session);
    let recorded = *perfetto::PerfettoTeCategoryImplGetEnabled(category);
    let extra: [*mut perfetto::PerfettoTeHlExtra; 1] = [ptr::null_mut()];
    let emit = |kind, name: *const c_char| {
        perfetto::PerfettoTeHlEmitImpl(category, kind as i32, name, extra.as_ptr());
    };
    let nanos = nanos_a_span(|| {
        emit(perfetto::PerfettoTeType_PERFETTO_TE_TYPE_SLICE_BEGIN, c"span".as_ptr());
        emit(perfetto::PerfettoTeType_PERFETTO_TE_TYPE_SLICE_END, ptr::null());
    });
    perfetto::PerfettoTracingSessionStopBlocking(session);
    recorded.then_some(nanos)
}

unsafe fn tracy_nanos() -> f64 {
    let place = tracy::___tracy_source_location_data {
        name: c"span".as_ptr(),
        function: c"main".as_ptr(),
        file: c"main.rs".as_ptr(),
        line: 1,
        color: 0,
    };
    nanos_a_span(|| tracy::___tracy_emit_zone_end(tracy::___tracy_emit_zone_begin(&place, 1)))
}

fn main() {
    let Some(perfetto) = (unsafe { perfetto_nanos() }) else {
        eprintln!("peer-spans: Perfetto did not begin to record");
        std::process::exit(1);
    };
    println!("{{\"perfetto\": {perfetto:.1}, \"tracy\": {:.1}}}", unsafe { tracy_nanos() });
}
