-- Roles and row-level security of a habitus database on PostgreSQL (15 or later). Run once, as the owner of the tables:
--   psql -d habitus -f deploy/roles.sql
-- Four roles without a password or a login; grant them to the accounts that your services log in with:
--   habitus_content  may connect and see nothing: the content zone has no business in the database.
--   habitus_record   counts sessions: reads and writes rows of one tenant at a time, never the catalog or the schema.
--   habitus_serve    `habitus serve`: what habitus_record may, and it reads the counts and the log of all tenants, which its
--                    operator's pages and metrics show. It writes rows of one tenant at a time.
--   habitus_reader   the query-time classifier: reads the profile of one tenant at a time, and nothing else.
-- Each transaction names its tenant with  SET LOCAL habitus.tenant = '<keyed id>'  (habitus does; after a rotation of the
-- id key followed by a comma and each older id of the same tenant); without it, record and reader see no row. The owner of
-- the tables sees all tenants: use it for migrations, re-keying and fleet-wide log reading only.

BEGIN;

DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['habitus_content', 'habitus_record', 'habitus_reader', 'habitus_serve'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role);
        END IF;
    END LOOP;
END
$$;

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, habitus_content, habitus_record, habitus_reader, habitus_serve;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, habitus_content, habitus_record, habitus_reader, habitus_serve;
REVOKE CREATE ON SCHEMA public FROM PUBLIC, habitus_content, habitus_record, habitus_reader, habitus_serve;
REVOKE USAGE ON SCHEMA public FROM PUBLIC, habitus_content;
GRANT USAGE ON SCHEMA public TO habitus_record, habitus_reader;

GRANT SELECT ON schema_version TO habitus_record, habitus_reader;
GRANT SELECT ON profile TO habitus_reader;

GRANT SELECT ON catalog_value TO habitus_record;
GRANT SELECT, INSERT, UPDATE ON session, session_message, observation, profile, settled, tombstone TO habitus_record;
GRANT SELECT, INSERT ON rejection, blocked_pair TO habitus_record;
GRANT UPDATE (tenant, subject, session) ON rejection TO habitus_record;  -- re-keying; what a line says stays
GRANT DELETE ON session, session_message, observation, profile, rejection, blocked_pair TO habitus_record;
GRANT SELECT, INSERT, UPDATE, DELETE ON decision TO habitus_record;  -- counts about nobody, written by `habitus serve`
GRANT SELECT, INSERT, UPDATE, DELETE ON rejection_count TO habitus_record;  -- a deleted line leaves its sum
GRANT SELECT ON rejection_counted TO habitus_record;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO habitus_record;
GRANT habitus_record TO habitus_serve;

DO $$
DECLARE
    relation text;
BEGIN
    FOREACH relation IN ARRAY ARRAY[
        'session', 'session_message', 'observation', 'profile', 'blocked_pair', 'tombstone', 'rejection',
        'rejection_count'
    ] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', relation);
        EXECUTE format('DROP POLICY IF EXISTS one_tenant ON %I', relation);
        EXECUTE format(
            'CREATE POLICY one_tenant ON %I TO habitus_record, habitus_reader'
            ' USING (tenant = ANY (string_to_array(current_setting(''habitus.tenant'', true), '','')))'
            ' WITH CHECK (tenant = ANY (string_to_array(current_setting(''habitus.tenant'', true), '','')))',
            relation
        );
    END LOOP;
    FOREACH relation IN ARRAY ARRAY['session', 'observation', 'profile', 'rejection', 'rejection_count'] LOOP
        EXECUTE format('DROP POLICY IF EXISTS every_tenant ON %I', relation);
        EXECUTE format('CREATE POLICY every_tenant ON %I FOR SELECT TO habitus_serve USING (true)', relation);
    END LOOP;
END
$$;

COMMIT;
