/* The monitor: follows a training, and chooses what to record.
 * A part of sightline.h, which includes it. */
#ifndef SIGHTLINE_MONITOR_H_
#define SIGHTLINE_MONITOR_H_

#include "sightline.h"

#ifdef __cplusplus
extern "C" {
#endif
/* NOLINTBEGIN: C's forms and names. */

/* docs/summary_monitor.md has its rules, which are MindSpore's. Nothing here makes a training fail,
 * and a step that is not recorded costs a comparison. Problems go to `say` and are the code of
 * sightline_monitor_end. If SIGHTLINE_DISABLE=1 is in the environment, or this rank does not
 * record, every function does nothing and succeeds.
 *
 * Threads: one at a time. Fork: in a forked child, functions of the parent's monitor record nothing
 * and return SIGHTLINE_CLOSED; the child may free the handle. */
typedef struct sightline_monitor sightline_monitor;

/* Bits: what is not collected. Values of sightline_step under their own names always are. */
#define SIGHTLINE_WITHOUT_METRICS 1u /* Loss, learning rate, evaluation metrics as scalars. */
#define SIGHTLINE_WITHOUT_GRAPH 2u
#define SIGHTLINE_WITHOUT_TRAIN_LINEAGE 4u
#define SIGHTLINE_WITHOUT_EVALUATION_LINEAGE 8u
#define SIGHTLINE_WITHOUT_INPUT 16u /* The batch as an image. */
#define SIGHTLINE_WITHOUT_DATASET_GRAPH 32u
#define SIGHTLINE_WITHOUT_THROUGHPUT 64u  /* Step time, samples per second. */
#define SIGHTLINE_WITHOUT_SYSTEM 128u     /* Memory, CPU, disk and network of the process. */
#define SIGHTLINE_WITHOUT_HISTOGRAMS 256u /* Of parameters. */

/* How often values of a kind, with certain tags, or both are recorded, in place of collect_freq. */
typedef struct sightline_frequency {
  size_t struct_size;
  const char* tag;      /* A regular expression that matches at the tag's start; NULL: all. */
  int32_t kind;         /* Scalar, histogram, image or tensor; 0: all. */
  int64_t every_steps;  /* At its multiples; 0: not by this. */
  int64_t first_steps;  /* At steps 1 to this; 0: not by this. */
  double every_seconds; /* 0.001 to 1e9; 0: not by this. */
} sightline_frequency;

typedef enum sightline_setting_type {
  SIGHTLINE_INTEGER = 1,
  SIGHTLINE_NUMBER = 2,
  SIGHTLINE_STRING = 3
} sightline_setting_type;

/* A hyper-parameter or a note, shown and compared with the run. */
typedef struct sightline_setting {
  size_t struct_size;
  const char* name;
  int32_t type; /* sightline_setting_type: which of these counts. */
  int64_t integer;
  double number;
  const char* string;
} sightline_setting;

typedef struct sightline_monitor_options {
  size_t struct_size;
  const sightline_recorder_options* recorder; /* How it is written, and the rank; NULL: defaults. */
  int64_t collect_freq;                       /* Every so many steps, and step 1; 0: 10. */
  int64_t collect_tensor_freq;   /* The same for tensors; 0: about 20 steps of the run. */
  uint32_t without;              /* SIGHTLINE_WITHOUT_* */
  const char* histogram_regular; /* Parameters with histograms, a regular expression that matches at
                                    the name's start; NULL: the first five. */
  double max_overhead; /* The share of the time that recording may take, less than 1: if it
                          takes more, it records less; 0: no limit. */
  const sightline_frequency* frequencies; /* The first that matches a value counts. At most 64. */
  size_t frequency_count;
  const sightline_setting* settings;
  size_t setting_count;
  const int64_t* ranks; /* Those that record; NULL: all. */
  size_t rank_count;
  /* Gets the first line, the last line and warnings; NULL: they go to standard error. */
  void (*say)(void* context, const char* line);
  /* Called at the first NaN or infinity of each tag. Both run in the training's thread. */
  void (*on_nonfinite)(void* context, const char* tag, int64_t step, double value);
  void* context; /* Of both; must live as long as the monitor. */
} sightline_monitor_options;

/* Opens the run's files in `directory`, which is created if it is missing; NULL: MindSpore's
 * default,
 * ./output/summary/rank_<id>. `options` may be NULL. Gives the monitor in *monitor, or NULL with
 * the code of the error. */
SIGHTLINE_API sightline_code sightline_monitor_create(const char* directory,
                                                      const sightline_monitor_options* options,
                                                      sightline_monitor** monitor);

/* A training; it becomes lineage. What is 0 or NULL is left out. */
typedef struct sightline_training {
  size_t struct_size;
  int64_t epochs;
  int64_t steps_per_epoch; /* Of this process. */
  int64_t batch_size;
  int64_t device_num; /* Processes that train together; 0: 1. */
  const double* learning_rate;
  const char* network;
  const char* loss_function;
  const char* optimizer;
  const char* parallel_mode; /* NULL: "stand_alone". */
  const char* dataset_path;
  int64_t dataset_size; /* In samples. */
} sightline_training;

/* Call it when a training begins. */
SIGHTLINE_API sightline_code sightline_monitor_begin(sightline_monitor* monitor,
                                                     const sightline_training* training);

/* Record the graph of the network (a GraphProto) and that of the data (a DatasetGraph), serialized,
 * the first time only. */
SIGHTLINE_API sightline_code sightline_monitor_record_graph(sightline_monitor* monitor,
                                                            const void* graph_proto, size_t bytes);
SIGHTLINE_API sightline_code sightline_monitor_record_dataset_graph(sightline_monitor* monitor,
                                                                    const void* dataset_graph,
                                                                    size_t bytes);

/* 1 if something may be recorded at this step, else 0: then sightline_monitor_end_step need not be
 * called, unless a NaN in the loss is to be noticed. 0 for a null pointer. */
SIGHTLINE_API int sightline_monitor_is_due(const sightline_monitor* monitor, int64_t step);

/* 1 if a value of this kind (scalar, histogram, image, tensor) with this tag would be recorded at
 * the end of this step, else 0. Histograms of parameters have the tag "<parameter>/auto". Ask
 * before you fetch a value from a device. */
SIGHTLINE_API int sightline_monitor_should_record(const sightline_monitor* monitor, const char* tag,
                                                  int64_t step, int kind);

/* 1 if this parameter's histogram is ever recorded, else 0. `index` counts parameters from 0. */
SIGHTLINE_API int sightline_monitor_selects_parameter(const sightline_monitor* monitor,
                                                      size_t index, const char* name);

/* What a trainer knows at the end of a step. What is 0 or NULL is not recorded. */
typedef struct sightline_step {
  size_t struct_size;
  int64_t step; /* From 1. */
  const double* loss;
  const double* learning_rate;
  int64_t batch_size;           /* 0: that of the training. */
  const sightline_value* input; /* The batch, if it is an image; its kind is not looked at. */
  const sightline_value*
      parameters; /* Arrays, in the network's order: histograms, whatever kind. */
  size_t parameter_count;
  const sightline_value* values; /* Scalars, histograms, images and tensors under their names. */
  size_t value_count;
} sightline_step;

/* Records what is due. A value that is wrong is left out, as in sightline_recorder_record. */
SIGHTLINE_API sightline_code sightline_monitor_end_step(sightline_monitor* monitor,
                                                        const sightline_step* step);

typedef struct sightline_scalar {
  const char* name;
  double value;
} sightline_scalar;

/* Records scalars under their own names, whatever is due. */
SIGHTLINE_API sightline_code sightline_monitor_log(sightline_monitor* monitor, int64_t step,
                                                   const sightline_scalar* scalars, size_t count);

/* An evaluation begins, and has ended after training step `step`: each metric becomes a scalar
 * "eval/<name>". The time between is no step time. `dataset_path` may be NULL, `dataset_size` 0. */
SIGHTLINE_API sightline_code sightline_monitor_begin_evaluation(sightline_monitor* monitor);
SIGHTLINE_API sightline_code sightline_monitor_end_evaluation(
    sightline_monitor* monitor, int64_t step, const sightline_scalar* metrics, size_t count,
    const char* dataset_path, int64_t dataset_size);

/* For the lineage: the checkpoint that the training left, of `bytes` (0: unknown), and the loss of
 * its last step, if that was not recorded. */
SIGHTLINE_API sightline_code sightline_monitor_set_model(sightline_monitor* monitor,
                                                         const char* path, int64_t bytes);
SIGHTLINE_API sightline_code sightline_monitor_set_last_loss(sightline_monitor* monitor,
                                                             double loss);

/* The recorder, for values of your own; NULL if nothing is recorded. It belongs to the monitor, and
 * lives as long: sightline_recorder_free does nothing with it. */
SIGHTLINE_API sightline_recorder* sightline_monitor_recorder(sightline_monitor* monitor);

/* How a training ended. */
typedef enum sightline_ending {
  SIGHTLINE_ENDED_UNKNOWN = 0,
  SIGHTLINE_ENDED_WELL = 1,
  SIGHTLINE_ENDED_IN_FAILURE = 2
} sightline_ending;

/* Records the lineage and closes the files. SIGHTLINE_OK if all that was accepted is in them. Later
 * calls return the same; the functions above then return SIGHTLINE_CLOSED. */
SIGHTLINE_API sightline_code sightline_monitor_end(sightline_monitor* monitor, int ending);

/* Ends the monitor if it has not ended, with SIGHTLINE_ENDED_UNKNOWN and without its errors, and
 * releases its memory. */
SIGHTLINE_API void sightline_monitor_free(sightline_monitor* monitor);

/* NOLINTEND */
#ifdef __cplusplus
}
#endif

#endif /* SIGHTLINE_MONITOR_H_ */
