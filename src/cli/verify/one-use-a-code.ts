import type { Reader, Rule } from './reader.ts';
import type { Findings } from './verdict.ts';

const OPENED = `FROM audit_log WHERE action = 'session.open' AND details ? 'code'`;

const USED_TWICE = `
  SELECT min(actor) AS subject, count(*) || ' sessions were opened by one code' AS problem
  ${OPENED} GROUP BY details->>'code' HAVING count(*) > 1`;

const RULES: readonly Rule[] = [{ sql: USED_TWICE }];

/** I16: a code opens one session. That the code of an act does one act stands in no row: tests show it. */
export function codesAreUsedOnce(reader: Reader): Promise<Findings> {
  return reader.look(`SELECT count(*) AS checked ${OPENED}`, RULES);
}
