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
  'silence about a transfer is taken for a refusal, and another nonce tried': {
    file: 'test/chain/lane-crash.test.ts',
    test: 'what is sent and not answered for keeps its nonce, is signed once, and is sent again as it is',
    source: {
      path: 'src/chain/advance-nonce.ts',
      from: `case 'BROADCAST':\n      return broadcast(deps, row, step.number);`,
      to: `case 'BROADCAST':
      return deps.db.system(async (tx) => {
        const held = await lockCarried(tx, row);
        if (held) await saveTransfer(tx, { ...held, state: 'WAITING' }, look.now);
      });`,
    },
    sql: 'DROP TRIGGER guard_chain_transfer ON chain_transfers; DROP INDEX one_nonce_a_transfer',
  },
  'the database lets a transfer have two nonces': {
    file: 'test/chain/lane-guards.test.ts',
    test: 'gives a transfer no other nonce while the first may still move it',
    sql: 'DROP INDEX one_nonce_a_transfer',
  },
  'what is signed and stored is signed again': {
    file: 'test/chain/lane-crash.test.ts',
    test: 'what is sent and not answered for keeps its nonce, is signed once, and is sent again as it is',
    source: {
      path: 'src/domain/chain/next-chain-step.ts',
      from: `if (newest.hash === null) return { kind: 'SIGN'`,
      to: `if (newest.kind === 'TRANSFER') return { kind: 'SIGN'`,
    },
  },
  'the database lets what is signed be replaced': {
    file: 'test/chain/lane-guards.test.ts',
    test: 'stores what is signed once',
    sql: 'DROP TRIGGER guard_chain_transaction ON chain_transactions',
  },
  'a transaction that succeeds is a payment, whatever it moved': {
    file: 'test/chain/lane-tokens.test.ts',
    test: 'in a transaction that succeeds has not paid: it waits, and its funds with it',
    source: {
      path: 'src/chain/find-nonce.ts',
      from: 'mined.isSuccess && (isOfNoPayment(row, number) || movedWhatWasAsked(row, mined))',
      to: 'mined.isSuccess',
    },
  },
  'funds go back for a transaction that may still be replaced': {
    file: 'test/chain/lane-tokens.test.ts',
    test: 'stopped before it is mined is no success: once that is final it waits until the issuer lets it',
    source: {
      path: 'src/domain/chain/next-chain-step.ts',
      from: `if (depth !== 'FINAL') return`,
      to: `if (depth === 'YOUNG') return`,
    },
  },
  'the first node is believed where the second says otherwise': {
    file: 'test/connectors/evm/ask-contract.test.ts',
    test: 'one node that says yes where the other says no proves nothing',
    source: {
      path: 'src/connectors/evm/evm-node.ts',
      from: '!others.every((other) => isSame(first, other))',
      to: 'others.length < 0',
    },
  },
  'a deposit is credited at the head': {
    file: 'test/deposits/read-chain.test.ts',
    test: 'is SEEN with its block, CREDITED three blocks under the newest one, and FINAL six',
    source: {
      path: 'src/deposits/credit-deposits.ts',
      from: 'credit: heads.credit.number,',
      to: 'credit: heads.latest.number,',
    },
  },
  'a deposit is told by its place in the block': {
    file: 'test/deposits/token-deposits.test.ts',
    test: 'that is mined again behind others in its block is the same deposit',
    source: {
      path: 'src/connectors/evm/read-receipt.ts',
      from: 'transfers.push({ ...transfer, ordinal })',
      to: 'transfers.push({ ...transfer, ordinal: Number(logIndex) })',
    },
  },
  'the receipt of one provider is enough': {
    file: 'test/deposits/read-chain.test.ts',
    test: 'of which one has not got the receipt credit nothing',
    source: {
      path: 'src/connectors/evm/find-transaction.ts',
      from: 'await askEach(nodes, (node) => lookFor(node, hash))',
      to: '(await askEach(nodes, (node) => lookFor(node, hash))).slice(0, 1)',
    },
  },
  'the watched addresses are read before the head': {
    file: 'test/deposits/read-chain.test.ts',
    test: 'to an address that is given out while the chain is looked at is seen with that look',
    source: {
      path: 'src/deposits/read-chain.ts',
      from: 'const isHeadMore = await readHead(',
      to: `Object.assign(look, { heads: await nodes.heads() });
  const isHeadMore = await readHead(`,
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
