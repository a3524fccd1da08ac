"""The table of campaigns. A new feature adds the function that compares it with its oracle."""

from . import (
    batches,
    boards,
    calls,
    certificates,
    covers,
    diagnoses,
    diagrams,
    files,
    generated,
    hosts,
    processes,
    saved,
    symmetries,
)
from .runner import Campaign

CAMPAIGNS = {
    campaign.name: campaign
    for campaign in (
        Campaign("small-problems", covers.search_small_problems, 2),
        Campaign("first-covers", covers.find_first_covers, 1),
        Campaign("colored-problems", covers.search_colored_problems, 1),
        Campaign("deep-problems", covers.search_deep_problems, 2),
        Campaign("batches", batches.solve_batches, 2),
        Campaign("diagrams", diagrams.build_diagrams, 2),
        Campaign("certificates", certificates.verify_certificates, 1),
        Campaign("diagnoses", diagnoses.diagnose_problems, 1),
        Campaign("symmetries", symmetries.find_orbits, 1),
        Campaign("resumed-searches", covers.resume_searches, 2),
        Campaign("changed-searches", saved.load_changed_searches, 1),
        Campaign("changed-diagrams", saved.load_changed_diagrams, 1),
        Campaign("boards", boards.solve_boards, 2),
        Campaign("engines", boards.compare_engines, 1),
        Campaign("canonical-forms", boards.find_canonical_forms, 1),
        Campaign("ratings", boards.rate_boards, 1),
        Campaign("generated-puzzles", generated.generate_puzzles, 1),
        Campaign("minimized-boards", generated.minimize_boards, 0.5),
        Campaign("damaged-files", files.read_damaged_files, 3),
        Campaign("blocks", files.read_in_blocks, 1),
        Campaign("written-boards", files.write_and_read_boards, 0.5),
        Campaign("shown-problems", files.show_and_cover, 0.5),
        Campaign("qqwing", files.read_qqwing_output, 0.5),
        Campaign("shared-boards", hosts.share_boards, 1),
        Campaign("shared-covers", hosts.share_covers, 1),
        Campaign("repeated-calls", calls.repeat_calls, 1),
        Campaign("impossible-requests", calls.request_the_impossible, 1),
        Campaign("processes", processes.read_in_processes, 1),
        Campaign("killed-searches", processes.resume_killed_searches, 1.5),
        Campaign("interrupted-solve", processes.interrupt_solve, 1.5),
        Campaign("signals", processes.interrupt_commands, 1.5),
        Campaign("streams", processes.use_broken_streams, 1),
        Campaign("stored-kernels", processes.damage_stored_kernel, 0.5),
    )
}
