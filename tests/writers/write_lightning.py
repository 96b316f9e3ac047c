"""PyTorch Lightning's TensorBoardLogger."""

import torch
import without_tensorflow  # noqa: F401
from lightning.pytorch import LightningModule, Trainer
from lightning.pytorch.loggers import TensorBoardLogger
from torch.utils.data import DataLoader, TensorDataset
from writing import LOSSES, Containing, main


class _Zeros(LightningModule):
    """Its loss is 0.25 for ever: its weights are 0, and so is its learning rate."""

    def __init__(self, lr: float, net: str):
        super().__init__()
        self.save_hyperparameters()
        self.example_input_array = torch.ones(1, 2)
        self.dense = torch.nn.Linear(2, 1)
        torch.nn.init.zeros_(self.dense.weight)
        torch.nn.init.zeros_(self.dense.bias)

    def forward(self, inputs):
        return self.dense(inputs)

    def training_step(self, batch, _):
        loss = torch.nn.functional.mse_loss(self(batch[0]), batch[1])
        self.log("train/loss", loss)
        return loss

    def validation_step(self, batch, _):
        self.log("hp_metric", torch.nn.functional.mse_loss(self(batch[0]), batch[1]))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), self.hparams.lr)


def training(folder):
    data = DataLoader(TensorDataset(torch.ones(8, 2), torch.full((8, 1), 0.5)), batch_size=2)
    logger = TensorBoardLogger(folder, name="", version="first", log_graph=True)
    trainer = Trainer(
        max_epochs=1,
        logger=logger,
        log_every_n_steps=3,
        accelerator="cpu",
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(_Zeros(0.0, "lenet"), data, data)
    first = {
        "scalar": {
            "train/loss": {2: 0.25},
            "hp_metric": {0: -1.0, 3: 0.25},
            "epoch": {2: 0.0, 3: 0.0},
        },
        "hparams": {"": {0: {"lr": 0.0, "net": "lenet"}}},
        "hparams_experiment": {"": {0: (["lr", "net"], ["hp_metric"])}},
        "hparams_end": {"": {0: "STATUS_SUCCESS"}},
        "graph": {"": {0: Containing("Linear[dense]")}},
        "graph_tagged_run_metadata": {"step1": {0: Containing(b"device:CPU:0")}},
    }
    return {"runs": {"first": first}}


def metrics(folder):
    logger = TensorBoardLogger(folder, name="", version="first")
    for step, loss in LOSSES.items():
        logger.log_metrics({"train/loss": loss}, step)
    logger.log_hyperparams({"lr": 0.1, "net": "lenet"}, {"accuracy": 0.5})
    logger.finalize("success")
    first = {
        "scalar": {"train/loss": LOSSES, "accuracy": {0: 0.5}},
        "hparams": {"": {0: {"lr": 0.1, "net": "lenet"}}},
        "hparams_experiment": {"": {0: (["lr", "net"], ["accuracy"])}},
        "hparams_end": {"": {0: "STATUS_SUCCESS"}},
    }
    return {"runs": {"first": first}}


main()
