// Examples that a page without data shows: how to record some.
// tests/python/package/page_examples_test.py runs each.

export const recordRun = `import sightline
with sightline.Recorder("output/first") as recorder:
    recorder.add_scalar("loss", 1, 0.5)  # tag, step, value`;

export const recordScalar = `recorder.add_scalar("loss", step, loss)`;

export const recordHistogram = `recorder.add_histogram("conv1/weight", step, weight)`;

export const recordImage = `recorder.add_image("input", step, pixels)  # batch x channels (1 or 3) x height x width`;

export const recordTensor = `recorder.add_tensor("logits", step, logits)`;

export const recordGraph = `from sightline.mindspore import SummaryCollector
model.train(1, dataset, callbacks=[SummaryCollector("output/run")])`;

export const recordLineage = `with sightline.SummaryMonitor("output/run", custom_lineage_data={"lr": 0.1}) as monitor: ...`;

export const recordProfile = `from sightline.profiler import profile, profile_dataset, span, step
with profile("output/run/profile"):
    for batch in profile_dataset(loader):
        with step(), span("forward"):
            ...`;

export const recordConsole = `sightline run -- python train.py`;

export const computeLandscape = `sightline landscape run --loss ./evaluate.py output/run  # your program computes the loss`;
