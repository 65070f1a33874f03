"""Learning platforms (LMS): what gradebox gives them, and what it takes from them."""
