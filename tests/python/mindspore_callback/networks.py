"""What the tests and the benchmark of the callback for MindSpore train: LeNet on patterns that a seed fixes, and a dense
layer with every summary operator. Graph mode reads their source, so they live in a file."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops
from mindspore.dataset import transforms, vision


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, 10)
        self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.flatten(self.pool(self.relu(self.conv2(x))))
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))


class SummingLeNet5(LeNet5):
    """LeNet with every summary operator."""

    def __init__(self):
        super().__init__()
        self.scalar, self.tensor = ops.ScalarSummary(), ops.TensorSummary()
        self.histogram, self.image = ops.HistogramSummary(), ops.ImageSummary()
        self.mean = ops.ReduceMean()

    def construct(self, x):
        self.image("digits", x)
        x = self.pool(self.relu(self.conv1(x)))
        self.histogram("features", x)
        x = self.flatten(self.pool(self.relu(self.conv2(x))))
        x = self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))
        self.tensor("logits", x)
        self.scalar("logit", self.mean(x, ()))
        return x


class Dense(nn.Cell):
    """A small network for many steps, with the operators of tests/corpus/mindspore/rules."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 3)
        self.scalar, self.tensor, self.histogram = (
            ops.ScalarSummary(),
            ops.TensorSummary(),
            ops.HistogramSummary(),
        )
        self.mean = ops.ReduceMean()

    def construct(self, x):
        x = self.fc(x)
        self.scalar("s", self.mean(x, ()))
        self.tensor("t", x)
        self.histogram("h", x)
        return x


class Patterns:
    """Noisy pictures of ten patterns, 32 x 32."""

    def __init__(self, count):
        random = np.random.RandomState(0)
        self.labels = random.randint(0, 10, count).astype(np.int32)
        patterns = random.randn(10, 32, 32, 1).astype(np.float32)
        self.images = (
            patterns[self.labels] * 0.5 + random.randn(count, 32, 32, 1).astype(np.float32) * 0.3
        )

    def __getitem__(self, index):
        return self.images[index], self.labels[index]

    def __len__(self):
        return len(self.labels)


class Rows:
    """Rows of four numbers with a label."""

    def __init__(self, count):
        random = np.random.RandomState(0)
        self.rows = random.randn(count, 4).astype(np.float32)
        self.labels = random.randint(0, 3, count).astype(np.int32)

    def __getitem__(self, index):
        return self.rows[index], self.labels[index]

    def __len__(self):
        return len(self.labels)


def patterns(steps, batch=32):
    data = ds.GeneratorDataset(Patterns(steps * batch), ["image", "label"], shuffle=False)
    data = data.map(vision.HWC2CHW(), input_columns="image").map(
        transforms.TypeCast(ms.int32), input_columns="label"
    )
    return data.batch(batch, drop_remainder=True)


def rows(steps):
    return ds.GeneratorDataset(Rows(2 * steps), ["row", "label"], shuffle=False).batch(2)


def model(network, mode=ms.GRAPH_MODE, rate=0.01):
    """With Momentum and cross entropy. The seed is set, so the same network trains the same way."""
    ms.set_context(mode=mode)
    ms.set_device("CPU")
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), rate, 0.9)
    return ms.Model(network, loss, optimizer, metrics={"accuracy"})
