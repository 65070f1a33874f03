"""From a lesson's text to the notebook that students open."""
