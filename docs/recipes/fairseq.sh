#!/bin/sh
# Translates the test set with every checkpoint of fairseq, and keeps each
# output as a version.
set -eu
mkdir -p outputs
for checkpoint in checkpoints/checkpoint_*_*.pt; do
    updates=${checkpoint##*_}
    updates=${updates%.pt}
    fairseq-generate data-bin --path "$checkpoint" --gen-subset test \
        --post-process sentencepiece > generated.txt
    # Lines with D- are outputs as text, each with its number and its score; they
    # stand in the order of batches.
    sed -n 's/^D-//p' generated.txt | sort -n | cut -f 3- > "outputs/$updates.txt"
    bleuscope push "outputs/$updates.txt" --project en-de --test-set news --system fairseq \
        --version "update-$updates" --step "$updates" --reference ref.txt
done
