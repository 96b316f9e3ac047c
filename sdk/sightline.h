/* The C interface of Sightline, for trainers in C++, C, Rust and Go: records values of a training
 * run (sightline_recorder), follows a training and chooses what to record (sightline_monitor),
 * profiles it (sightline_profile), and reads runs back (sightline_run). sightline.hpp wraps it for
 * C++17; docs/sdk.md begins with a program, and shows how to compile and link one.
 *
 *   sightline_recorder* recorder;
 *   if (sightline_recorder_open("./run", NULL, &recorder) != SIGHTLINE_OK) {
 *     fprintf(stderr, "%s\n", sightline_error(NULL));
 *     return 1;
 *   }
 *   for (int64_t step = 1; step <= 1000; ++step)
 *     sightline_recorder_add_scalar(recorder, "loss", step, train(step));
 *   if (sightline_recorder_close(recorder) != SIGHTLINE_OK)
 *     fprintf(stderr, "%s\n", sightline_error(recorder));
 *   sightline_recorder_free(recorder);
 *
 * Errors: a function returns a code; sightline_error has the words. No C++ exception leaves a
 * function, and none ends the process. A null pointer, a closed handle, or a wrong number is an
 * error with words. A handle that was freed must not be used again, as with free().
 *
 * Ownership: texts, arrays and options that you pass are borrowed until the function returns,
 * unless its comment says otherwise. Texts are UTF-8 and end with a zero byte; bytes that are not
 * UTF-8 are replaced. Texts that a function returns belong to the library; their functions say how
 * long they live. Each `_free` takes a null pointer, too.
 *
 * Structs begin with struct_size, which the caller sets to sizeof of the struct; this is how they
 * can grow. In structs of options, 0 and NULL mean the default:
 *
 *   sightline_recorder_options options = {.struct_size = sizeof options};
 *
 * A smaller size than that of the first release is an error. A larger one is accepted if the bytes
 * that this library does not know are zero.
 *
 * Threads and fork: each section says which threads may call its functions, and what a forked child
 * may do.
 */
#ifndef SIGHTLINE_H_
#define SIGHTLINE_H_

/* NOLINTBEGIN: C's headers, forms and names. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIGHTLINE_API __attribute__((visibility("default")))

/* ---- Codes and words ---------------------------------------------------------------------- */

typedef enum sightline_code {
  SIGHTLINE_OK = 0,
  SIGHTLINE_INVALID_ARGUMENT = 1,    /* An argument is wrong; calling again will not help. */
  SIGHTLINE_NOT_FOUND = 2,           /* The named thing does not exist. */
  SIGHTLINE_ALREADY_EXISTS = 3,      /* The named thing exists and must not. */
  SIGHTLINE_PERMISSION_DENIED = 4,   /* The operating system refuses access. */
  SIGHTLINE_FAILED_PRECONDITION = 5, /* Not in this state: a second profile, say. */
  SIGHTLINE_RESOURCE_EXHAUSTED = 6,  /* The disk or the buffer is full: the value was dropped. */
  SIGHTLINE_DATA_LOSS = 7,           /* The input is damaged. */
  SIGHTLINE_UNAVAILABLE = 8,         /* Not now; try later. */
  SIGHTLINE_UNIMPLEMENTED = 9,       /* This library is too old for what it was asked. */
  SIGHTLINE_IO_ERROR = 10,           /* Any other failure of the operating system. */
  SIGHTLINE_CLOSED = 11,             /* The handle is closed, or belongs to the parent of this
                                        forked process. */
  SIGHTLINE_NO_MEMORY = 12,
  SIGHTLINE_INTERNAL = 13 /* A fault in Sightline; please report it. */
} sightline_code;

/* "invalid argument", ...; "unknown code" for any other number. Any thread. Never NULL; lives as
 * long as the library. */
SIGHTLINE_API const char* sightline_code_name(int code);

/* The words of the last function that failed in this thread for `handle`, which is any handle of
 * this header. NULL: of the last one that failed in this thread at all, such as an open. Never
 * NULL; "" if there was none. Lives until the next failure in this thread. A success changes
 * nothing. */
SIGHTLINE_API const char* sightline_error(const void* handle);

/* The library's version, "major.minor.patch". Any thread. Lives as long as the library. */
SIGHTLINE_API const char* sightline_version(void);

/* ---- Values ------------------------------------------------------------------------------- */

/* What a value is. In the comments: what `data` points to. */
typedef enum sightline_kind {
  SIGHTLINE_UNKNOWN = 0,            /* Only when reading. */
  SIGHTLINE_SCALAR = 1,             /* One element of any dtype that is not complex. */
  SIGHTLINE_HISTOGRAM = 2,          /* An array; its distribution is recorded. */
  SIGHTLINE_TENSOR = 3,             /* An array, recorded whole. */
  SIGHTLINE_IMAGE = 4,              /* An array (batch, channels 1 or 3, height, width). */
  SIGHTLINE_GRAPH = 5,              /* A GraphProto of mindspore_graph.proto. */
  SIGHTLINE_LANDSCAPE = 6,          /* A LossLandscape of landscape.proto. */
  SIGHTLINE_TRAIN_LINEAGE = 7,      /* A TrainLineage of mindspore_lineage.proto. */
  SIGHTLINE_EVALUATION_LINEAGE = 8, /* An EvaluationLineage, */
  SIGHTLINE_DATASET_GRAPH = 9,      /* a DatasetGraph, */
  SIGHTLINE_CUSTOM_LINEAGE = 10,    /* a UserDefinedInfo of the same. */
  SIGHTLINE_TENSORBOARD_EVENT =
      11,               /* An Event of tensorboard.proto, without time, step and version. */
  SIGHTLINE_TEXT = 12,  /* UTF-8. TensorBoard's files only, like the next one. */
  SIGHTLINE_AUDIO = 13, /* An array of samples from -1 to 1, at sample_rate. */
  SIGHTLINE_PLUGIN = 14 /* Only when reading: a value of a plugin of TensorBoard's. */
} sightline_kind;

/* The type of an array's elements. */
typedef enum sightline_dtype {
  SIGHTLINE_BOOL = 1,
  SIGHTLINE_INT8 = 2,
  SIGHTLINE_INT16 = 3,
  SIGHTLINE_INT32 = 4,
  SIGHTLINE_INT64 = 5,
  SIGHTLINE_UINT8 = 6,
  SIGHTLINE_UINT16 = 7,
  SIGHTLINE_UINT32 = 8,
  SIGHTLINE_UINT64 = 9,
  SIGHTLINE_FLOAT16 = 10,
  SIGHTLINE_FLOAT32 = 11,
  SIGHTLINE_FLOAT64 = 12,
  SIGHTLINE_BFLOAT16 = 13,
  SIGHTLINE_COMPLEX64 = 14,
  SIGHTLINE_COMPLEX128 = 15
} sightline_dtype;

/* One value under a tag. The schemas of the messages are installed in share/sightline/proto. */
typedef struct sightline_value {
  size_t struct_size;
  const char* tag;      /* Messages other than a landscape: may be NULL, since it is not written. */
  int32_t kind;         /* sightline_kind */
  int32_t dtype;        /* sightline_dtype, of scalars and arrays; others: 0. */
  const void* data;     /* In C order. */
  size_t bytes;         /* Of `data`; for arrays, that of dtype and shape together. */
  const int64_t* shape; /* Of arrays: `dimensions` sizes. None: one element. */
  size_t dimensions;    /* At most 32. */
  double sample_rate;   /* Of sounds, in Hz; others: 0. */
} sightline_value;

/* ---- Recorder: records what it is given --------------------------------------------------- */

/* Threads: any thread may call any function of a recorder, also at the same time, but
 * sightline_recorder_free, after which none may. A function copies its values and returns; threads
 * of the recorder write the files. Once it has returned SIGHTLINE_OK, its values survive SIGKILL of
 * the process (docs/durability.md has the exceptions).
 *
 * Fork: in a forked child, functions of the parent's recorder return SIGHTLINE_CLOSED and record
 * nothing; the child may free the handle, and may open recorders of its own in other directories.
 */
typedef struct sightline_recorder sightline_recorder;

/* A tag whose text was looked at once; belongs to its recorder, and lives as long. */
typedef struct sightline_tag sightline_tag;

/* Bits: which files are written. */
#define SIGHTLINE_FORMAT_MINDSPORE 1u
#define SIGHTLINE_FORMAT_TENSORBOARD 2u

typedef enum sightline_sync {
  SIGHTLINE_SYNC_NEVER = 0,       /* The operating system decides when files reach the disk. */
  SIGHTLINE_SYNC_INTERVAL = 1,    /* Every 5 s. */
  SIGHTLINE_SYNC_EVERY_RECORD = 2 /* Before a function returns, which takes milliseconds. */
} sightline_sync;

typedef struct sightline_recorder_options {
  size_t struct_size;
  uint32_t formats;             /* SIGHTLINE_FORMAT_*; 0: MindSpore's. */
  int32_t sync;                 /* sightline_sync */
  int32_t export_npy;           /* Not 0: tensors also become .npy files. */
  int32_t drop_when_full;       /* Not 0: if the buffer is full, values are dropped and counted;
                                   otherwise functions wait for room. */
  int32_t stop_when_file_full;  /* Not 0: at max_file_size recording ends; otherwise it goes on in
                                   a new file. */
  int32_t has_resume_from_step; /* Not 0: resume_from_step counts. */
  int64_t resume_from_step;     /* The first step that a continued training records again. */
  uint64_t max_file_size;       /* In bytes; 0: no limit. */
  uint64_t buffer_bytes;        /* 1 MiB to 2 GiB; 0: 16 MiB. */
  int64_t flush_interval_ms;    /* Values are in the files after this time; 0: 500 ms. */
  const char* journal_dir;      /* Where the buffer is a file; NULL: beside the event files. */
  int32_t has_rank;             /* Not 0: rank and world_size count; otherwise they are what the
                                   launcher set in the environment, or else 0 of 1. */
  int32_t rank;
  int32_t world_size;
  /* Called with a line for the user the first time that a value is refused or dropped for a reason,
   * in the thread of the recording function. It must not call the recorder. */
  void (*on_refused)(void* context, const char* line);
  void* context; /* Of on_refused; must live as long as the recorder. */
} sightline_recorder_options;

/* Creates `directory` if it is missing, completes the files of killed recorders there, and opens
 * new ones. `options` may be NULL. Gives the recorder in *recorder, or NULL with the code of the
 * error. */
SIGHTLINE_API sightline_code sightline_recorder_open(const char* directory,
                                                     const sightline_recorder_options* options,
                                                     sightline_recorder** recorder);

/* Records a scalar, a float32 in the files. */
SIGHTLINE_API sightline_code sightline_recorder_add_scalar(sightline_recorder* recorder,
                                                           const char* tag, int64_t step,
                                                           double value);

/* Gives in *tag what sightline_recorder_add_tagged takes: then the text is not looked at again. The
 * same text gives the same tag. */
SIGHTLINE_API sightline_code sightline_recorder_tag(sightline_recorder* recorder, const char* text,
                                                    const sightline_tag** tag);

/* Records a scalar under a tag of this recorder, the quickest way. */
SIGHTLINE_API sightline_code sightline_recorder_add_tagged(sightline_recorder* recorder,
                                                           const sightline_tag* tag, int64_t step,
                                                           double value);

/* Records `count` values as one event. A value that is wrong is left out, and the others are
 * recorded; the code is then SIGHTLINE_INVALID_ARGUMENT, with the words of the first such value.
 * All values have the same struct_size. If a tag comes twice with a kind, its last value is
 * recorded. */
SIGHTLINE_API sightline_code sightline_recorder_record(sightline_recorder* recorder, int64_t step,
                                                       const sightline_value* values, size_t count);

/* The same with a time of your own, in seconds since the Unix epoch, such as that of an old log. */
SIGHTLINE_API sightline_code sightline_recorder_record_at(sightline_recorder* recorder,
                                                          int64_t step, double wall_time,
                                                          const sightline_value* values,
                                                          size_t count);

/* Collects a value for sightline_recorder_record_staged, which makes one event of all that were
 * staged since the last one. Until then, staged values are lost if the process ends. */
SIGHTLINE_API sightline_code sightline_recorder_stage(sightline_recorder* recorder,
                                                      const sightline_value* value);
SIGHTLINE_API sightline_code sightline_recorder_record_staged(sightline_recorder* recorder,
                                                              int64_t step);

/* Waits until all that was recorded before is in the files; with `to_disk` not 0, on the disk. */
SIGHTLINE_API sightline_code sightline_recorder_flush(sightline_recorder* recorder, int to_disk);

/* Flushes and closes the files. SIGHTLINE_OK if all that was recorded is in them and nothing was
 * refused or dropped. Later calls return the same; recording functions return SIGHTLINE_CLOSED. */
SIGHTLINE_API sightline_code sightline_recorder_close(sightline_recorder* recorder);

/* Closes the recorder if it is open, without its errors, and releases its memory. */
SIGHTLINE_API void sightline_recorder_free(sightline_recorder* recorder);

typedef struct sightline_recorder_stats {
  size_t struct_size;
  uint64_t accepted_events;
  uint64_t accepted_values;
  uint64_t written_events; /* In every file that they belong to. */
  uint64_t written_bytes;  /* In all files together. */
  uint64_t dropped_values; /* There was no room. */
  uint64_t refused_values; /* They were wrong. */
  uint64_t lost_values;    /* Accepted, but a file could not take them. */
  uint64_t errors;
  int32_t paused;    /* Not 0: disk space is short, or files cannot be written. */
  int32_t kill_safe; /* 0: the buffer could not be a file, so a kill loses what is in it. */
} sightline_recorder_stats;

/* Fills *stats, whose struct_size is set. All zero in a forked child. */
SIGHTLINE_API sightline_code sightline_recorder_get_stats(const sightline_recorder* recorder,
                                                          sightline_recorder_stats* stats);

/* The absolute path of the run, and the 32 hexadecimal digits of this recorder's session, which its
 * files begin with. They live as long as the recorder. NULL for a null pointer. */
SIGHTLINE_API const char* sightline_recorder_directory(const sightline_recorder* recorder);
SIGHTLINE_API const char* sightline_recorder_session_id(const sightline_recorder* recorder);

/* From now on SIGTERM first closes all recorders, then does what it did before; only if the program
 * neither handles nor ignores SIGTERM. Starts a sleeping thread. Without it nothing is lost, but
 * the next recorder or `sightline recover` has to complete the files. A forked child calls it
 * again. */
SIGHTLINE_API sightline_code sightline_close_on_sigterm(void);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */

#include "sightline_monitor.h"
#include "sightline_profile.h"
#include "sightline_run.h"

#endif /* SIGHTLINE_H_ */
