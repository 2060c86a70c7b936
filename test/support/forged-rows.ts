/** The database logins, and the role that each works as: over every scope, or in the scope of a customer. */
export type Login =
  | 'console'
  | 'ops'
  | 'ops in a scope'
  | 'dashboard before a scope'
  | 'dashboard'
  | 'worker'
  | 'API';

/** What the database refuses a statement by: a right that the role lacks, or a guard. */
export type Stop = 'GRANT' | { readonly guard: string };

export interface RowWay {
  readonly what: string;
  readonly login: Login;
  readonly sql: string;
  readonly stop: Stop;
  /** What takes the guards away: the statement then does what the attacker wants. */
  readonly without?: readonly string[];
}

const off = (table: string, ...triggers: readonly string[]): readonly string[] =>
  triggers.map((trigger) => `ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);

const DECIDE = (id: string, operator: string, at = 'now()') =>
  `UPDATE approvals SET decision = 'APPROVED', decided_by = ${operator}, decided_at = ${at},
     decision_reason = 'x' WHERE id = ${id}`;
const PROPOSE = `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version, content,
    proposed_by, proposed_at, reason, expires_at)
  VALUES ('apr_forged', :customer, 'live', 'REMOVE_PASSKEYS', 'usr_forged', 1, '{}', :ada, now(), 'x',
    now() + interval '1 day')`;
const USE = (id: string) =>
  `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at)
   VALUES (${id}, :customer, 'live', now())`;
const SIGN = `INSERT INTO approval_signatures (approval_id, step, customer_id, environment, operator_id, credential_id,
    authenticator_data, client_data, signature, signed_at, reason)
  VALUES (:waiting, 'APPROVE', :customer, 'live', :ben, 'x', repeat('x', 37)::bytea, 'x', 'x', now(), 'x')`;
const PASSKEY = `INSERT INTO passkeys (id, credential_id, public_key, counter, transports, operator_id, browser, created_at)
  VALUES ('psk_01m7y71j9ffev8ndxzafvqhs4a', 'x', 'x', 0, '{}', :ben, 'x', now())`;
const ROLE = `UPDATE operators SET role = 'COMPLIANCE' WHERE id = :unconfirmed`;
const CONFIRM = `UPDATE operators SET confirmed_at = now(), confirmed_by = id WHERE id = :unconfirmed`;
const LIVE_ACCESS = 'UPDATE customers SET live_access = true WHERE id = :closed';
const LIVE_GUARDS = off('customers', 'guard_live_access', 'guard_screened_live_access');
const RESUME = `UPDATE customers SET status = 'ACTIVE' WHERE id = :customer`;
const RESUMED = off('customers', 'guard_customer_status');
const ADDRESS = `UPDATE api_key_addresses SET status = 'APPROVED', decided_by = 'x', decided_at = now(),
  version = version + 1 WHERE id = :address`;

const ways = (login: Login, rows: readonly Omit<RowWay, 'login'>[]): readonly RowWay[] =>
  rows.map((row) => ({ ...row, login }));

const CONSOLE = ways('console', [
  {
    what: 'approves in the name of the operator who proposed',
    sql: DECIDE(':waiting', 'proposed_by'),
    stop: { guard: 'two_(operators|accounts)_approve' },
    without: [
      'ALTER TABLE approvals DROP CONSTRAINT two_operators_approve, DROP CONSTRAINT two_accounts_approve',
    ],
  },
  {
    what: 'approves in the name of an account that nobody confirmed',
    sql: DECIDE(':waiting', ':unconfirmed'),
    stop: { guard: 'approver_is_confirmed' },
    without: off('approvals', 'approver_is_confirmed', 'guard_approval'),
  },
  {
    what: 'approves what no operator has taken up',
    sql: DECIDE(':handedIn', ':ben'),
    stop: { guard: 'approvals_are_operators' },
    without: off('approvals', 'guard_approval'),
  },
  {
    what: 'approves what has run out, by an earlier time',
    sql: DECIDE(':expired', ':ben', 'proposed_at'),
    stop: { guard: 'approvals_run_out' },
    without: off('approvals', 'guard_approval'),
  },
  {
    what: 'turns a refusal into an approval',
    sql: DECIDE(':refused', ':ben'),
    stop: { guard: 'taken up once, decided once' },
    without: off('approvals', 'guard_approval'),
  },
  {
    what: 'takes the withdrawal of an approval back',
    sql: `UPDATE approvals SET void_as = NULL, void_by = NULL, void_at = NULL, void_reason = NULL WHERE id = :withdrawn`,
    stop: { guard: 'taken up once, decided once' },
    without: off('approvals', 'guard_approval'),
  },
  {
    what: 'changes what was approved, and its hash',
    sql: `UPDATE approvals SET content = '{"to": "REJECTED"}', content_hash = sha256('x') WHERE id = :approved`,
    stop: 'GRANT',
    without: off('approvals', 'guard_approval'),
  },
  {
    what: 'changes the version that was approved',
    sql: 'UPDATE approvals SET subject_version = 99 WHERE id = :approved',
    stop: 'GRANT',
    without: off('approvals', 'guard_approval'),
  },
  {
    what: 'lets an approval stand for longer',
    sql: `UPDATE approvals SET expires_at = expires_at + interval '1 hour' WHERE id = :approved`,
    stop: 'GRANT',
    without: off('approvals', 'guard_approval'),
  },
  {
    what: 'names another operator as the one who approved',
    sql: 'UPDATE approvals SET decided_by = :carl WHERE id = :approved',
    stop: { guard: 'taken up once, decided once' },
    without: off('approvals', 'guard_approval'),
  },
  {
    what: 'uses a proposal that nobody approved',
    sql: USE(':waiting'),
    stop: { guard: 'what_is_used_is_approved' },
    without: off('approval_uses', 'guard_approval_use'),
  },
  {
    what: 'uses an approval that was withdrawn',
    sql: USE(':withdrawn'),
    stop: { guard: 'what_is_used_is_approved' },
    without: off('approval_uses', 'guard_approval_use'),
  },
  {
    what: 'makes an approval that was used good for their own transaction',
    sql: 'UPDATE approval_uses SET used_by_transaction = pg_current_xact_id() WHERE approval_id = :used',
    stop: 'GRANT',
    without: off('approval_uses', 'approval_uses_is_append_only'),
  },
  {
    what: 'deletes the use of an approval, to use it again',
    sql: 'DELETE FROM approval_uses WHERE approval_id = :used',
    stop: 'GRANT',
    without: off('approval_uses', 'approval_uses_is_append_only'),
  },
  {
    what: 'gives a signature to another operator',
    sql: 'UPDATE approval_signatures SET operator_id = :carl WHERE approval_id = :used',
    stop: 'GRANT',
    without: off('approval_signatures', 'approval_signatures_is_append_only'),
  },
  {
    what: 'deletes a signature, to put another one in its place',
    sql: 'DELETE FROM approval_signatures WHERE approval_id = :used',
    stop: 'GRANT',
    without: off('approval_signatures', 'approval_signatures_is_append_only'),
  },
  {
    what: 'gives live access directly',
    sql: LIVE_ACCESS,
    stop: { guard: 'live_access_takes_two_operators' },
    without: LIVE_GUARDS,
  },
  {
    what: 'names another approval for live access',
    sql: 'UPDATE customers SET live_approval_id = :used WHERE id = :customer',
    stop: 'GRANT',
  },
  {
    what: 'resumes a customer directly',
    sql: RESUME,
    stop: { guard: 'two operators' },
    without: RESUMED,
  },
  {
    what: 'approves an address directly',
    sql: ADDRESS,
    stop: { guard: 'an address of a live key takes two operators' },
    without: off('api_key_addresses', 'guard_key_address'),
  },
  {
    what: 'moves an address that was approved to another range',
    sql: `UPDATE api_key_addresses SET range = '198.51.100.7/32' WHERE id = :open`,
    stop: { guard: 'it is only decided or removed' },
    without: off('api_key_addresses', 'guard_key_address'),
  },
  {
    what: 'adds an address that is approved',
    sql: `INSERT INTO api_key_addresses (id, customer_id, environment, api_key_id, range, status, decided_by, decided_at,
        created_at, label)
      SELECT 'alw_01m7y71j9ffev8ndxzafvqhs4a', customer_id, environment, api_key_id, '198.51.100.7/32', 'APPROVED', 'x', now(), now(), ''
      FROM api_key_addresses WHERE id = :address`,
    stop: { guard: 'in live it takes two operators' },
    without: off('api_key_addresses', 'guard_new_key_address'),
  },
  {
    what: 'restores a passkey that was removed',
    sql: 'UPDATE passkeys SET removed_at = NULL, removed_in = NULL WHERE id = :removedPasskey',
    stop: { guard: 'it is removed, or not to be changed' },
    without: off('passkeys', 'guard_passkey'),
  },
  {
    what: 'sets the counter of a passkey back, for a copy of it',
    sql: 'UPDATE passkeys SET counter = counter - 1 WHERE id = :passkey',
    stop: { guard: 'it is removed, or not to be changed' },
    without: off('passkeys', 'guard_passkey'),
  },
  {
    what: 'puts their own key into the passkey of an operator',
    sql: `UPDATE passkeys SET public_key = 'x' WHERE id = :passkey`,
    stop: 'GRANT',
    without: off('passkeys', 'guard_passkey'),
  },
  {
    what: 'confirms an account by itself',
    sql: CONFIRM,
    stop: { guard: 'admins_confirm_operators' },
    without: off('operators', 'admins_confirm_operators'),
  },
]);

const OPS = ways('ops', [
  {
    what: 'proposes in the name of an operator',
    sql: PROPOSE,
    stop: { guard: 'the_console_proposes' },
    without: off('approvals', 'console_proposes'),
  },
  {
    what: 'takes a proposal up for an operator',
    sql: 'UPDATE approvals SET proposed_by = :ada, taken_up_at = now() WHERE id = :handedIn',
    stop: 'GRANT',
  },
  { what: 'approves for an operator', sql: DECIDE(':waiting', ':ben'), stop: 'GRANT' },
  { what: 'uses an approval', sql: USE(':approved'), stop: 'GRANT' },
  { what: 'signs for an operator', sql: SIGN, stop: 'GRANT' },
  { what: 'inserts a passkey of an operator', sql: PASSKEY, stop: 'GRANT' },
  { what: 'changes the role of an operator', sql: ROLE, stop: 'GRANT' },
  {
    what: 'confirms an account',
    sql: CONFIRM,
    stop: 'GRANT',
    without: off('operators', 'admins_confirm_operators'),
  },
  {
    what: 'gives live access directly',
    sql: LIVE_ACCESS,
    stop: { guard: 'live_access_takes_two_operators' },
    without: LIVE_GUARDS,
  },
  {
    what: 'resumes a customer directly',
    sql: RESUME,
    stop: { guard: 'two operators' },
    without: RESUMED,
  },
  {
    what: 'approves an address directly',
    sql: ADDRESS,
    stop: 'GRANT',
    without: off('api_key_addresses', 'guard_key_address'),
  },
]);

const OTHERS = [
  ...ways('ops in a scope', [
    { what: 'uses an approval', sql: USE(':approved'), stop: 'GRANT' },
    {
      what: 'resumes a customer by the function of the console',
      sql: 'SELECT resume_customer(:customer)',
      stop: 'GRANT',
      without: RESUMED,
    },
  ]),
  ...ways('dashboard before a scope', [
    {
      what: 'proposes in the name of an operator',
      sql: PROPOSE,
      stop: { guard: 'the_console_proposes' },
      without: off('approvals', 'console_proposes'),
    },
    { what: 'approves for an operator', sql: DECIDE(':waiting', ':ben'), stop: 'GRANT' },
    { what: 'signs for an operator', sql: SIGN, stop: 'GRANT' },
    { what: 'inserts a passkey of an operator', sql: PASSKEY, stop: 'GRANT' },
    { what: 'changes the role of an operator', sql: ROLE, stop: 'GRANT' },
    {
      what: 'logs an operator in',
      sql: `SELECT open_session('ses_01m7y71j9ffev8ndxzafvqhs4a', sha256('x'), 'console', :ben, 'x', interval '1 hour', now(),
        now() + interval '1 hour', 5)`,
      stop: 'GRANT',
    },
  ]),
  ...ways('dashboard', [
    { what: 'uses an approval', sql: USE(':approved'), stop: 'GRANT' },
    {
      what: 'approves an address directly',
      sql: ADDRESS,
      stop: 'GRANT',
      without: off('api_key_addresses', 'guard_key_address'),
    },
    { what: 'gives live access directly', sql: LIVE_ACCESS, stop: 'GRANT', without: LIVE_GUARDS },
    {
      what: 'resumes a customer by the function of the console',
      sql: 'SELECT resume_customer(:customer)',
      stop: 'GRANT',
      without: RESUMED,
    },
  ]),
  ...(['worker', 'API'] as const).flatMap((login) =>
    ways(login, [
      { what: 'proposes in the name of an operator', sql: PROPOSE, stop: 'GRANT' },
      { what: 'approves for an operator', sql: DECIDE(':waiting', ':ben'), stop: 'GRANT' },
      { what: 'uses an approval', sql: USE(':approved'), stop: 'GRANT' },
      { what: 'signs for an operator', sql: SIGN, stop: 'GRANT' },
      { what: 'inserts a passkey of an operator', sql: PASSKEY, stop: 'GRANT' },
      { what: 'changes the role of an operator', sql: ROLE, stop: 'GRANT' },
      { what: 'gives live access directly', sql: LIVE_ACCESS, stop: 'GRANT', without: LIVE_GUARDS },
      {
        what: 'approves an address directly',
        sql: ADDRESS,
        stop: 'GRANT',
        without: off('api_key_addresses', 'guard_key_address'),
      },
    ]),
  ),
];

export const ROW_WAYS: readonly RowWay[] = [...CONSOLE, ...OPS, ...OTHERS];
