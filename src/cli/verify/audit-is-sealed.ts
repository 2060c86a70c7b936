import { createHmac } from 'node:crypto';
import { pepperOf, type Peppers } from '../../domain/peppers.ts';
import type { Reader, Rule } from './reader.ts';
import { combine, SAMPLES_MAX, type Findings, type Violation } from './verdict.ts';

/** A seal that was kept outside the database, as the worker's log has it. */
export interface KeptSeal {
  readonly number: string;
  /** In hex. */
  readonly hash: string;
}

/** What is known of seals from outside the database. */
export interface SealEvidence {
  /** What seals are authenticated with; null leaves that unchecked. */
  readonly peppers: Peppers | null;
  readonly kept: KeptSeal | null;
}

/** The worker seals every 10 s, and waits for transactions that write down an act. */
const UNSEALED_MAX = '1 hour';

const timeOf = (column: string): string =>
  `coalesce(to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), ${column}::text)`;
const textOf = (column: string): string => `coalesce(to_json(${column})::text, 'null')`;

/** A row of the audit log as a line of JSON, whose bytes are hashed. */
const LINE = `'{"id":"' || a.id || '","at":"' || ${timeOf('a.at')} || '","actor":' || ${textOf('a.actor')}
  || ',"action":' || ${textOf('a.action')} || ',"customerId":' || ${textOf('a.customer_id')}
  || ',"environment":' || ${textOf('a.environment')} || ',"subject":' || ${textOf('a.subject')}
  || ',"details":' || a.details::text || '}' || chr(10)`;

/** Each seal beside the one before, and beside what its rows are now. */
const SEALS = `
  SELECT s.*, sealed.rows AS rows_now, sha256(convert_to(
      encode(s.previous_hash, 'hex') || chr(10) || sealed.lines || concat_ws(' ', s.number, s.first_id, s.last_id,
        s.row_count, ${timeOf('s.sealed_at')}) || chr(10), 'UTF8')) AS hash_now
  FROM (SELECT *, lag(number, 1, 0::bigint) OVER older AS number_before, lag(last_id) OVER older AS after_id,
      lag(hash, 1, decode(repeat('00', 32), 'hex')) OVER older AS hash_before
    FROM audit_seals WINDOW older AS (ORDER BY number)) s
  CROSS JOIN LATERAL (SELECT count(*) AS rows, coalesce(string_agg(${LINE}, '' ORDER BY a.id), '') AS lines
    FROM audit_log a WHERE (s.after_id IS NULL OR a.id > s.after_id) AND a.id <= s.last_id) sealed`;

const BROKEN = `
  SELECT subject, problem FROM (SELECT 'seal ' || number AS subject, CASE
      WHEN number - 1 <> number_before THEN 'the seal before it is missing'
      WHEN previous_hash <> hash_before THEN 'it does not follow from the seal before'
      WHEN rows_now <> row_count THEN 'it has ' || row_count || ' rows up to row ' || last_id || ', and there are ' || rows_now
      WHEN hash_now <> hash THEN 'a row from ' || first_id || ' to ' || last_id || ', or the seal, was changed'
    END AS problem FROM (${SEALS}) s) broken
  WHERE problem IS NOT NULL`;
const UNSEALED = `
  SELECT 'audit log ' || a.id AS subject, 'is more than an hour old and not sealed' AS problem FROM audit_log a
  WHERE a.at < now() - $1::interval AND a.id > coalesce((SELECT max(last_id) FROM audit_seals), 0)`;
const KEPT = `
  SELECT 'seal ' || $1 AS subject, 'is not there with the hash that was kept' AS problem
  WHERE NOT EXISTS (SELECT FROM audit_seals WHERE number::text = $1 AND encode(hash, 'hex') = $2)`;

/**
 * The rows of the audit log are those that were sealed: none was changed, removed, or put among them, and the seals follow
 * each other. Who may change every table may make all seals anew, but not their MACs, and not what was kept outside.
 * Null where there is no seal and nothing that says there must be one.
 */
export async function auditIsSealed(
  reader: Reader,
  { peppers, kept }: SealEvidence,
): Promise<Findings | null> {
  const rules: Rule[] = [{ sql: BROKEN }, { sql: UNSEALED, values: [UNSEALED_MAX] }];
  if (kept !== null) rules.push({ sql: KEPT, values: [kept.number, kept.hash] });
  if (peppers === null && kept === null) {
    const [seal] = await reader.query('SELECT FROM audit_seals LIMIT 1');
    if (seal === undefined) return null;
  }
  const rows = await reader.look('SELECT count(*) AS checked FROM audit_log', rules);
  return peppers === null ? rows : combine(rows, await sealsAreAuthentic(reader, peppers));
}

const PAGE = 1_000;

/**
 * Each seal has the MAC of its hash, under a pepper that is given. None was made under an earlier pepper than the seal before,
 * and the last one under none that is retired: who has got hold of such a pepper could have made those from some seal on.
 */
async function sealsAreAuthentic(reader: Reader, peppers: Peppers): Promise<Findings> {
  const samples: Violation[] = [];
  let [checked, violations, newest] = [0, 0, 0];
  const find = (number: string, problem: string | null): void => {
    if (problem === null) return;
    violations += 1;
    if (samples.length < SAMPLES_MAX) samples.push({ subject: `seal ${number}`, problem });
  };
  let after = '0';
  for (;;) {
    const page = await reader.query<{ number: string; hash: string; mac: Buffer }>(
      `SELECT number::text AS number, encode(hash, 'hex') AS hash, mac FROM audit_seals
       WHERE number > $1 ORDER BY audit_seals.number LIMIT ${String(PAGE)}`,
      [after],
    );
    for (const { number, hash, mac } of page) {
      checked += 1;
      const problem = problemOf(peppers, hash, mac, newest);
      find(number, problem);
      if (problem === null) newest = pepperOf(mac);
    }
    const last = page.at(-1);
    if (last !== undefined) after = last.number;
    if (page.length < PAGE) break;
  }
  if (checked > 0 && newest < peppers.acceptedFrom) {
    find(after, 'it is the last one, and was made with a retired pepper');
  }
  return { checked, violations, samples };
}

function problemOf(peppers: Peppers, hash: string, mac: Buffer, newest: number): string | null {
  const number = pepperOf(mac);
  if (!peppers.byNumber.has(number)) return `PEPPER has no number ${String(number)}, which made it`;
  if (!macOf(peppers, number, hash).equals(mac)) return 'it was not made with the PEPPER';
  return number < newest ? 'it was made with an earlier pepper than a seal before it' : null;
}

/** As src/vault/keyed-hash.ts makes it. */
function macOf({ byNumber }: Peppers, number: number, hash: string): Buffer {
  const hmac = (pepper: number, text: string | Buffer): Buffer =>
    createHmac('sha256', byNumber.get(pepper) ?? '')
      .update(text)
      .digest();
  let mac = hmac(0, `audit-seal\0${hash}`);
  for (let pepper = 1; pepper <= number; pepper += 1) {
    const raised = hmac(pepper, Buffer.concat([Buffer.from('raised\0'), mac.subarray(-32)]));
    mac = Buffer.concat([Buffer.from([pepper]), raised]);
  }
  return mac;
}
