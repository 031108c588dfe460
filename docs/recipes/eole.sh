#!/bin/sh
# Translates the test set with every checkpoint of EOLE, the successor of
# OpenNMT-py, and keeps each output as a version.
set -eu
mkdir -p outputs
for model in run/model/step_*; do
    step=${model##*_}
    eole predict -model_path "$model" -src src.txt -output "outputs/$step.txt"
    bleuscope push "outputs/$step.txt" --project en-de --test-set news --system eole \
        --version "step-$step" --step "$step" --reference ref.txt
done
