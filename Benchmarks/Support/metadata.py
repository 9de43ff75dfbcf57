"""Finds the share of an operation's instructions that the runtime spends on the search for metadata.

Code that the compiler does not specialise asks the runtime for the metadata of its types, and for their conformances, in
each call. Callgrind reports the instructions of each function, and those of its calls of each other function. A function
that a search calls, such as `memcmp`, is also called by other code, so its instructions are divided in proportion to
what its callers have spent in it.
"""

import collections
import re

# The functions of the runtime that search. What they call is part of the search.
SEARCH = re.compile(
    r"_?swift_(?:get\w*GenericMetadata|getTypeByMangledName\w*|checkMetadataState|conformsToProtocol\w*|"
    r"get(?:WitnessTable|AssociatedTypeWitness|AssociatedConformanceWitness)\w*|"
    r"get(?:Tuple|Function|Existential|Metatype|Opaque)\w*)(?:\W.*)?")
# The largest share of an operation's instructions, in percent.
LIMIT = 2

ROUNDS = 50


def costs(output):
    """Returns the instructions of each function, and those of its calls of each other function.

    The output must have the options of `locked`.
    """
    own, calls = collections.Counter(), collections.Counter()
    function = callee = None
    is_of_callee = False
    with open(output) as lines:
        for line in lines:
            if line.startswith("0x"):
                cost = int(line.split()[1])
                if is_of_callee:
                    calls[function, callee] += cost
                else:
                    own[function] += cost
                is_of_callee = False
            elif line.startswith("calls="):
                is_of_callee = True  # The next line is what the callee cost.
            elif line.startswith("fn="):
                function = name(line[3:])
            elif line.startswith("cfn="):
                callee = name(line[4:])
    return own, calls


def name(text):
    """Returns the name of a function without the level of a recursion."""
    return re.sub(r"'\d+$", "", text.rstrip("\n"))


def share(low, high):
    """Returns the share of the search in the difference of two runs, from the outputs of callgrind."""
    (low_own, low_calls), (high_own, high_calls) = costs(low), costs(high)
    own = {function: cost - low_own[function] for function, cost in high_own.items()}
    callers = collections.defaultdict(list)
    for (caller, callee), cost in high_calls.items():
        cost -= low_calls[caller, callee]
        if cost > 0 and caller != callee:
            callers[callee].append((caller, cost))
    # The part of each function that belongs to the search. A round passes it one call further.
    part = {function: 1.0 if SEARCH.fullmatch(function) else 0.0 for function in own}
    reached = [function for function in own if part[function] == 0 and callers[function]]
    for _ in range(ROUNDS):
        change = 0
        for function in reached:
            of_search = sum(cost * part.get(caller, 0) for caller, cost in callers[function])
            new = of_search / sum(cost for _, cost in callers[function])
            change = max(change, abs(new - part[function]))
            part[function] = new
        if change < 1e-4:
            break
    return sum(cost * part[function] for function, cost in own.items()) / sum(own.values())


def exceeded(shares):
    """Returns the rows whose shares are above the limit, as sentences. `shares` is by row, in percent."""
    return [f"{row}: {share:.1f}% of the instructions search for metadata, limit {LIMIT}%"
            for row, share in shares.items() if share > LIMIT]
