import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decisionsAreSigned } from '../../../../src/cli/verify/decisions-are-signed.ts';
import { connectToVerify } from '../../../../src/cli/verify/reader.ts';
import { findCustomer } from '../../../../src/db/customers/customer-status-store.ts';
import { decideApproval } from '../../../../src/modules/approvals/decide-approval.ts';
import { fileSigner } from '../../../../src/modules/approvals/signatures/file-signer.ts';
import { suspendCustomer } from '../../../../src/modules/customers/suspend-customer.ts';
import { operatorKeys } from '../../../../src/server/runtime/open-operator-keys.ts';
import { createOpsHarness, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';
import { makeFileKey, openssl } from '../../../support/openssl.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { addCustomer } from '../../../support/test-customer.ts';
import { createTestVault } from '../../../support/test-vault.ts';

const NAMES = ['ada', 'ben'] as const;
type Name = (typeof NAMES)[number];

interface FileKey {
  readonly operator: string;
  readonly publicKey: string;
  readonly role?: string;
}

/** Why each decides. */
const REASONS: Readonly<Record<Name, string>> = {
  ada: 'I have read the papers',
  ben: 'called the customer back',
};

const clock = createTestClock();
let folder: string;
let harness: OpsHarness;
let ids: Readonly<Record<Name, string>>;
let publicKeys: Readonly<Record<Name, string>>;
let customerId: string;
let files = 0;
const keys = () =>
  operatorKeys({ opsPasskey: 'required', operatorKeysFile: pathOf('keys.json') }, vault, {
    ...{ clock, onRead: () => undefined, onUnusable: () => undefined },
  });
const vault = createTestVault();
let running: ReturnType<typeof keys>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'file-keys-'));
  name();
  running = keys();
  harness = await createOpsHarness({}, running);
  const [ada, ben] = await Promise.all(NAMES.map((who) => harness.operators.operator(who)));
  ids = { ada: ada ?? '', ben: ben ?? '' };
  publicKeys = { ada: makeFileKey(pathOf('ada.pem')), ben: makeFileKey(pathOf('ben.pem')) };
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  name(keyOf('ada'), keyOf('ben'));
  customerId = await harness.database.db.system((tx) => addCustomer(tx));
  const act = { operator: ids.ada, reason: 'papers are missing' };
  await suspendCustomer(harness.operators.deps, customerId, act);
});

const keyOf = (who: Name) => ({ operator: ids[who], publicKey: publicKeys[who] });
const pathOf = (file: string): string => join(folder, file);

/** Writes the operator keys file, and lets the second pass after which it is looked at. */
function name(...fileKeys: FileKey[]): void {
  const file = {
    ...{ origin: 'https://ops.example', keys: [] },
    fileKeys: fileKeys.map((key) => ({ role: 'COMPLIANCE', ...key })),
  };
  writeFileSync(pathOf('keys.json'), JSON.stringify(file));
  clock.advance(1_000);
}

const status = async () =>
  (await harness.database.people.system((tx) => findCustomer(tx, customerId)))?.status;

/** A command hands the resumption of the customer in. */
async function handIn(): Promise<string> {
  const by = ['--reason', 'the papers have come', '--operator', 'root'];
  const { printed } = await harness.run('customers', 'resume', customerId, ...by);
  return /apr_\w+/.exec(printed)?.[0] ?? '';
}

/** Exports what an operator is to sign. */
async function exported(id: string, signer: Name): Promise<string> {
  files += 1;
  const document = pathOf(`decision-${String(files)}.json`);
  const asked = ['--signer', ids[signer], '--reason', REASONS[signer], '--file', document];
  expect(await harness.run('approvals', 'export', id, ...asked)).toMatchObject({ code: 0 });
  return document;
}

/** Signs where no program of ours is. */
function sign(document: string, signer: Name): string {
  const signature = `${document}.sig`;
  const [key, file] = [
    ['-inkey', pathOf(`${signer}.pem`)],
    ['-in', document, '-out', signature],
  ];
  openssl('pkeyutl', '-sign', '-rawin', ...key, ...file);
  return signature;
}

const imported = (document: string, signature: string) =>
  harness.run(
    ...['approvals', 'import', '--document', document, '--signature', signature],
    ...['--operator', 'root'],
  );

const decide = async (id: string, signer: Name) => {
  const document = await exported(id, signer);
  return imported(document, sign(document, signer));
};

describe('a decision that OpenSSL signed', () => {
  it('takes effect once two operators have signed it, and verify says so', async () => {
    const id = await handIn();
    expect(await decide(id, 'ada')).toMatchObject({ code: 0, error: '' });
    expect(await status()).toBe('SUSPENDED');
    expect(await decide(id, 'ben')).toMatchObject({ code: 0, error: '' });
    expect(await status()).toBe('ACTIVE');
    const brought = await harness.database.people.system((tx) =>
      tx.query(
        `SELECT actor, details FROM audit_log WHERE action = 'approval.import' AND subject = $1 ORDER BY id`,
        [id],
      ),
    );
    expect(brought).toMatchObject([
      { actor: 'operator:root', details: { step: 'PROPOSE' } },
      { actor: 'operator:root', details: { step: 'APPROVE' } },
    ]);
    const connection = await connectToVerify(harness.database.url);
    try {
      expect(await decisionsAreSigned(connection, running)).toMatchObject({ violations: 0 });
      name(keyOf('ada'));
      const { samples } = await decisionsAreSigned(connection, running);
      expect(samples.map(({ subject }) => subject)).toContain(id);
    } finally {
      await connection.close();
    }
  });

  it('is mailed to those who may approve it, once, as one that was taken up in the console', async () => {
    const waiting = () =>
      harness.database.people.system(async (tx) => {
        const rows = await tx.query<{ hash: string }>(
          `SELECT encode(m.address_hash, 'hex') AS hash FROM mails m WHERE m.kind = 'OPS_APPROVAL_WAITING'
             AND m.address_hash = (SELECT o.address_hash FROM operators o WHERE o.id = $1)`,
          [ids.ben],
        );
        return rows.length;
      });
    const before = await waiting();
    const id = await handIn();
    expect(await waiting()).toBe(before);
    await decide(id, 'ada');
    expect(await waiting()).toBe(before + 1);
    await decide(id, 'ben');
    expect(await waiting()).toBe(before + 1);
  });

  it('is written out in full, for a person to read', async () => {
    const id = await handIn();
    const document = JSON.parse(readFileSync(await exported(id, 'ada'), 'utf8')) as unknown;
    expect(document).toEqual({
      ...{ form: 'causeway decision by file key', step: 'PROPOSE', approvalId: id },
      ...{ operatorId: ids.ada, customerId, environment: 'live', action: 'CUSTOMER_RESUMPTION' },
      ...{ subjectId: customerId, subjectVersion: expect.any(Number) as unknown },
      ...{ content: { to: 'ACTIVE' }, reason: REASONS.ada },
    });
  });

  it('has the reason that was signed, which verify compares', async () => {
    const id = await handIn();
    await decide(id, 'ada');
    await decide(id, 'ben');
    const audited = await harness.database.people.system((tx) =>
      tx.query<{ reason: string }>(
        `SELECT details ->> 'reason' AS reason FROM audit_log
         WHERE subject = $1 AND action IN ('approval.take_up', 'approval.approve') ORDER BY id`,
        [id],
      ),
    );
    expect(audited.map(({ reason }) => reason)).toEqual([REASONS.ada, REASONS.ben]);
    const connection = await connectToVerify(harness.database.url);
    try {
      const found = async () => {
        const { samples } = await decisionsAreSigned(connection, running);
        return samples.filter(({ subject }) => subject === id).map(({ problem }) => problem);
      };
      expect(await found()).toEqual([]);
      await harness.database.db.system(async (tx) => {
        await tx.query(
          `SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)`,
        );
        const sql = `UPDATE approvals SET decision_reason = 'another one' WHERE id = $1`;
        await tx.query(sql, [id]);
      });
      expect(await found()).toEqual([`took effect, and ${ids.ben} signed another reason`]);
    } finally {
      await connection.close();
    }
  });

  it('is not exported for the operator who proposed, nor once it is decided', async () => {
    const id = await handIn();
    await decide(id, 'ada');
    const ask = (signer: Name) =>
      harness.run(
        'approvals',
        'export',
        id,
        ...['--signer', ids[signer], '--reason', 'any', '--file', pathOf('none.json')],
      );
    expect(await ask('ada')).toMatchObject({
      ...{ code: 1, error: `${ids.ada} proposed ${id}. Another operator must approve it.` },
    });
    await decide(id, 'ben');
    expect(await ask('ben')).toMatchObject({
      ...{ code: 1, error: `${id} was already decided: APPROVED.` },
    });
  });

  it('takes effect by the same document again where its effect was cut off', async () => {
    const id = await handIn();
    await decide(id, 'ada');
    const document = await exported(id, 'ben');
    const signature = sign(document, 'ben');
    const read = { document: readFileSync(document, 'utf8'), signature: readFileSync(signature) };
    const signer = fileSigner(running, read);
    const act = { operator: ids.ben, reason: REASONS.ben, signer };
    const deps = { ...harness.operators.deps, operatorKeys: running };
    await decideApproval(deps, id, 'APPROVED', act);
    expect(await status()).toBe('SUSPENDED');
    expect(await imported(document, signature)).toMatchObject({ code: 0 });
    expect(await status()).toBe('ACTIVE');
    expect(await imported(document, signature)).toMatchObject({
      ...{ code: 1, error: 'It was already decided: APPROVED.' },
    });
  });
});

describe('no decision comes of', () => {
  /** Nothing is decided by it, whatever it is. */
  async function refuses(
    given: (id: string) => Promise<{ readonly code: number; readonly error: string }>,
    why: string,
  ): Promise<void> {
    const id = await handIn();
    await decide(id, 'ada');
    const { code, error } = await given(id);
    expect([code, error]).toEqual([1, expect.stringContaining(why)]);
    expect(await status()).toBe('SUSPENDED');
    expect(await decide(id, 'ben')).toMatchObject({ code: 0 });
  }

  /** A document that was changed after its export. */
  const changed = (id: string, from: string | RegExp, to: string) =>
    exported(id, 'ben').then((document) => {
      writeFileSync(document, readFileSync(document, 'utf8').replace(from, to));
      return imported(document, sign(document, 'ben'));
    });

  it('the signature of another key', () =>
    refuses(async (id) => {
      const document = await exported(id, 'ben');
      return imported(document, sign(document, 'ada'));
    }, 'signed as something else'));

  it('the signature of another document', () =>
    refuses(async (id) => {
      const other = pathOf(`other-${id}.json`);
      writeFileSync(other, 'something else');
      return imported(await exported(id, 'ben'), sign(other, 'ben'));
    }, 'signed as something else'));

  it('a reason that was changed after it was signed', () =>
    refuses(async (id) => {
      const document = await exported(id, 'ben');
      const signature = sign(document, 'ben');
      const text = readFileSync(document, 'utf8');
      writeFileSync(document, text.replace(REASONS.ben, 'nobody was called'));
      return imported(document, signature);
    }, 'signed as something else'));

  it.each([
    ['no reason', /,\n {2}"reason": "[^"]*"/, ''],
    ['an empty reason', REASONS.ben, ' '],
    ['a reason of two lines', REASONS.ben, 'one\\ntwo'],
    ['half a character in its reason', REASONS.ben, 'one \\ud83d'],
  ])('a signed document with %s', (_what, from, to) =>
    refuses((id) => changed(id, from, to), 'reason'),
  );

  it.each([
    ['another version', /"subjectVersion": (\d+)/, '"subjectVersion": 1$1'],
    ['another content', '"ACTIVE"', '"SUSPENDED"'],
    ['another customer', /"customerId": "cus_\w/, '"customerId": "cus_z'],
    ['another environment', '"live"', '"test"'],
    ['other spaces', '  "step"', '    "step"'],
  ])('a signed document that says %s', (_what, from, to) =>
    refuses((id) => changed(id, from, to), 'says something else than the approval does now'),
  );

  it('one operator’s signatures for both', () =>
    refuses((id) => changed(id, ids.ben, ids.ada), 'You proposed this, so you cannot approve it'));

  it('a proposal’s signature where it is an approval', () =>
    refuses(
      (id) => changed(id, '"APPROVE"', '"PROPOSE"'),
      'Another operator is already the proposer',
    ));

  it('a key that the file does not name any more', () =>
    refuses(async (id) => {
      const document = await exported(id, 'ben');
      name(keyOf('ada'));
      const outcome = await imported(document, sign(document, 'ben'));
      name(keyOf('ada'), keyOf('ben'));
      return outcome;
    }, 'names no file key'));

  it('a key whose role has not that right', () =>
    refuses(async (id) => {
      const document = await exported(id, 'ben');
      name(keyOf('ada'), { ...keyOf('ben'), role: 'SUPPORT' });
      const outcome = await imported(document, sign(document, 'ben'));
      name(keyOf('ada'), keyOf('ben'));
      return outcome;
    }, 'without that right'));
});
