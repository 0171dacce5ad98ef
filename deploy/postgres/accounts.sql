-- The account of record workers and of `habitus serve`. It logs in, inherits habitus_record, and owns nothing.
SELECT 'CREATE ROLE habitus_record_worker LOGIN IN ROLE habitus_record'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'habitus_record_worker') \gexec
SET password_encryption = 'scram-sha-256';
ALTER ROLE habitus_record_worker PASSWORD :'password';
