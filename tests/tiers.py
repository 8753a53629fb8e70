"""Which tests run when: what takes long, or needs more than Python, is in a tier that only some commands run."""

TIERS = {
    "judging": (
        "app/test_untrusted.py",
        "calibration/test_impostor_matrix.py",
        "calibration/test_known_mistakes.py",
        "calibration/test_run.py",
        "calibration/test_small_faults.py",
        "classroom/test_class_impostors.py",
        "cli/test_authoring.py",
        "cli/test_broken_packs.py",
        "cli/test_check.py",
        "cli/test_hidden_inputs.py",
        "cli/test_impostors.py",
        "cli/test_pipelines.py",
        "cli/test_privacy.py",
        "cli/test_worked_boss.py",
        "evidence/test_certification.py",
        "evidence/test_copies.py",
        "evidence/test_hypothesis_suites.py",
        "evidence/test_module_names.py",
        "evidence/test_suite_names.py",
        "judges/test_command.py",
        "judges/test_llmock.py",
        "pack_check/test_trial_check.py",
        "packs/test_private_files.py",
        "submissions/test_boss_submission.py",
        "test_recognised_trials.py",
    ),
    "process": (
        "agents",
        "classroom/test_gradescope_autograder.py",
        "cli/test_classes_killed.py",
        "app/test_signals.py",
        "cli/test_confirm.py",
        "cli/test_doctor_and_judge.py",
        "cli/test_faulty_servers.py",
        "cli/test_serve.py",
        "cli/test_streams.py",
        "cli/test_unreadable_packs.py",
        "cli/test_watch.py",
        "evaluate/test_kill.py",
        "evidence/test_engine.py",
        "evidence/test_idioms.py",
        "evidence/test_parity.py",
        "test_benchmarks.py",
        "test_first_minute.py",
        "test_own_failure.py",
    ),
    "sandbox": ("evidence/impostors/examined", "sandbox"),
    "attack": (
        "attacks",
        "evidence/impostors/attacks",
        "evidence/static/test_hostile.py",
        "evidence/test_claims.py",
        "evidence/test_memory_between_runs.py",
        "injection",
        "test_decoys.py",
    ),
    "screen": (
        "app/test_class_screen.py",
        "app/test_comfort.py",
        "app/test_lab.py",
        "app/test_layout.py",
        "app/test_lesson.py",
        "app/test_sizes.py",
    ),
    "picture": ("app/test_pictures.py",),
    "exemplar": (
        "evidence/impostors/test_planting.py",
        "evidence/test_claims_on_impostors.py",
        "judges/test_always_top.py",
        "measured",
        "test_bare_pytest.py",
        "test_exemplars.py",
        "test_new_bosses.py",
    ),
    "browser": ("cli/test_browser.py",),
    "terminal": ("app/test_terminal.py",),
    "blind": ("test_blind.py",),
}
"""The files and folders of each tier, below ``tests/``. What is in none is fast, and runs with ``make test``."""

FAST = "fast"

MEANINGS = {
    FAST: "in no other tier; `make test` runs these",
    "judging": "whole judgings: lint, calibration and impostors, of boss packs and classes",
    "process": "starts, signals or kills the program as a process of its own",
    "sandbox": "the cage and what runs in it",
    "attack": "hostile submissions against the whole judge",
    "screen": "long walks through the game, at many sizes and in every theme",
    "picture": "screens compared with stored pictures",
    "exemplar": "what every boss ships: exemplars against their gold levels, impostors against their programs",
    "browser": "needs Chromium",
    "terminal": "needs tmux; runs without other tests beside it",
    "blind": "the judge on code that its rules were not made for",
}
"""Every marker, as ``pytest --markers`` says it."""


def tier_of(path: str) -> str:
    """The tier of a test file, by its path below ``tests/``."""
    for tier, places in TIERS.items():
        if any(path == place or path.startswith(f"{place}/") for place in places):
            return tier
    return FAST
