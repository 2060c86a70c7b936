/** One way to build it wrong, and the test whose own check must see it. */
export interface BrokenBuild {
  readonly file: string;
  readonly test: string;
  /** A text of one source file, and what stands in its place. */
  readonly source?: { readonly path: string; readonly from: string; readonly to: string };
  /** What is done to the migrated database that every test clones, as its superuser. */
  readonly sql?: string;
}

/** A function of the database with a text replaced; fails where the function does not have it. */
const rewrite = (name: string, from: string, to: string): string => `
  DO $do$
  DECLARE
    definition constant text := pg_get_functiondef(to_regproc('${name}'));
  BEGIN
    IF position($t$${from}$t$ IN definition) = 0 THEN
      RAISE EXCEPTION '${name} has no such text';
    END IF;
    EXECUTE replace(definition, $t$${from}$t$, $t$${to}$t$);
  END $do$`;

export const BROKEN_BUILDS: Readonly<Record<string, BrokenBuild>> = {
  'tries of a code are not counted': {
    file: 'test/access/login-codes.test.ts',
    test: 'is judged five times, of a thousand at once, and the right one is then too late',
    sql: rewrite('judge_login_code', 'tries = c.tries + 1', 'tries = c.tries'),
  },
  'step-up is skipped': {
    file: 'test/web/step-up.test.ts',
    test: 'is done once it is proven by the code that was mailed for it, and not before',
    source: {
      path: 'src/web/step-up.tsx',
      from: `if (verdict?.kind === 'RIGHT') {`,
      to: 'if (person !== null) {',
    },
  },
  'the trigger that asks for an approval is dropped': {
    file: 'test/web/console-acts.test.ts',
    test: 'the database refuses it ACTIVE without an approval in use, from every role',
    sql: 'DROP TRIGGER guard_customer_status ON customers',
  },
  'a policy is dropped, and its table open': {
    file: 'test/mail/send-mail.test.ts',
    test: 'who works for one customer writes no mail to users of another, and reads none',
    sql: 'DROP POLICY own_mails_are_written ON mails; ALTER TABLE mails DISABLE ROW LEVEL SECURITY',
  },
  'the Host check is off': {
    file: 'test/web/requests.test.ts',
    test: 'is not taken from headers that a proxy or an attacker adds',
    source: {
      path: 'src/web/plugins/host-check.ts',
      from: `if (!isOurs || countHeader(request.raw, 'host') !== 1) throw foreignHost();`,
      to: 'void [isOurs, countHeader, foreignHost];',
    },
  },
};

/** Which one a run of tests is to be made with; null in every other run. */
export function brokenBuild(): BrokenBuild | null {
  const name = process.env['BROKEN_BUILD'];
  if (name === undefined || name === '') return null;
  const build = BROKEN_BUILDS[name];
  if (build === undefined) throw new Error(`there is no broken build "${name}"`);
  return build;
}
