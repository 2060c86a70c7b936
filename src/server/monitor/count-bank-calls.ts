import type { PayoutConnector } from '../../domain/payments/connector.ts';
import type { TransferAnswer } from '../../domain/payments/transfer-report.ts';
import type { Environment } from '../../domain/scope.ts';
import { COUNTERS } from './metric-list.ts';
import type { Metrics } from './metrics.ts';

const CONNECTORS = COUNTERS.bankCalls.labels.connector;

/** The same connector. What its bank or chain answers is counted. */
export function countBankCalls(
  metrics: Pick<Metrics, 'count'>,
  environment: Environment,
  connector: PayoutConnector,
): PayoutConnector {
  const name = CONNECTORS.find((one) => one === connector.name);
  if (name === undefined) throw new Error(`metrics list no connector ${connector.name}`);
  const counted =
    (call: 'SEND' | 'ASK') =>
    <Answer extends TransferAnswer>(answer: Answer): Answer => {
      const result = answer.kind === 'REPORT' ? answer.report.status : answer.kind;
      metrics.count('bankCalls', { environment, connector: name, call, result });
      return answer;
    };
  return {
    ...connector,
    submit: (transfer, limit) => connector.submit(transfer, limit).then(counted('SEND')),
    ask: (reference, limit) => connector.ask(reference, limit).then(counted('ASK')),
  };
}
