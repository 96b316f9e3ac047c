/* Runs: what was recorded, read back.
 * A part of sightline.h, which includes it. */
#ifndef SIGHTLINE_RUN_H_
#define SIGHTLINE_RUN_H_

#include "sightline.h"

#ifdef __cplusplus
extern "C" {
#endif
/* NOLINTBEGIN: C's forms and names. */

/* A directory of event files of Sightline, MindSpore or TensorBoard, as it was when it was opened.
 * docs/runs.md says which values count. A process that is recording may read its own run.
 *
 * Threads: any thread may call any function, but sightline_run_free, after which none may. Fork: a
 * forked child may use the handle. */
typedef struct sightline_run sightline_run;

/* Reads the event files in `directory` itself. Gives the run in *run, or NULL with the code of the
 * error: SIGHTLINE_NOT_FOUND if there are none. A damaged file is no error; see sightline_run_info.
 */
SIGHTLINE_API sightline_code sightline_run_open(const char* directory, sightline_run** run);

SIGHTLINE_API void sightline_run_free(sightline_run* run);

typedef enum sightline_run_state {
  SIGHTLINE_RUNNING = 1,  /* It is being recorded. */
  SIGHTLINE_STALLED = 2,  /* The same, but silent for long. */
  SIGHTLINE_KILLED = 3,   /* Its recorder was killed. */
  SIGHTLINE_FINISHED = 4, /* Its recorder was closed. */
  SIGHTLINE_ENDED = 5     /* Another program's, which grows no more. */
} sightline_run_state;

typedef struct sightline_run_info {
  size_t struct_size;
  uint64_t series_count; /* Tags, counted once for each kind and rank. */
  uint64_t file_count;
  int32_t state;   /* sightline_run_state */
  int32_t damaged; /* Not 0: a file is damaged, or could not be read to its end. */
} sightline_run_info;

SIGHTLINE_API sightline_code sightline_run_get_info(const sightline_run* run,
                                                    sightline_run_info* info);

/* The values of one tag, kind and rank, in the order of their steps. */
typedef struct sightline_series {
  size_t struct_size;
  const char* tag; /* Lives as long as the run. */
  int32_t kind;    /* sightline_kind */
  int32_t rank;
  uint64_t points; /* At least 1. */
  int64_t first_step;
  int64_t last_step;
} sightline_series;

/* Fills *series with series `index`, less than series_count. They are ordered by kind, tag, rank.
 */
SIGHTLINE_API sightline_code sightline_run_get_series(const sightline_run* run, uint64_t index,
                                                      sightline_series* series);

/* Gives in *index the first series of a tag and kind, which is that of the lowest rank.
 * SIGHTLINE_NOT_FOUND if there is none. */
SIGHTLINE_API sightline_code sightline_run_find(const sightline_run* run, int kind, const char* tag,
                                                uint64_t* index);

/* Copies scalars of series `index`: at most `count` points from point `first` on, into those arrays
 * that are not NULL, each of `count` elements. Wall times are in seconds since the Unix epoch, NaN
 * if unknown. Gives in *copied how many there were, 0 from the end on. SIGHTLINE_INVALID_ARGUMENT
 * if the series has no scalars. */
SIGHTLINE_API sightline_code sightline_run_read_scalars(const sightline_run* run, uint64_t index,
                                                        uint64_t first, uint64_t count,
                                                        int64_t* steps, double* wall_times,
                                                        double* values, uint64_t* copied);

/* NOLINTEND */
#ifdef __cplusplus
}
#endif

#endif /* SIGHTLINE_RUN_H_ */
