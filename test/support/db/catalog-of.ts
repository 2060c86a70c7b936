import pg from 'pg';

/** One thing that the database has: what it is, its name, and all that is known of it. */
export interface CatalogEntry {
  readonly kind: string;
  readonly name: string;
  readonly facts: unknown;
}

export interface CatalogOptions {
  /** `table.column`s whose values differ from run to run: a row shows only whether they are null. */
  readonly volatileColumns?: readonly string[];
  /** Tables whose rows are not compared. */
  readonly tablesWithoutRows?: readonly string[];
}

/** Kinds of things and the query of each: `name` and `facts` (jsonb). Nothing in it is an OID or a position. */
const QUERIES: Readonly<Record<string, string>> = {
  schema: `
    SELECT nspname AS name, jsonb_build_object('owner', pg_get_userbyid(nspowner), 'acl', ACL(nspacl, 'n', nspowner)) AS facts
    FROM pg_namespace WHERE nspname !~ '^pg_(toast|temp)' AND nspname NOT IN ('pg_catalog', 'information_schema')`,
  database: `
    SELECT 'this' AS name, jsonb_build_object('acl', ACL(datacl, 'd', datdba), 'encoding', encoding,
      'collate', datcollate, 'ctype', datctype, 'locale', datlocprovider, 'connlimit', datconnlimit) AS facts
    FROM pg_database WHERE datname = current_database()`,
  default_privileges: `
    SELECT concat_ws('/', pg_get_userbyid(defaclrole), defaclnamespace::regnamespace, defaclobjtype) AS name,
      to_jsonb(ARRAY(SELECT x::text FROM unnest(defaclacl) x ORDER BY 1)) AS facts FROM pg_default_acl`,
  extension: `
    SELECT extname AS name, jsonb_build_object('version', extversion, 'schema', extnamespace::regnamespace::text,
      'owner', pg_get_userbyid(extowner)) AS facts FROM pg_extension`,
  relation: `
    SELECT c.oid::regclass::text AS name, jsonb_build_object('kind', c.relkind, 'owner', pg_get_userbyid(c.relowner),
      'persistence', c.relpersistence, 'rls', c.relrowsecurity, 'forced', c.relforcerowsecurity,
      'options', c.reloptions, 'toastOptions', t.reloptions, 'replicaIdentity', c.relreplident,
      'method', am.amname, 'tablespace', c.reltablespace, 'isPartition', c.relispartition,
      'partitionKey', CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END,
      'bound', pg_get_expr(c.relpartbound, c.oid),
      'parents', ARRAY(SELECT i.inhparent::regclass::text FROM pg_inherits i WHERE i.inhrelid = c.oid ORDER BY 1),
      'ofType', nullif(c.reloftype, 0)::regtype::text,
      'view', CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,
      'rules', ARRAY(SELECT pg_get_ruledef(r.oid) FROM pg_rewrite r WHERE r.ev_class = c.oid AND r.rulename <> '_RETURN' ORDER BY 1),
      'acl', ACL(c.relacl, 'r', c.relowner)) AS facts
    FROM pg_class c LEFT JOIN pg_class t ON t.oid = c.reltoastrelid LEFT JOIN pg_am am ON am.oid = c.relam
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND OURS(c.relnamespace)`,
  column: `
    SELECT c.oid::regclass || '.' || a.attname AS name, jsonb_build_object(
      'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull,
      'default', pg_get_expr(d.adbin, d.adrelid), 'identity', a.attidentity, 'generated', a.attgenerated,
      'collation', nullif(a.attcollation, 0)::regcollation::text, 'storage', a.attstorage,
      'compression', a.attcompression, 'statistics', a.attstattarget, 'options', a.attoptions,
      'isLocal', a.attislocal, 'inherited', a.attinhcount,
      'acl', ARRAY(SELECT x::text FROM unnest(a.attacl) x ORDER BY 1)) AS facts
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND OURS(c.relnamespace)`,
  constraint: `
    SELECT coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text) || ': ' || conname AS name,
      jsonb_build_object('type', contype, 'definition', pg_get_constraintdef(oid), 'validated', convalidated,
        'deferrable', condeferrable, 'deferred', condeferred, 'local', conislocal, 'inherited', coninhcount,
        'noInherit', connoinherit, 'index', nullif(conindid, 0)::regclass::text,
        'parent', (SELECT p.conname FROM pg_constraint p WHERE p.oid = k.conparentid)) AS facts
    FROM pg_constraint k WHERE OURS(connamespace)`,
  index: `
    SELECT indexrelid::regclass::text AS name, jsonb_build_object('definition', pg_get_indexdef(indexrelid),
      'valid', indisvalid, 'ready', indisready, 'live', indislive, 'unique', indisunique, 'primary', indisprimary,
      'clustered', indisclustered, 'immediate', indimmediate, 'replicaIdentity', indisreplident,
      'owner', pg_get_userbyid(c.relowner), 'options', c.reloptions) AS facts
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE OURS(c.relnamespace)`,
  policy: `
    SELECT polrelid::regclass || ': ' || polname AS name, jsonb_build_object('command', polcmd,
      'permissive', polpermissive, 'using', pg_get_expr(polqual, polrelid), 'check', pg_get_expr(polwithcheck, polrelid),
      'roles', ARRAY(SELECT CASE WHEN r = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(r) END FROM unnest(polroles) r ORDER BY 1)) AS facts
    FROM pg_policy`,
  routine: `
    SELECT p.oid::regprocedure::text AS name, jsonb_build_object('kind', p.prokind,
      'definition', CASE WHEN p.prokind IN ('f', 'p') THEN pg_get_functiondef(p.oid) END,
      'owner', pg_get_userbyid(p.proowner), 'acl', ACL(p.proacl, 'f', p.proowner), 'settings', p.proconfig) AS facts
    FROM pg_proc p WHERE OURS(p.pronamespace)`,
  trigger: `
    SELECT tgrelid::regclass || ': ' || tgname AS name, jsonb_build_object('definition', pg_get_triggerdef(oid),
      'enabled', tgenabled, 'deferrable', tgdeferrable, 'deferred', tginitdeferred) AS facts
    FROM pg_trigger WHERE NOT tgisinternal`,
  foreign_key_triggers: `
    SELECT tgrelid::regclass || ': ' || k.conname || ' ' || f.proname AS name, to_jsonb(tgenabled) AS facts
    FROM pg_trigger t JOIN pg_constraint k ON k.oid = t.tgconstraint JOIN pg_proc f ON f.oid = t.tgfoid WHERE tgisinternal`,
  sequence: `
    SELECT s.seqrelid::regclass::text AS name, jsonb_build_object('type', s.seqtypid::regtype::text, 'start', s.seqstart,
      'increment', s.seqincrement, 'max', s.seqmax, 'min', s.seqmin, 'cache', s.seqcache, 'cycles', s.seqcycle,
      'owner', pg_get_userbyid(c.relowner), 'persistence', c.relpersistence, 'acl', ACL(c.relacl, 's', c.relowner),
      'last', pg_sequence_last_value(s.seqrelid),
      'ownedBy', (SELECT d.refobjid::regclass || '.' || a.attname FROM pg_depend d
        JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid AND d.refclassid = 'pg_class'::regclass)) AS facts
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE OURS(c.relnamespace)`,
  type: `
    SELECT t.oid::regtype::text AS name, jsonb_build_object('kind', t.typtype, 'owner', pg_get_userbyid(t.typowner),
      'acl', ACL(t.typacl, 'T', t.typowner), 'base', nullif(t.typbasetype, 0)::regtype::text, 'notNull', t.typnotnull,
      'default', t.typdefault, 'labels', ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder)) AS facts
    FROM pg_type t WHERE OURS(t.typnamespace)`,
  comment: `
    SELECT i.type || ' ' || i.identity AS name, to_jsonb(d.description) AS facts
    FROM pg_description d CROSS JOIN LATERAL pg_identify_object(d.classoid, d.objoid, d.objsubid) i
    WHERE i.schema IS DISTINCT FROM 'pg_catalog' AND i.schema IS DISTINCT FROM 'information_schema' AND d.objoid >= 16384`,
  event_trigger: `
    SELECT evtname AS name, to_jsonb(e) - 'oid' - 'evtfoid' AS facts FROM pg_event_trigger e`,
  extended_statistics: `
    SELECT stxname AS name, to_jsonb(pg_get_statisticsobjdef(oid)) AS facts FROM pg_statistic_ext`,
  publication: `SELECT pubname AS name, to_jsonb(p) - 'oid' AS facts FROM pg_publication p`,
  other: `
    SELECT concat_ws(' ', i.type, i.identity) AS name, 'true'::jsonb AS facts
    FROM (SELECT 'pg_operator'::regclass AS c, oid FROM pg_operator UNION ALL SELECT 'pg_cast'::regclass, oid FROM pg_cast
      UNION ALL SELECT 'pg_collation'::regclass, oid FROM pg_collation UNION ALL SELECT 'pg_opclass'::regclass, oid FROM pg_opclass
      UNION ALL SELECT 'pg_foreign_server'::regclass, oid FROM pg_foreign_server UNION ALL SELECT 'pg_language'::regclass, oid FROM pg_language) o
    CROSS JOIN LATERAL pg_identify_object(o.c, o.oid, 0) i WHERE o.oid >= 16384`,
  role: `
    SELECT rolname AS name, to_jsonb(r) - 'oid' - 'rolpassword' - 'rolconfig' AS facts FROM pg_roles r WHERE rolname !~ '^pg_'`,
  membership: `
    SELECT concat_ws(' ', pg_get_userbyid(member), 'in', pg_get_userbyid(roleid), 'by', pg_get_userbyid(grantor)) AS name,
      jsonb_build_object('admin', admin_option, 'inherit', inherit_option, 'set', set_option) AS facts FROM pg_auth_members
    WHERE roleid >= 16384 OR member >= 16384`,
  setting: `
    SELECT concat_ws(' ', coalesce(nullif(setrole, 0)::regrole::text, 'every role'),
      CASE WHEN setdatabase = 0 THEN 'everywhere' ELSE 'here' END) AS name, to_jsonb(setconfig) AS facts
    FROM pg_db_role_setting WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))`,
};

/** Rights without those that are there by default; in the order of their text. */
const ACL = `ARRAY(SELECT x::text FROM unnest(coalesce($1, acldefault('$2', $3))) x ORDER BY 1)`;
const OURS = `$1 NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)`;

const expand = (sql: string): string =>
  sql
    .replace(/ACL\(([^,]+), '(\w)', ([^)]+)\)/g, (_all, acl: string, type: string, owner: string) =>
      ACL.replace('$1', acl).replace('$2', type).replace('$3', owner),
    )
    .replace(/OURS\(([^)]+)\)/g, (_all, schema: string) => OURS.replace('$1', schema));

/** All that a database has beside what PostgreSQL brings, and the roles of its server, sorted. */
export async function catalogOf(
  url: string,
  { volatileColumns = [], tablesWithoutRows = [] }: CatalogOptions = {},
): Promise<CatalogEntry[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET row_security = off');
    const entries: CatalogEntry[] = [];
    for (const [kind, sql] of Object.entries(QUERIES)) {
      const { rows } = await client.query<{ name: string; facts: unknown }>(expand(sql));
      for (const { name, facts } of rows) entries.push({ kind, name, facts });
    }
    const tables = entries.filter(
      ({ kind, facts }) => kind === 'relation' && ['r', 'p'].includes((facts as { kind: string }).kind),
    );
    for (const { name: table } of tables) {
      if (tablesWithoutRows.includes(table)) continue;
      const { rows } = await client.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) AS row FROM ${table} t`,
      );
      for (const { row } of rows) {
        for (const column of Object.keys(row)) {
          if (volatileColumns.includes(`${table}.${column}`)) row[column] = row[column] !== null;
        }
        entries.push({ kind: 'row', name: `${table} ${JSON.stringify(sortKeys(row))}`, facts: true });
      }
    }
    return entries
      .map((entry) => ({ ...entry, facts: sortKeys(entry.facts) }))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  } finally {
    await client.end();
  }
}

export const keyOf = ({ kind, name }: CatalogEntry): string => `${kind} ${name}`;

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}
