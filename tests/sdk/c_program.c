/* A trainer in C99 that links libsightline.so: records every kind of value, and asks for each
 * error. usage: sdk_c_program DIRECTORY */
#include <stdio.h>
#include <string.h>

#include "sightline.h"

static int failures = 0;

static void expect(int holds, const char* what, int line) {
  if (holds) return;
  fprintf(stderr, "line %d: %s does not hold; last error: %s\n", line, what, sightline_error(NULL));
  ++failures;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define EXPECT_FAILS(call, expected, handle, words)                                   \
  do {                                                                                \
    expect((call) == (expected), #call " == " #expected, __LINE__);                   \
    expect(strstr(sightline_error(handle), words) != NULL, "words " words, __LINE__); \
  } while (0)

static sightline_value value_of(const char* tag, int kind, int dtype, const void* data,
                                size_t bytes) {
  sightline_value value = {.struct_size = sizeof value};
  value.tag = tag;
  value.kind = kind;
  value.dtype = dtype;
  value.data = data;
  value.bytes = bytes;
  return value;
}

static void record_kinds(sightline_recorder* recorder) {
  const float loss = 0.25F;
  const float weights[4] = {0.5F, -1.0F, 2.0F, 0.25F};
  const uint8_t pixels[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255};
  const double samples[3] = {0, 0.5, -1};
  const int64_t two_by_two[2] = {2, 2};
  const int64_t picture[4] = {1, 3, 2, 2};
  const int64_t three[1] = {3};
  sightline_value values[6];
  values[0] = value_of("loss", SIGHTLINE_SCALAR, SIGHTLINE_FLOAT32, &loss, sizeof loss);
  values[1] = value_of("weights", SIGHTLINE_HISTOGRAM, SIGHTLINE_FLOAT32, weights, sizeof weights);
  values[1].shape = two_by_two;
  values[1].dimensions = 2;
  values[2] = values[1];
  values[2].kind = SIGHTLINE_TENSOR;
  values[3] = value_of("digits", SIGHTLINE_IMAGE, SIGHTLINE_UINT8, pixels, sizeof pixels);
  values[3].shape = picture;
  values[3].dimensions = 4;
  values[4] = value_of("note", SIGHTLINE_TEXT, 0, "begun", 5);
  values[5] = value_of("tone", SIGHTLINE_AUDIO, SIGHTLINE_FLOAT64, samples, sizeof samples);
  values[5].shape = three;
  values[5].dimensions = 1;
  values[5].sample_rate = 8000;
  EXPECT(sightline_recorder_record(recorder, 1, values, 6) == SIGHTLINE_OK);
}

static void record_steps(sightline_recorder* recorder) {
  const sightline_tag* rate = NULL;
  const sightline_tag* same = NULL;
  EXPECT(sightline_recorder_tag(recorder, "rate", &rate) == SIGHTLINE_OK);
  EXPECT(sightline_recorder_tag(recorder, "rate", &same) == SIGHTLINE_OK);
  EXPECT(rate != NULL && rate == same);
  for (int64_t step = 2; step <= 100; ++step) {
    EXPECT(sightline_recorder_add_scalar(recorder, "loss", step, 1.0 / (double)step) ==
           SIGHTLINE_OK);
    EXPECT(sightline_recorder_add_tagged(recorder, rate, step, 0.5) == SIGHTLINE_OK);
  }
}

static void ask_for_errors(void) {
  sightline_recorder* recorder = NULL;
  const float number = 1;
  sightline_value value =
      value_of("wrong", SIGHTLINE_SCALAR, SIGHTLINE_FLOAT32, &number, sizeof number);
  EXPECT_FAILS(sightline_recorder_open(NULL, NULL, &recorder), SIGHTLINE_INVALID_ARGUMENT, NULL,
               "directory is a null pointer");
  EXPECT(recorder == NULL);
  EXPECT_FAILS(sightline_recorder_add_scalar(NULL, "loss", 1, 1), SIGHTLINE_INVALID_ARGUMENT, NULL,
               "recorder is a null pointer");
  EXPECT_FAILS(sightline_recorder_record(NULL, 1, &value, 1), SIGHTLINE_INVALID_ARGUMENT, NULL,
               "recorder is a null pointer");
  EXPECT_FAILS(sightline_recorder_close(NULL), SIGHTLINE_INVALID_ARGUMENT, NULL, "recorder");
}

int main(int argc, char** argv) {
  sightline_recorder_options options = {.struct_size = sizeof options};
  sightline_recorder* recorder = NULL;
  if (argc != 2) return 2;
  options.formats = SIGHTLINE_FORMAT_MINDSPORE | SIGHTLINE_FORMAT_TENSORBOARD;
  if (sightline_recorder_open(argv[1], &options, &recorder) != SIGHTLINE_OK) {
    fprintf(stderr, "%s\n", sightline_error(NULL));
    return 1;
  }
  record_kinds(recorder);
  record_steps(recorder);
  EXPECT(sightline_recorder_close(recorder) == SIGHTLINE_OK);
  EXPECT_FAILS(sightline_recorder_add_scalar(recorder, "loss", 101, 1), SIGHTLINE_CLOSED, recorder,
               "closed");
  sightline_recorder_free(recorder);
  ask_for_errors();
  return failures == 0 ? 0 : 1;
}
