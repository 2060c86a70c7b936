import fc from 'fast-check';
import { expect } from 'vitest';
import { ActivityError } from '../../../activities/failures.ts';
import type { KycStatus } from '../../../src/domain/parties/kyc/kyc-states.ts';
import type { KycCheckRef } from '../../../src/domain/workflows/work-refs.ts';
import { applyKycReports } from '../../../src/modules/parties/kyc/apply-kyc-reports.ts';
import { expireApproval } from '../../../src/modules/parties/kyc/expire-approval.ts';
import { kycCheckRef, startKyc } from '../../../src/modules/parties/kyc/start-kyc.ts';
import { storeKycCallback } from '../../../src/modules/parties/kyc/store-kyc-callback.ts';
import { IBAN } from '../payment-harness.ts';
import { kycSequences, type Act, type KycSequence, type Said } from './kyc-sequence.ts';
import { startTogetherHarness } from './together-harness.ts';

const RUNNERS = 6;
const TICK_MS = 50;

/**
 * What PostgreSQL itself saw at each acceptance and each claim: the states that the end-user and their
 * newest check then had. It looks by itself, past every gate that it judges.
 */
const WITNESS = `
  CREATE TABLE witnessed (what text, payment_id text, end_user text, newest text, ends timestamptz, at timestamptz);
  CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    INSERT INTO witnessed
      SELECT TG_ARGV[0], p.id, e.kyc_status, (SELECT c.status FROM kyc_checks c
          WHERE c.end_user_id = e.id ORDER BY c.round DESC LIMIT 1), e.kyc_expires_at, NEW.updated_at
      FROM payments p JOIN end_users e ON e.id = p.end_user_id
      WHERE p.id = to_jsonb(NEW) ->> TG_ARGV[1];
    RETURN NULL;
  END $$;
  CREATE TRIGGER witness AFTER INSERT ON payments
    FOR EACH ROW EXECUTE FUNCTION witness('ACCEPTED', 'id');
  CREATE TRIGGER witness_insert AFTER INSERT ON settlement_attempts
    FOR EACH ROW WHEN (NEW.phase = 'SENDING') EXECUTE FUNCTION witness('CLAIMED', 'payment_id');
  CREATE TRIGGER witness_claim AFTER UPDATE ON settlement_attempts
    FOR EACH ROW WHEN (NEW.phase = 'SENDING' AND NEW.sends > OLD.sends)
    EXECUTE FUNCTION witness('CLAIMED', 'payment_id')`;

/** One end-user with an account and an open check, and what is tried of them. */
interface Subject {
  readonly check: KycCheckRef;
  readonly bankAccountId: string;
  readonly payments: string[];
}

export async function startKycSequences() {
  const harness = await startTogetherHarness();
  await harness.rows(WITNESS);
  harness.resetBank();
  const { scope, clock, deps } = harness;
  const engine = harness.start();
  const judging = () => ({ at: clock.now(), approvalDays: 0 });
  let messages = 0;

  async function addSubject(): Promise<Subject> {
    const post = async (url: string, body: object) => {
      const answer = await harness.ask({ method: 'POST', url, body });
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<{ id: string }>().id;
    };
    const individual = { firstName: 'Ada', lastName: 'Sample' };
    const endUserId = await post('/end-users', { type: 'INDIVIDUAL', individual });
    const bankAccountId = await post('/bank-accounts', {
      ...{ endUserId, country: 'DE', currency: 'EUR', details: { iban: IBAN } },
      ...{ holderName: 'Ada Sample', holderType: 'INDIVIDUAL' },
    });
    const { check } = await deps.db.write(scope, (tx) => startKyc(deps, tx, scope, { endUserId }));
    return { check: kycCheckRef(scope, check), bankAccountId, payments: [] };
  }

  const say = ({ check }: Subject, { providerVersion, status, endsInMs }: Said) => {
    messages += 1;
    const expiresAt = endsInMs === null ? null : new Date(clock.now().getTime() + endsInMs);
    return storeKycCallback(deps, 'test', {
      ...{ reportId: `msg_${String(messages)}`, reference: check.kycCheckId },
      ...{ status, reasonCodes: [], providerVersion, expiresAt },
    });
  };
  const apply = ({ check }: Subject) =>
    deps.db.write(scope, (tx) => applyKycReports(tx, scope, check, judging()));

  async function pay(subject: Subject): Promise<boolean> {
    const { check, bankAccountId, payments } = subject;
    const to = { endUserId: check.endUserId, bankAccountId };
    const answer = await harness.pay(harness.order(to));
    const { id, error } = answer.json<{ id?: string; error?: string }>();
    if (answer.statusCode === 201) payments.push(id ?? '');
    else expect(error).toBe('kyc_not_approved');
    return answer.statusCode === 201;
  }
  /** One step with the bank, asked for again while the bank cannot be reached, as the workflow does. */
  async function settleOne(paymentId: string, attempts = 5): Promise<void> {
    try {
      await engine.settle({ ...scope, paymentId });
    } catch (error) {
      const isPassing = error instanceof ActivityError && error.code === 'BANK_UNREACHABLE';
      if (!isPassing || attempts === 1) throw error;
      await settleOne(paymentId, attempts - 1);
    }
  }
  const settle = ({ payments }: Subject) =>
    Promise.all(payments.map((paymentId) => settleOne(paymentId)));

  async function act(subject: Subject, one: Said | Act): Promise<void> {
    switch (one) {
      case 'APPLY':
        await apply(subject);
        return;
      case 'PAY':
        await pay(subject);
        return;
      case 'SETTLE':
        await settle(subject);
        return;
      case 'EXPIRE':
        await deps.db.write(scope, (tx) => expireApproval(tx, scope, subject.check, judging()));
        return;
      case 'TICK':
        clock.advance(TICK_MS);
        return;
      default:
        await say(subject, one);
    }
  }

  async function standing({ check }: Subject) {
    const [row] = await harness.rows<{ status: KycStatus; ends: Date | null; unread: string }>(
      `SELECT status, expires_at AS ends, (SELECT count(*) FROM kyc_reports r
         WHERE r.kyc_check_id = k.id AND r.processed_at IS NULL) AS unread
       FROM kyc_checks k WHERE id = $1`,
      [check.kycCheckId],
    );
    expect(row?.unread).toBe('0');
    return { status: row?.status ?? 'NOT_STARTED', ends: row?.ends ?? null };
  }

  async function play(sequence: KycSequence): Promise<void> {
    const subject = await addSubject();
    for (const group of sequence.groups) {
      await Promise.all(group.map((one) => act(subject, one)));
    }
    await apply(subject);
    const { status, ends } = await standing(subject);
    const newest = sequence.said.at(-1);
    if (sequence.isLawful) expect(status).toBe(newest?.status ?? 'PENDING');
    // Whatever else a provider says of its newest version, an approval stands by that alone.
    const words = sequence.said.filter(
      (said) => said.providerVersion === newest?.providerVersion && said.status !== 'PENDING',
    );
    if (status === 'APPROVED' && words.length > 0) {
      expect(new Set(words.map((said) => said.status))).toEqual(new Set(['APPROVED']));
    }
    const mayPay = await pay(subject);
    if (sequence.isLawful) expect(mayPay).toBe(status === 'APPROVED');
    if (status !== 'APPROVED') expect(mayPay).toBe(false);
    // An approval that ends under the payment, with no one there to write so.
    if (ends !== null) {
      clock.advance(Math.max(ends.getTime() - clock.now().getTime(), 0));
      expect(await pay(subject)).toBe(false);
    }
    await settle(subject);
  }

  return {
    harness,
    /** Plays so many sequences, some at once. A failure names the one that it was. */
    async playAll(count: number, seed: number): Promise<void> {
      const sequences = fc.sample(kycSequences, { numRuns: count, seed });
      const rest = [...sequences.entries()];
      const runner = async () => {
        for (let one = rest.shift(); one !== undefined; one = rest.shift()) {
          const [index, sequence] = one;
          await play(sequence).catch((cause: unknown) => {
            rest.length = 0;
            throw new Error(`sequence ${String(index)}: ${JSON.stringify(sequence)}`, { cause });
          });
        }
      };
      await Promise.all(Array.from({ length: RUNNERS }, runner));
    },
    /** Acceptances and claims as PostgreSQL saw them, and those of them that should not have been. */
    async witnessed() {
      const [counts] = await harness.rows<{ accepted: number; claimed: number; held: number }>(
        `SELECT count(*) FILTER (WHERE what = 'ACCEPTED')::int AS accepted,
           count(*) FILTER (WHERE what = 'CLAIMED')::int AS claimed,
           (SELECT count(DISTINCT payment_id)::int FROM payment_history
            WHERE status_detail = 'KYC_WITHDRAWN') AS held FROM witnessed`,
      );
      const wrong = await harness.rows(
        `SELECT * FROM witnessed
         WHERE (end_user, newest) IS DISTINCT FROM ('APPROVED', 'APPROVED') OR ends <= at`,
      );
      return { counts, wrong };
    },
    close: () => harness.close(),
  };
}

export type KycSequences = Awaited<ReturnType<typeof startKycSequences>>;
