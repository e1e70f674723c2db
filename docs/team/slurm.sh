#!/bin/sh
# One job on many machines under SLURM: a job array verifies the shards, then one process merges their reports.
#
#   docs/team/slurm.sh SHARDS FILE...        prints the summary; the report is in ./report
#
# All machines see this folder, and know the remote cache from the environment (REPRISE_REMOTE and its relatives), which
# sbatch hands on. A shard that failed is run again by `sbatch --array=I` of the same; what it had done is in the cache.
set -eu
shards=$1
shift

# What implementations cost before decides who does what. All shards are given the same file.
ivl costs "$@" > costs.json
rm -f report part-* shard-*.log

# Names of files go through the shell that sbatch starts: each is put between quotes.
files=
for file; do
    files="$files '$(printf %s "$file" | sed "s/'/'\\\\''/g")'"
done

# 1 means that something is not proved, which is a result.
sbatch --wait --quiet --job-name=ivl --array="1-$shards" --output=shard-%a.log --wrap "
    ivl verify --shard \$SLURM_ARRAY_TASK_ID/$shards --costs costs.json \
        --report part-\$SLURM_ARRAY_TASK_ID $files || [ \$? -eq 1 ]" || {
    echo "$0: a shard did not end as it should; shard-*.log say why, each for the shard of its number:" >&2
    tail -n 3 shard-*.log >&2
    exit 2
}

exec ivl merge --report report part-*
