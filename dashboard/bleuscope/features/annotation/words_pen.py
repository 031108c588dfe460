"""What the pages with the pen say."""

TITLE = "Annotate"
NO_WORKSPACE = "This server saves nothing, so nobody can annotate here. Start bleuscope with a workspace."
NO_LINK = (
    "**Open the link that you were sent.** It leads to your outputs and saves your marks under your name. "
    "If it does not work, ask whoever sent it for another."
)
ENDED = "This task has ended. You can read your marks, and change nothing."
GONE = "This link does not work any more. Ask whoever sent it for another."
NOT_SAVED = "The workspace cannot be written now. Your marks stay in this browser and are sent again."
NOTHING_TO_DO = "This task has no outputs for you."
BUTTON = "Mark errors"
BUTTON_HELP = "Mark errors in this output (E). Your marks are saved in a private task of this test set."
OUTPUT = "Mark errors in the output of"
SHARE_TIME = "Let others see how long I take"
SHARE_TIME_HELP = "Others see times only after all annotators of the task switch this on."
