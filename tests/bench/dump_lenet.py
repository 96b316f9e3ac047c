"""Compiles a LeNet for training, for evaluation and for prediction, so that MindSpore writes its dumps.

Started by dumps.py, which says in the environment where they go. MindSpore compiles from source files only.
"""

import mindspore as ms
import numpy as np
from mindspore import nn
from mindspore.common.initializer import Normal

IMAGE = (32, 1, 32, 32)


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", weight_init=Normal(0.02))
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", weight_init=Normal(0.02))
        self.fc1 = nn.Dense(16 * 5 * 5, 120, weight_init=Normal(0.02))
        self.fc2 = nn.Dense(120, 84, weight_init=Normal(0.02))
        self.fc3 = nn.Dense(84, 10, weight_init=Normal(0.02))
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


def main() -> None:
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    network = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), learning_rate=0.01, momentum=0.9)
    images = ms.Tensor(np.zeros(IMAGE, np.float32))
    labels = ms.Tensor(np.zeros(IMAGE[0], np.int32))
    training = nn.TrainOneStepCell(nn.WithLossCell(network, loss), optimizer)
    training.set_train()
    training(images, labels)
    evaluation = nn.WithEvalCell(network, loss)
    evaluation.set_train(False)
    evaluation(images, labels)
    network(images)


if __name__ == "__main__":
    main()
