"""What people read: tables, students' pages, and what a machine can do."""
