# The course's settings. `nbgrader` reads them in this folder, and so does `gradebox`.
from gradebox.environment import put_on_path

put_on_path()
c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "attention-graded"

# The public GitHub repository, as "owner/name". When it is set, every released notebook opens with
# an "Open in Colab" badge that points at itself. Empty: no badge.
c.ColabBadge.repository = ""

c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
    "gradebox.colab.ColabBadge",
]
# Repair gives every cell the metadata that it was released with, so nbgrader need not check it again, twice.
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "gradebox.repair.Repair",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "gradebox.fingerprint.Begin",
]
c.Autograde.autograde_preprocessors = [
    "gradebox.execute.Execute",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "gradebox.pictures.Pictures",
    "nbgrader.preprocessors.LimitOutput",
    "gradebox.scoring.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "gradebox.fingerprint.Stamp",
]
# Pages for students, without hidden tests and what could tell of them.
c.GenerateFeedback.preprocessors = [
    "gradebox.feedback.ForStudents",
    "nbgrader.preprocessors.GetGrades",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
# No scripts and pages of a student's in these pages and in Formgrader.
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {
    "clean_html": "gradebox.pages.clean",
    "strip_files_prefix": "gradebox.pages.rendered",
}
# Imported once, ahead of all submissions. The last is what torch itself imports, for a second, when a tensor
# is on the device "meta", as some tests have it.
c.Execute.preload = ["numpy", "matplotlib.pyplot", "torch", "torch._dynamo"]
# A kernel has nothing to save: end it at once instead of waiting for it.
c.Execute.shutdown_kernel = "immediate"
# A kernel's own notices are not for the person who grades.
c.Execute.extra_arguments = ["--HistoryManager.hist_file=:memory:", "--log-level=ERROR"]
