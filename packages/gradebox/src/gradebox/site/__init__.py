"""Write the sources of a website of the lessons, which Sphinx builds (`gradebox publish --site`)."""
