"""The pages: each draws views and controls for one kind of address."""
