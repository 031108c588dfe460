import evaluate

from bleuscope.integrations import EVALUATE_MODULE

metric = evaluate.load(EVALUATE_MODULE)
found = metric.compute(predictions=outputs, references=references)
print(found["score"], found["signature"])
