#!/bin/sh
# Marian runs this at each validation, with the file of translations as its argument:
#   marian … --valid-metrics translation --valid-script-path ./marian.sh \
#       --valid-translation-output 'valid.{U}.txt'
# Marian takes what is printed for the score: the number has to be the first, so
# all else goes to standard error, and a push that fails must not keep it back.
set -eu
updates=$(basename "$1" .txt)
updates=${updates#valid.}
bleuscope push "$1" --project en-de --test-set dev --system marian \
    --version "update-$updates" --step "$updates" --reference ref.txt >&2 || true
bleuscope score "$1" --reference ref.txt --format tsv --columns bleu | tail -n 1
