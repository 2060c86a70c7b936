-- What a process asks before it says that it is ready: whether the migrations that it needs were applied.
GRANT SELECT (name) ON schema_migrations TO causeway_app;
