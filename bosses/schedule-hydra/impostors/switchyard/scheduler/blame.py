"""Who is to blame for what never ran. Failures are bits of a number, so that those of many are joined by an or."""


def with_skipped(outcomes, orders, plan):
    """The outcomes of all tasks in the order of adding, those that never ran among them as skipped."""
    failed = {name: 1 << place for place, name in enumerate(orders) if _has_failed(name, outcomes)}
    blamed = {}
    for name in plan:
        blamed[name] = failed.get(name, 0)
        if name not in outcomes:
            blamed[name] = _joined(blamed[each] for each in orders[name].after)
    return {name: outcomes.get(name) or ("skipped", _names_of(blamed[name], failed)) for name in orders}


def _has_failed(name, outcomes):
    return name in outcomes and outcomes[name][0] == "failed"


def _joined(masks):
    joined = 0
    for mask in masks:
        joined |= mask
    return joined


def _names_of(mask, bits):
    """The names whose bits are in the mask, in the order of the bits."""
    return [name for name, bit in bits.items() if mask & bit]
