/** One way to build it wrong, and the test whose own check must see it. */
export interface BrokenBuild {
  /** Of the project `tidy`. */
  readonly file: string;
  /** Fails by an assertion of its own: a property that fails does not say by what. */
  readonly test: string;
  /** A text of one source file, and what stands in its place. */
  readonly source?: { readonly path: string; readonly from: string; readonly to: string };
  /**
   * What is done to the migrated database that every test clones, as its superuser. Not to roles or to other
   * databases: runs beside it have the same server.
   */
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
    file: 'test/integration/customers/login-codes.test.ts',
    test: 'is judged five times, of a thousand at once, and the right one is then too late',
    sql: rewrite('judge_login_code', 'tries = c.tries + 1', 'tries = c.tries'),
  },
  'step-up is skipped': {
    file: 'test/integration/web/step-up.test.ts',
    test: 'is done once it is proven by the code that was mailed for it, and not before',
    source: {
      path: 'src/web/kit/step-up.tsx',
      from: `if (verdict?.kind === 'RIGHT') {`,
      to: 'if (person !== null) {',
    },
  },
  'a new database is planned as if each payment were of another customer': {
    file: 'test/integration/db/young-plans.test.ts',
    test: 'a new database finds one payment of a customer among others by its key',
    sql: `SELECT pg_restore_attribute_stats('schemaname', 'public', 'relname', 'payments', 'attname', shared,
        'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', -1::real)
      FROM unnest(ARRAY['customer_id', 'environment']) AS shared`,
  },
  'a value that a process has changed is overwritten when it is sealed anew': {
    file: 'test/integration/operations/resealing.test.ts',
    test: 'keeps a value that a process has changed meanwhile',
    source: {
      path: 'src/db/operations/reseal-store.ts',
      from: ' AND t.${column} = given.was',
      to: '',
    },
  },
  'the role that moves hashes replaces one under the last pepper': {
    file: 'test/integration/operations/resealer-role.test.ts',
    test: 'reaches no account of another person under their own address',
    sql: 'DROP TRIGGER guard_raised ON users',
  },
  'two processes that hash under different peppers give out one address': {
    file: 'test/integration/operations/pepper-rotation.test.ts',
    test: 'is given to one of two users who are added at once: the old one first',
    source: {
      path: 'src/db/customers/person-store.ts',
      from: 'if (others.length === 0) return;',
      to: 'if (others.length >= 0) return;',
    },
  },
  'a hash under a retired pepper counts': {
    file: 'test/integration/operations/pepper-rotation.test.ts',
    test: 'nor is anything lost when hashes move, and none counts under the retired pepper afterwards',
    source: {
      path: 'src/vault/keyed-hash.ts',
      from: 'number >= acceptedFrom && ',
      to: '',
    },
  },
  'a seal that an earlier pepper makes follows one of a later pepper': {
    file: 'test/integration/cli/verify/verify-rotated-seals.test.ts',
    test: 'a seal that the old pepper alone makes is refused after a seal of the new one',
    source: {
      path: 'src/cli/verify/audit-is-sealed.ts',
      from: 'return number < newest ?',
      to: 'return number < 0 ?',
    },
  },
  'entries are not summed': {
    file: 'test/integration/payments/payment-guards.test.ts',
    test: 'refuses entries that do not sum to zero',
    sql: rewrite('check_added_entries', 'sum(a.amount) <> 0', 'sum(a.amount) IS NULL'),
  },
  'an old ledger transaction takes entries': {
    file: 'test/integration/payments/payment-guards.test.ts',
    test: 'refuses what is added later, of the application and of the owner',
    sql: rewrite('check_added_entries', ' AND t.xmin = pg_current_xact_id()::xid', ''),
  },
  'an entry is numbered apart from its transaction': {
    file: 'test/integration/payments/payment-guards.test.ts',
    test: 'refuses an entry with another number than its transaction has',
    sql: rewrite('check_added_entries', ' AND t.seq = a.seq', ''),
  },
  'the trigger that asks for an approval is dropped': {
    file: 'test/integration/web/console-acts.test.ts',
    test: 'the database refuses it ACTIVE without an approval in use, from every role',
    sql: 'DROP TRIGGER guard_customer_status ON customers',
  },
  'a policy is dropped, and its table open': {
    file: 'test/integration/customers/send-mail.test.ts',
    test: 'who works for one customer writes no mail to users of another, and reads none',
    sql: 'DROP POLICY own_mails_are_written ON mails; ALTER TABLE mails DISABLE ROW LEVEL SECURITY',
  },
  'the Host check is off': {
    file: 'test/integration/web/requests.test.ts',
    test: 'is not taken from headers that a proxy or an attacker adds',
    source: {
      path: 'src/web/kit/plugins/host-check.ts',
      from: `if (!isOurs || countHeader(request.raw, 'host') !== 1) throw foreignHost();`,
      to: 'void [isOurs, countHeader, foreignHost];',
    },
  },
  'silence about a transfer is taken for a refusal, and another nonce tried': {
    file: 'test/integration/onchain/signer-account-crash.test.ts',
    test: 'what is sent and not answered for keeps its nonce, is signed once, and is sent again as it is',
    source: {
      path: 'src/modules/onchain/advance-nonce.ts',
      from: `await sendAgain(deps, of('BROADCAST'));`,
      to: `for (const { row } of of('BROADCAST')) {
        await deps.db.system(async (tx) => {
          const held = await lockCarried(tx, row);
          if (held) await saveTransfer(tx, { ...held, state: 'WAITING' }, cycle.now);
        });
      }`,
    },
    sql: 'DROP TRIGGER guard_chain_transfer ON chain_transfers; DROP INDEX one_nonce_a_transfer',
  },
  'the database lets a transfer have two nonces': {
    file: 'test/integration/onchain/signer-account-guards.test.ts',
    test: 'gives a transfer no other nonce while the first may still move it',
    sql: 'DROP INDEX one_nonce_a_transfer',
  },
  'what is signed and stored is signed again': {
    file: 'test/integration/onchain/signer-account-crash.test.ts',
    test: 'what is sent and not answered for keeps its nonce, is signed once, and is sent again as it is',
    source: {
      path: 'src/domain/onchain/next-chain-step.ts',
      from: `if (newest.hash === null) return { kind: 'SIGN'`,
      to: `if (newest.kind === 'TRANSFER') return { kind: 'SIGN'`,
    },
  },
  'the database lets what is signed be replaced': {
    file: 'test/integration/onchain/signer-account-guards.test.ts',
    test: 'stores what is signed once',
    sql: 'DROP TRIGGER guard_chain_transaction ON chain_transactions',
  },
  'a transaction that succeeds is a payment, whatever it moved': {
    file: 'test/integration/onchain/signer-account-tokens.test.ts',
    test: 'in a transaction that succeeds has not paid: it waits, and its funds with it',
    source: {
      path: 'src/modules/onchain/find-nonce.ts',
      from: 'mined.isSuccess && (isOfNoPayment(row, number) || movedWhatWasAsked(row, mined))',
      to: 'mined.isSuccess',
    },
  },
  'funds go back for a transaction that may still be replaced': {
    file: 'test/integration/onchain/signer-account-tokens.test.ts',
    test: 'stopped before it is mined is no success: once that is final it waits until the issuer lets it',
    source: {
      path: 'src/domain/onchain/next-chain-step.ts',
      from: `if (depth !== 'FINAL') return`,
      to: `if (depth === 'YOUNG') return`,
    },
  },
  'the first node is believed where the second says otherwise': {
    file: 'test/integration/adapters/ask-contract.test.ts',
    test: 'one node that says yes where the other says no proves nothing',
    source: {
      path: 'src/adapters/evm/evm-node.ts',
      from: '!others.every((other) => isSame(first, other))',
      to: 'others.length < 0',
    },
  },
  'a deposit is credited at the head': {
    file: 'test/integration/onchain/read-chain.test.ts',
    test: 'is SEEN with its block, CREDITED three blocks under the newest one, and FINAL six',
    source: {
      path: 'src/modules/onchain/deposits/credit-deposits.ts',
      from: 'credit: heads.credit.number,',
      to: 'credit: heads.latest.number,',
    },
  },
  'a deposit is told by its place in the block': {
    file: 'test/integration/onchain/token-deposits.test.ts',
    test: 'that is mined again behind others in its block is the same deposit',
    source: {
      path: 'src/adapters/evm/read-receipt.ts',
      from: 'transfers.push({ ...transfer, ordinal })',
      to: 'transfers.push({ ...transfer, ordinal: Number(logIndex) })',
    },
  },
  'the receipt of one provider is enough': {
    file: 'test/integration/onchain/read-chain.test.ts',
    test: 'of which one has not got the receipt credit nothing',
    source: {
      path: 'src/adapters/evm/find-receipts.ts',
      from: 'read.map((one) => one[place] ?? null)',
      to: 'read.slice(0, 1).map((one) => one[place] ?? null)',
    },
  },
  'the watched addresses are read before the head': {
    file: 'test/integration/onchain/read-chain.test.ts',
    test: 'to an address that is given out while the chain is looked at is seen with that poll cycle',
    source: {
      path: 'src/modules/onchain/deposits/read-chain.ts',
      from: 'const isHeadMore = await readHead(',
      to: `Object.assign(cycle, { heads: await nodes.heads() });
  const isHeadMore = await readHead(`,
    },
  },
  'a conversion pays out more than was taken': {
    file: 'test/unit/payments/convert-amount.test.ts',
    test: 'gives what arrives for what is paid, rounded down',
    source: {
      path: 'src/domain/payments/fx/convert-amount.ts',
      from: `scale.target, scale.source, 'down')`,
      to: `scale.target, scale.source, 'up')`,
    },
  },
  'live money is exchanged at a stale rate': {
    file: 'test/integration/payments/payments-quoted.test.ts',
    test: 'at a stale rate is accepted in test and refused in live',
    source: {
      path: 'src/modules/payments/quotes/quote-rates.ts',
      from: ` || (isStale && environment === 'live')`,
      to: '',
    },
  },
  'a claim for many sends at a rate that is over': {
    file: 'test/integration/payments/settle-rate-ends.test.ts',
    test: 'is not sent by one claim for many from then on: it fails, and all funds are back',
    source: {
      path: 'src/db/payments/ready-attempt-store.ts',
      from: `AND (p."rateHeldUntil" IS NULL OR p."rateHeldUntil" > :now)`,
      to: 'AND :now::timestamptz IS NOT NULL',
    },
  },
  'a payment is priced anew above its maximum': {
    file: 'test/integration/payments/settle-requotes.test.ts',
    test: 'waits while its price is above its maximum, and is sent when it is within',
    source: {
      path: 'src/modules/payments/requote.ts',
      from: 'totalOf(price) > (payment.maxSourceAmount ?? 0n)',
      to: 'totalOf(price) < 0n',
    },
    sql: 'ALTER TABLE payments DROP CONSTRAINT a_price_stays_below_its_maximum',
  },
  'what was reserved above the price stays reserved': {
    file: 'test/integration/payments/settle-requotes.test.ts',
    test: 'reserves its maximum, and takes no more than its price when it is sent in time',
    source: {
      path: 'src/domain/ledger/movements.ts',
      from: `    ...move(rest, 'reserved', 'available'),\n`,
      to: '',
    },
    sql: 'DROP TRIGGER nothing_stays_reserved ON payments',
  },
  'requests of a customer do not take turns at the limit of the position': {
    file: 'test/integration/payments/fx-limit-unused-quotes.test.ts',
    test: 'requests of one customer at the same moment take no more than one after the other',
    source: {
      path: 'src/modules/payments/quotes/fx-limit.ts',
      from: 'if (isToTake) await lockFxExposureOf(tx, scope);',
      to: 'void [isToTake, lockFxExposureOf];',
    },
  },
  'the bank says once that it never saw the bytes, and they are sent again': {
    file: 'test/integration/payments/settle-resend.test.ts',
    test: 'one "never seen" among errors is not enough',
    source: {
      path: 'src/domain/payments/next-bank-step.ts',
      from: 'MISSING_TO_RESEND = 2',
      to: 'MISSING_TO_RESEND = 1',
    },
  },
  'the bytes of a process that died are sent again, and the bank is not asked': {
    file: 'test/integration/payments/settle-crash.test.ts',
    test: 'between claim and answer: the bank is asked, not sent the bytes again',
    source: {
      path: 'src/domain/payments/next-bank-step.ts',
      from: `if (attempt.phase === 'SENDING') return { kind: 'ASK' };`,
      to: `if (attempt.phase === 'SENDING') return { kind: 'SEND_AGAIN' };`,
    },
  },
  'a payment that the bank may know is canceled, and its funds released': {
    file: 'test/integration/payments/cancel.test.ts',
    test: 'is not canceled between two attempts: the bank may change its mind about the first',
    source: {
      path: 'src/domain/payments/cancel-rules.ts',
      from: `isContradicted || mayBankKnow(attempts)) return`,
      to: 'isContradicted) return',
    },
  },
  'a transfer of a stranger under our reference is a return': {
    file: 'test/integration/reconciliation/bank-evidence.test.ts',
    test: 'a cent paid under it returns no payment and hides no later return',
    source: {
      path: 'src/domain/reconciliation/match-lines.ts',
      from: 'named === undefined || isFromStranger(line)',
      to: 'named === undefined',
    },
  },
  'a key is not asked for its permission': {
    file: 'test/integration/api/scopes.test.ts',
    test: 'that only read let every read in and no change',
    source: {
      path: 'src/api/judge-key.ts',
      from: '!holdsPermission(found.scopes, question.permission)',
      to: '!holdsPermission([question.permission], question.permission)',
    },
  },
  'a live key is let in from every address': {
    file: 'test/integration/api/authentication.test.ts',
    test: 'a live key is let in only from an approved address',
    source: {
      path: 'src/api/judge-key.ts',
      from: `return key.environment === 'test' && key.isOpenToAnyAddress;`,
      to: `return key.environment === 'live' || key.isOpenToAnyAddress;`,
    },
  },
  'a page is open to every role': {
    file: 'test/integration/web/rights.test.ts',
    test: 'lets in exactly the roles that its table names, and tells the others which do',
    source: {
      path: 'src/web/kit/plugins/people.ts',
      from: 'isOpen(right) || rolesOf(surface, right).includes(role)',
      to: 'isOpen(right) || rolesOf(surface, right).length > 0',
    },
  },
  'one operator proposes and approves': {
    file: 'test/integration/cli/ops/approvals.test.ts',
    test: 'the same operator twice, a name that was typed, and a proposal that no operator took up',
    sql: `ALTER TABLE approvals DROP CONSTRAINT two_operators_approve,
      DROP CONSTRAINT two_accounts_approve`,
  },
  'what nobody signed takes effect': {
    file: 'test/integration/customers/forged-signatures.test.ts',
    test: 'brings nothing into effect in the console without signatures',
    source: {
      path: 'src/modules/approvals/signatures/judge-signatures.ts',
      from: 'if (keys.isFromBefore(approval)) return null;',
      to: 'if (approval.id !== "") return null;',
    },
  },
  'a live key needs no signature': {
    file: 'test/integration/customers/forged-signatures.test.ts',
    test: 'opens no address for a live key without signatures',
    source: {
      path: 'src/modules/customers/live/live-approvals.ts',
      from: 'key.approvedRanges.filter((_range, at) => signed[at])',
      to: 'key.approvedRanges.filter((_range, at) => signed.length > at)',
    },
  },
  'the API remembers what a removed key has signed': {
    file: 'test/integration/customers/forged-signatures.test.ts',
    test: 'counts at the API by the file as it is now, and costs no statement again',
    source: {
      path: 'src/modules/customers/live/live-approvals.ts',
      from: 'if (isFresh && seen.keysVersion === keysVersion)',
      to: 'if (isFresh && seen.keysVersion <= keysVersion)',
    },
  },
  'a role in the database is enough to decide': {
    file: 'test/integration/customers/forged-signatures.test.ts',
    test: 'brings nothing into effect in the console with the key of an operator whose role they changed in the row',
    source: {
      path: 'src/modules/approvals/signatures/judge-signatures.ts',
      from: 'key.role !== null && !roles.includes(key.role)',
      to: 'key.role !== null && roles.length === 0',
    },
  },
  'a file key signs for every step': {
    file: 'test/integration/customers/forged-signatures.test.ts',
    test: "brings nothing into effect in the console with a file key's signature of a proposal",
    source: {
      path: 'src/modules/approvals/signatures/judge-signatures.ts',
      from: 'document: decisionDocument(decision) })',
      to: `document: decisionDocument({ ...decision, step: 'PROPOSE' }) })`,
    },
  },
  'a policy keeps customers apart, and not test from live': {
    file: 'test/integration/payments/row-security.test.ts',
    test: 'shows a SELECT without WHERE the rows of its scope only',
    sql: 'ALTER POLICY in_scope ON balances USING (customer_id = scope_customer())',
  },
  'a store leaves it to the policy to keep test from live': {
    file: 'test/integration/parties/where-alone.test.ts',
    test: "everything of another's is a 404",
    source: {
      path: 'src/db/webhooks/webhook-endpoint-store.ts',
      from: '`customer_id = $1 AND environment = $2 AND',
      to: '`customer_id = $1 AND $2::text IS NOT NULL AND',
    },
  },
  'an event is delivered to every customer that subscribes': {
    file: 'test/integration/parties/where-alone.test.ts',
    test: "an event is queued for no endpoint of another's",
    source: {
      path: 'src/db/webhooks/event-store.ts',
      from: `w.customer_id = :customerId AND w.environment = :environment AND w.status`,
      to: 'w.status',
    },
  },
  'the audit log is sealed past a row that is being written': {
    file: 'test/integration/operations/audit-seals.test.ts',
    test: 'a row that commits after a later one is sealed with it, and not passed over',
    source: {
      path: 'src/modules/operations/seal-audit-log.ts',
      from: '  return writers.length;',
      to: '  return writers.length * 0;',
    },
  },
  'the hashes of seals are not compared': {
    file: 'test/integration/cli/verify/verify-audit-seals.test.ts',
    test: 'finds rows that took each other’s place',
    source: {
      path: 'src/cli/verify/audit-is-sealed.ts',
      from: 'WHEN hash_now <> hash THEN',
      to: 'WHEN hash_now IS NULL THEN',
    },
  },
  'the MACs of seals are not compared': {
    file: 'test/integration/cli/verify/verify-audit-seals.test.ts',
    test: 'finds rows whose seals were all made anew, by their MACs or by a seal that was kept',
    source: {
      path: 'src/cli/verify/audit-is-sealed.ts',
      from: '!macOf(peppers, number, hash).equals(mac)',
      to: 'mac.length === 0',
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
