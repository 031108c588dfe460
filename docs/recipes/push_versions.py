from bleuscope.integrations.huggingface import BleuCallback
from bleuscope.workspace import push


class PushVersions(BleuCallback):
    def on_evaluate(self, args, state, control, **others):
        super().on_evaluate(args, state, control, **others)
        if state.is_world_process_zero:
            names = {"project": "en-de", "test_set": "news", "system": "base"}
            step = state.global_step
            push(self.outputs, **names, version=f"step-{step}", step=step, never_fail=True)
