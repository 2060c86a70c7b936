import { addOperator } from '../../src/modules/customers/access/add-person.ts';
import { ApprovalRefused } from '../../src/modules/approvals/approval-refused.ts';
import { decideApproval } from '../../src/modules/approvals/decide-approval.ts';
import type { EffectDeps } from '../../src/modules/operations/apply-approval.ts';
import { approveProposal } from '../../src/modules/operations/approve-proposal.ts';
import type { OperatorAct } from '../../src/modules/approvals/propose-approval.ts';
import { takeUpProposal } from '../../src/modules/approvals/take-up-proposal.ts';
import { findApproval } from '../../src/db/approvals/approval-store.ts';
import type { Database } from '../../src/db/client/database.ts';
import type { OperatorRole } from '../../src/domain/customers/access/operator-rights.ts';
import { rolesWith } from '../../src/domain/customers/access/rights.ts';
import { APPROVAL_RIGHTS } from '../../src/domain/approvals/approval-rights.ts';
import { createCorridorTable } from '../../src/domain/payments/corridors/corridor-table.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { WorkflowClient } from '../../src/domain/workflows/workflow-client.ts';
import { UNSIGNED_COUNTS } from './unsigned-counts.ts';
import { confirmTestOperator } from './test-people.ts';
import { createTestVault } from './test-vault.ts';

/** What became of an approval: code 0 and what it did, or 1 and why not. */
export interface Approved {
  readonly code: 0 | 1;
  /** What it did, or why not; the latter is `error` too. */
  readonly printed: string;
  readonly error: string;
}

/**
 * Operators of a test by their first names, who have accounts and decide as in the console. `people`: the
 * database as web has it.
 */
export function createTwoOperators(
  people: Database,
  clock: Clock,
  workflows: Partial<WorkflowClient> = {},
) {
  const deps: EffectDeps = {
    ...{ db: people, clock, vault: createTestVault(), kycApprovalDays: { test: 0, live: 0 } },
    ...{ corridors: createCorridorTable(), operatorKeys: UNSIGNED_COUNTS },
    ...{ dashboardUrl: 'http://dashboard.localhost:8081', dispatchMail: () => undefined },
    workflows: new Proxy(workflows, {
      get: (given, name) =>
        Reflect.get(given, name) ?? (() => Promise.reject(new Error('no Temporal in this test'))),
    }) as WorkflowClient,
  };
  const ids = new Map<string, Promise<string>>();

  /** The account of that name with that role, made at its first mention. */
  function operator(name: string, role: OperatorRole = 'COMPLIANCE'): Promise<string> {
    const key = `${name}-${role}`.toLowerCase();
    const known = ids.get(key);
    if (known !== undefined) return known;
    const made = people
      .system((tx) => addOperator(deps, tx, { address: `${key}@example.com`, name, role }))
      .then(async (id) => {
        if (id === null) throw new Error(`${key} is taken`);
        await confirmTestOperator({ people, clock }, id);
        return id;
      });
    ids.set(key, made);
    return made;
  }

  /** `first` takes a handed-in proposal up. Answers the act of `second`, who decides about it. */
  async function secondOf(id: string, second: string, first: string): Promise<OperatorAct> {
    const found = await people.system((tx) => findApproval(tx, id));
    if (found === null) throw new ApprovalRefused(`There is no proposal ${id}.`);
    const role = rolesWith('console', APPROVAL_RIGHTS[found.action])?.[0] as OperatorRole;
    if (found.proposedBy === null && found.decision === null) {
      const act = { operator: await operator(first, role), reason: 'asked the bank' };
      await takeUpProposal(deps, id, act).catch((error: unknown) => {
        // Another one was quicker.
        if (!(error instanceof ApprovalRefused)) throw error;
      });
    }
    return { operator: await operator(second, role), reason: 'asked the bank' };
  }

  const orWhyNot = (work: Promise<string>): Promise<Approved> =>
    work.then(
      (printed) => ({ code: 0 as const, printed, error: '' }),
      (error: unknown) => {
        if (!(error instanceof ApprovalRefused)) throw error;
        return { code: 1 as const, printed: error.message, error: error.message };
      },
    );

  return {
    ...{ deps, operator },
    /** `first` takes a handed-in proposal up, `second` approves it, and it takes effect. */
    approve: (id: string, second = 'ben', first = 'ada'): Promise<Approved> =>
      orWhyNot(secondOf(id, second, first).then((act) => approveProposal(deps, id, act))),
    /** The same, cut off before it takes effect. */
    approveOnly: async (id: string, second = 'ben', first = 'ada'): Promise<void> => {
      await decideApproval(deps, id, 'APPROVED', await secondOf(id, second, first));
    },
    refuse: (id: string, second = 'ben'): Promise<Approved> =>
      orWhyNot(
        secondOf(id, second, 'ada').then(async (act) => {
          await decideApproval(deps, id, 'REFUSED', act);
          return 'Refused.';
        }),
      ),
  };
}

export type TwoOperators = ReturnType<typeof createTwoOperators>;
