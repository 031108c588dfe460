from lightning.pytorch import Trainer

from bleuscope.integrations.lightning import BleuCallback

trainer = Trainer(callbacks=[BleuCallback(against="previous")])
