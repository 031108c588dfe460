from transformers import Seq2SeqTrainer

from bleuscope.integrations.huggingface import BleuCallback

bleu = BleuCallback(tokenizer, references, against="best")
trainer = Seq2SeqTrainer(model, arguments, eval_dataset=data, compute_metrics=bleu, callbacks=[bleu])
