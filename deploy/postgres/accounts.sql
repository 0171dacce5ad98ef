-- The accounts of record workers and of `habitus serve`. Each logs in, inherits one role, and owns nothing.
SELECT 'CREATE ROLE habitus_record_worker LOGIN IN ROLE habitus_record'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'habitus_record_worker') \gexec
SELECT 'CREATE ROLE habitus_serve_login LOGIN IN ROLE habitus_serve'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'habitus_serve_login') \gexec
SET password_encryption = 'scram-sha-256';
ALTER ROLE habitus_record_worker PASSWORD :'record';
ALTER ROLE habitus_serve_login PASSWORD :'serve';
