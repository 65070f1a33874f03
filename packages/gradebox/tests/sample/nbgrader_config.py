# The course that gradebox's own tests grade: one small lesson, and all settings as they come.
import gradebox

c = get_config()  # noqa: F821
gradebox.configure(c)

c.CourseDirectory.course_id = "sample"
c.Execute.preload = ["numpy", "matplotlib.pyplot"]
# Tests of the proof turn it on: in every other test it would only cost time.
c.Execute.require_reference = False
