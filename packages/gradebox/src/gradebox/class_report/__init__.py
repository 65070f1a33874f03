"""How a class is doing: what exercises have earned, common mistakes, who has moved, and what is alike."""
