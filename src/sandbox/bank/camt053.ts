import { formatAmount } from '../../domain/money/amount.ts';
import type { StatementCutFact } from './bank-fact.ts';
import type { Movement } from './bank-state.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

/** ISO 20022 external return reason codes for the bank's own reasons. */
const RETURN_CODES: Readonly<Record<string, string>> = { ACCOUNT_CLOSED: 'AC04' };
const RETURN_CODE_OTHER = 'MS03';

/** Sub-families of issued credit transfers (PMNT/ICDT) in ISO's bank transaction code set. */
const PAYOUT_SUBFAMILIES: Readonly<Record<string, string>> = { SEPA: 'ESCT', SWIFT: 'XBCT' };
const PAYOUT_SUBFAMILY_OTHER = 'DMCT';
/** Reversal due to payment return. */
const RETURN_SUBFAMILY = 'RRTN';

/**
 * One statement as camt.053.001.08, piece by piece so that a long one is never whole in memory.
 * Payouts are DBIT with our reference as EndToEndId; returns are CRDT with the original one and
 * the reason in RtrInf. Deposits are CRDT with what the payer wrote, their reversals DBIT. Each line's AcctSvcrRef is the bank's own reference.
 */
export function* renderCamt053(
  cut: StatementCutFact,
  movements: readonly Movement[],
): Generator<string> {
  const { id, sequence, account, currency, from, to, at } = cut;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>`;
  yield element('GrpHdr', element('MsgId', text(id)) + element('CreDtTm', at));
  yield `<Stmt>${element('Id', text(id))}${element('ElctrncSeqNb', String(sequence))}`;
  yield element('CreDtTm', at);
  yield element('FrToDt', element('FrDtTm', from) + element('ToDtTm', to));
  yield element(
    'Acct',
    element('Id', element('Othr', element('Id', text(account)))) + element('Ccy', currency),
  );
  yield balance('OPBD', cut.opening, currency, from);
  yield balance('CLBD', cut.closing, currency, to);
  yield summary(currency, movements);
  for (const [index, movement] of movements.entries()) {
    yield entry(movement, currency, `${id}-${index + 1}`);
  }
  yield '</Stmt></BkToCstmrStmt></Document>\n';
}

function balance(code: string, signed: string, currency: string, at: string): string {
  const isOverdrawn = signed.startsWith('-');
  return element(
    'Bal',
    element('Tp', element('CdOrPrtry', element('Cd', code))) +
      amount(isOverdrawn ? signed.slice(1) : signed, currency) +
      element('CdtDbtInd', isOverdrawn ? 'DBIT' : 'CRDT') +
      element('Dt', element('DtTm', at)),
  );
}

function summary(currency: string, movements: readonly Movement[]): string {
  const totals = (tag: string, direction: Movement['direction']) => {
    const found = movements.filter((one) => one.direction === direction);
    const sum = found.reduce((total, one) => total + one.amountMinor, 0n);
    return element(
      tag,
      element('NbOfNtries', String(found.length)) + element('Sum', formatAmount(sum, currency)),
    );
  };
  return element(
    'TxsSummry',
    element('TtlNtries', element('NbOfNtries', String(movements.length))) +
      totals('TtlCdtNtries', 'CRDT') +
      totals('TtlDbtNtries', 'DBIT'),
  );
}

/** What differs between the kinds of entries; the rest is written alike. */
interface EntryContent {
  readonly ownReference: string;
  readonly isReversal: boolean;
  /** Family and sub-family of ISO's bank transaction codes, domain PMNT. */
  readonly code: readonly [string, string];
  /** Of Refs, behind AcctSvcrRef. */
  readonly references: string;
  /** Of TxDtls, behind the direction. */
  readonly details: string;
}

function contentOf({ direction, cause }: Movement): EntryContent {
  if (cause.kind === 'DEPOSIT') {
    const { bankReference, remittance } = cause.deposited;
    return {
      ownReference: bankReference,
      isReversal: direction === 'DBIT',
      code: ['RCDT', PAYOUT_SUBFAMILY_OTHER],
      references: element('EndToEndId', 'NOTPROVIDED'),
      details: element('RmtInf', element('Ustrd', text(remittance))),
    };
  }
  const { received, reason } = cause.transfer;
  const isReturn = direction === 'CRDT';
  return {
    ownReference: received.bankReference + (isReturn ? 'R' : ''),
    isReversal: false,
    code: [
      'ICDT',
      isReturn ? RETURN_SUBFAMILY : (PAYOUT_SUBFAMILIES[received.rail] ?? PAYOUT_SUBFAMILY_OTHER),
    ],
    references: element('EndToEndId', text(received.reference)),
    details: isReturn ? returnInformation(reason ?? '') : '',
  };
}

function entry(movement: Movement, currency: string, entryReference: string): string {
  const { direction, at } = movement;
  const { ownReference, isReversal, code, references, details } = contentOf(movement);
  const money = amount(formatAmount(movement.amountMinor, currency), currency);
  const family = element('Cd', code[0]) + element('SubFmlyCd', code[1]);
  const reference = element('AcctSvcrRef', text(ownReference));
  return element(
    'Ntry',
    element('NtryRef', text(entryReference)) +
      money +
      element('CdtDbtInd', direction) +
      (isReversal ? element('RvslInd', 'true') : '') +
      element('Sts', element('Cd', 'BOOK')) +
      element('BookgDt', element('DtTm', at)) +
      element('ValDt', element('Dt', at.slice(0, 10))) +
      reference +
      element('BkTxCd', element('Domn', element('Cd', 'PMNT') + element('Fmly', family))) +
      element(
        'NtryDtls',
        element(
          'TxDtls',
          element('Refs', reference + references) +
            money +
            element('CdtDbtInd', direction) +
            details,
        ),
      ),
  );
}

function returnInformation(reason: string): string {
  const code = RETURN_CODES[reason] ?? RETURN_CODE_OTHER;
  const further = reason === '' ? '' : element('AddtlInf', text(reason));
  return element('RtrInf', element('Rsn', element('Cd', code)) + further);
}

function amount(decimal: string, currency: string): string {
  return `<Amt Ccy="${text(currency)}">${decimal}</Amt>`;
}

/** The content is markup already: texts go through `text` first. */
function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
