# The course's settings. `nbgrader` reads them in this folder, and so does `gradebox`.
import gradebox

c = get_config()  # noqa: F821
gradebox.configure(c)

c.CourseDirectory.course_id = "attention-graded"

# The public GitHub repository, as "owner/name", that you push what `gradebox publish` writes to. When it is
# set, every released notebook opens with an "Open in Colab" badge that points at itself. Empty: no links.
# docs/instructors.md has the others: Binder, a JupyterHub, JupyterLite.
c.Links.repository = ""

# How students hand in, which each released notebook says at its end: "lms", "exchange" or "folder".
c.HandIn.through = "lms"
c.HandIn.solutions = True  # `gradebox solutions` writes them
# c.HandIn.where = "on Moodle, under *Homework*"

# Fewer exercises: the core of each lesson (`gradebox release --core` sets this), or exercises by name.
# c.Lessons.edition = {"01_single_head": "core"}
# c.Lessons.exercises = {"02_two_head": ["softmax-cols", "scaled-self-attention", "two-heads"]}

# A course of fewer lessons: gradebox passes over those that are named here. (Formgrader shows every folder of
# source/.) Lessons 05 and 07 need 03, lessons 06 and 09 need 04, and 08 needs both.
# c.CourseDirectory.ignore.extend(["06_relational_memory"])
