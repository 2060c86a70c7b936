import { expect } from 'vitest';
import { createReconciliationActivities } from '../../../activities/reconciliation/reconciliation.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { keepReferences } from '../../../src/modules/ledger/funding/keep-references.ts';
import { createOpsCommands } from '../cli/ops/ops-commands.ts';
import { createPaperBank } from '../reconciliation/reconciliation-harness.ts';
import { statementXml, type EntryDraft } from '../reconciliation/statement-xml.ts';
import { createTwoOperators } from '../two-operators.ts';
import { finalise } from '../finalise.ts';
import type { ScriptedHarness } from './settlement-harness.ts';

/** So long a payment of the test environment may come back. */
const RETURN_WINDOW_MS = 10_000;

export type StatementPlays = ReturnType<typeof createStatementPlays>;

/** What statements show and what operators decide, for examples that are played one after the other. */
export function createStatementPlays({ database, deps, clock, rows }: ScriptedHarness) {
  const { db } = database;
  const bank = createPaperBank();
  const activities = createReconciliationActivities({
    ...{ db, clock, corridors: deps.corridors, heartbeat: () => undefined, alarm: () => undefined },
    connectors: {
      statementSources: (environment) => (environment === 'test' ? [bank.source] : []),
      depositor: () => null,
    },
    wakePayment: async () => undefined,
    missingAfterMs: { test: 60_000, live: 60_000 },
  });
  const ops = createOpsCommands(database.commands, clock);
  const operators = createTwoOperators(database.people, clock);
  const by = (operator: string) => ['--reason', 'sample', '--operator', operator];

  return {
    /** Reads and reconciles a statement in a currency. */
    async show(currency: string, entries: readonly EntryDraft[]): Promise<void> {
      bank.publish((id) => statementXml({ id, currency, entries }));
      for (const ref of await activities.listStatements('test')) {
        await activities.readStatement(ref);
        await activities.reconcileStatement(ref);
      }
    },
    /** What the customer's payers write so that their money finds its balance. */
    async reference(scope: Scope, currency: string): Promise<string> {
      const found = await keepReferences({ db, clock }, scope, [currency]);
      return found.get(currency) ?? '';
    },
    /** A command proposes, two operators approve. */
    async decide(...command: readonly string[]): Promise<void> {
      const proposed = await ops(...command, ...by('ada'));
      const proposal = /apr_[0-9a-z]+/.exec(proposed.printed)?.[0] ?? proposed.printed;
      const approved = await operators.approve(proposal);
      expect(approved.code, approved.printed).toBe(0);
    },
    async newestUnmatched(): Promise<string> {
      const [row] = await rows<{ id: string }>(
        'SELECT id FROM incoming_credits WHERE outcome IS NULL ORDER BY seq DESC LIMIT 1',
      );
      return row?.id ?? '';
    },
    async endReturnWindow(paymentId: string): Promise<void> {
      clock.advance(RETURN_WINDOW_MS);
      await finalise(db, clock);
      const found = await rows('SELECT finality FROM payments WHERE id = $1', [paymentId]);
      expect(found).toEqual([{ finality: 'FINAL' }]);
    },
  };
}
