"""How the champion is made: a league on one GPU, or slowly on a CPU.

From the bottom: `tables` are the games, as functions on rows, compiled by `cpu` and `gpu`; `games` holds many of them
where PyTorch can read them; `net` is what learns, `learning` how; `exams` look how strong it is; `run` puts it
together, with snapshots and an average of the weights, and keeps it on the disk. Needs PyTorch: `pip install
'forsale[train]'`.
"""
