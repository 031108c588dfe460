"""A sample for people to judge, as files that go out: a table to fill in, and a campaign of Pearmut."""
