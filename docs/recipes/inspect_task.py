from inspect_ai import Task

from bleuscope.integrations.inspect_ai import bleu

task = Task(dataset=samples, scorer=bleu(tokenizer="13a"))
