import mlflow
import wandb

from bleuscope.integrations.mlflow import log_study as log_to_mlflow
from bleuscope.integrations.wandb import log_study as log_to_wandb

with wandb.init(project="translation") as run:
    log_to_wandb(study, run)

with mlflow.start_run():
    log_to_mlflow(study)
