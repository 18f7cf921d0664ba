"""Work in processes of their own, under limits of time and memory, that can be killed and replaced.

From the bottom up: `launcher` starts and kills, `limits` is what a process may use, `frames` what goes over a pipe,
`tasks` the nouns, `worker_main` runs inside, `nursery` forks processes that need not load anything any more,
`nursery_main` is its other end, `worker` is one process seen from outside, `spares` those without work, `pool` many of
them. Imports none of them: a process for a single query must start fast.
"""
