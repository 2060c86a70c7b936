import { reasonTable } from './reason-table.ts';

/**
 * Nacha Operating Rules, Appendix Four: return reason codes R01 to R85 of ACH. Most are of debits, cheques,
 * government enrolments or dishonoured returns; a bank that sends one of those back for a credit has
 * erred, which the operators must take up with it. R16 covers frozen accounts and instructions of OFAC
 * alike, so no more than compliance is told of it. Numbers that the rules do not use are left out.
 */
export const NACHA_REASONS = reasonTable({
  settlement_funds_insufficient: 'R01 R09',
  account_closed: 'R02',
  account_not_found: 'R03',
  account_invalid: 'R04',
  account_details_changed: 'R12',
  bank_identifier_invalid: 'R13 R28',
  beneficiary_deceased: 'R14 R15',
  compliance_declined: 'R16',
  rail_format_error:
    'R17 R25 R26 R27 R61 R62 R63 R64 R65 R66 R67 R68 R69 R70 R71 R72 R73 R74 R75 R76 R77',
  date_not_accepted: 'R18',
  amount_not_allowed: 'R19',
  account_not_payable: 'R20 R34',
  payer_data_incomplete: 'R21',
  beneficiary_data_incomplete: 'R22',
  beneficiary_refused: 'R23 R31',
  duplicate_payment: 'R24',
  bank_not_reachable: 'R30 R83',
  bank_error: 'R32 R84 R85',
  recalled: 'R06 R08 R36',
  not_authorized:
    'R05 R07 R10 R11 R29 R33 R35 R37 R38 R39 R40 R41 R42 R43 R44 R45 R46 R47 R50 R51 R52 R53 R80 R81 R82',
});
