"""What a failed test says to a student. The text of these modules stands in each lesson's messages."""
