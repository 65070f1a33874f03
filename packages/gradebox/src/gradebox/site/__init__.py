"""Build a course's website from what students may see, with Sphinx (`gradebox publish --site`)."""
