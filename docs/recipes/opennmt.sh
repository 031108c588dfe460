#!/bin/sh
# Translates the test set with every checkpoint of OpenNMT-py, and keeps each
# output as a version.
set -eu
mkdir -p outputs
for model in run/model_step_*.pt; do
    step=${model##*_}
    step=${step%.pt}
    onmt_translate -model "$model" -src src.txt -output "outputs/$step.txt"
    bleuscope push "outputs/$step.txt" --project en-de --test-set news --system opennmt \
        --version "step-$step" --step "$step" --reference ref.txt
done
