#!/bin/sh
# Joey NMT writes the outputs of each validation into the folder of the model, as
# STEP.hyps: they are kept as versions.
set -eu
for outputs in models/transformer/[0-9]*.hyps; do
    step=$(basename "$outputs" .hyps)
    bleuscope push "$outputs" --project en-de --test-set dev --system joeynmt \
        --version "step-$step" --step "$step" --reference ref.txt
done
