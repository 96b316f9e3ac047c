/* Profiles: where a program's time goes, as a trace that `sightline profile` and Perfetto read.
 * A part of sightline.h, which includes it. */
#ifndef SIGHTLINE_PROFILE_H_
#define SIGHTLINE_PROFILE_H_

#include "sightline.h"

#ifdef __cplusplus
extern "C" {
#endif
/* NOLINTBEGIN: C's forms and names. */

/* docs/profiler.md says what an event costs, and what is lost when. A process records one profile
 * at a time.
 *
 * Threads: any thread may call any function, but sightline_profile_free, after which none may use
 * the handle. Spans and steps belong to their thread, and its spans nest. Fork: a forked child
 * records nothing until it starts a profile of its own. */
typedef struct sightline_profile sightline_profile;

typedef struct sightline_profile_options {
  size_t struct_size;
  uint64_t ring_bytes;        /* Of each thread: 64 KiB to 1 GiB; 0: 8 MiB. */
  int64_t flush_interval_ms;  /* Between two writes: 1 to 10,000; 0: 200. */
  int64_t sample_interval_ms; /* Between two samples of memory, CPU, disk and network; 0: 100;
                                 negative: none. */
} sightline_profile_options;

typedef struct sightline_profile_stats {
  size_t struct_size;
  uint64_t events;  /* In the file; a span is two. */
  uint64_t dropped; /* There was no room in a ring, or a write failed. */
  uint64_t bytes;   /* Of the file. */
  uint64_t threads;
} sightline_profile_stats;

/* Begins a file in `directory`, which is created if it is missing. `options` may be NULL. Gives the
 * profile in *profile, or NULL with the code of the error; SIGHTLINE_FAILED_PRECONDITION if one is
 * running. */
SIGHTLINE_API sightline_code sightline_profile_start(const char* directory,
                                                     const sightline_profile_options* options,
                                                     sightline_profile** profile);

/* The file's path; lives as long as the profile. NULL for a null pointer. */
SIGHTLINE_API const char* sightline_profile_path(const sightline_profile* profile);

/* Ends the recording and closes the file. Fills *stats unless it is NULL. Later calls do the same.
 */
SIGHTLINE_API sightline_code sightline_profile_stop(sightline_profile* profile,
                                                    sightline_profile_stats* stats);

/* Stops the profile if it runs, without its errors, and releases its memory. */
SIGHTLINE_API void sightline_profile_free(sightline_profile* profile);

/* What a span's time is used for. */
typedef enum sightline_category {
  SIGHTLINE_COMPUTE = 0,
  SIGHTLINE_DATA = 1, /* Waiting for the next batch. */
  SIGHTLINE_COMMUNICATION = 2,
  SIGHTLINE_OPERATOR = 3,
  SIGHTLINE_QUEUE = 4
} sightline_category;

/* The functions below never fail. Without a running profile they do nothing. */

/* The number of a name, for the functions below. Takes a lock: ask once for each name. It never
 * changes. 0 for NULL. */
SIGHTLINE_API uint32_t sightline_name(const char* text);

/* Begins a span on this thread; `category`: a sightline_category. Returns what sightline_span_end
 * of this span takes. */
SIGHTLINE_API uint32_t sightline_span_begin(uint32_t name, int category);
/* Ends the last open span of this thread. */
SIGHTLINE_API void sightline_span_end(uint32_t span);

/* Begins step `number` of the training on this thread; it ends with sightline_step_end, or with the
 * thread's next sightline_step_begin. */
SIGHTLINE_API void sightline_step_begin(int64_t number);
SIGHTLINE_API void sightline_step_end(void);

/* Records a moment, and the value that a counter has from now on. */
SIGHTLINE_API void sightline_instant(uint32_t name);
SIGHTLINE_API void sightline_counter(uint32_t name, double value);

/* Sets this thread's name in the profile, at most 255 bytes of it. */
SIGHTLINE_API void sightline_name_thread(const char* name);

/* NOLINTEND */
#ifdef __cplusplus
}
#endif

#endif /* SIGHTLINE_PROFILE_H_ */
