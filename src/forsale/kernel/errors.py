"""The one kind of error of this room, and the two that are raised on the CPU and on a GPU."""


class KernelError(ValueError):
    """Something that the kernel cannot do, in one sentence."""


def not_legal(action: int, game: int) -> KernelError:
    return KernelError(f"action {action} of game {game} is not legal; nothing was played")


def wrong_policy(game: int) -> KernelError:
    return KernelError(f"the policy gave an action that is not legal in game {game}; games were left where they stood")
