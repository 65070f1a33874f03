"""A notebook played to its end: sessions, second chances, and what student code is kept from."""
