import { reasonTable } from './reason-table.ts';

/**
 * ISO 20022 External Code Sets, ExternalStatusReason1Code: why a bank rejects (pain.002, pacs.002). As far
 * as they can be about a credit transfer; codes of mandates, signatures and requests to pay are left out.
 */
export const ISO_STATUS_REASONS = reasonTable({
  account_not_found: 'BE06 UCRD',
  account_invalid: 'AC01 AC03 BE23',
  account_closed: 'AC04 AC07',
  account_details_changed: 'AC15',
  account_blocked: 'AC06',
  account_not_payable: 'AC12 AC14 AG01 AG03 SL02 SL03 SL17 SL18',
  account_currency_mismatch: 'AC09 AC11',
  bank_identifier_invalid: 'AC08 AG04 AG06 AGNT RC01 RC02 RC04 RC05 RC07 RC08 RC10 RC11',
  bank_not_reachable: 'CNOR ED01',
  beneficiary_name_mismatch: 'BE01',
  beneficiary_data_incomplete: 'BE04 BE09 BE11 BE12 BE14 BE15 BE17 BE18 BE20 BE21 BE22 RR03 RR12',
  beneficiary_deceased: 'MD07',
  beneficiary_refused: 'BE05 MS02 NOAS SVNR UPAY',
  payer_data_incomplete:
    'AC02 AC05 AC10 AC13 AG05 BE07 BE08 BE10 BE13 BE16 DNOR RC03 RC06 RC09 RR01 RR02',
  payment_data_invalid:
    'BE19 CERI CH15 CH16 CH17 CH20 CH21 ED03 ERIN FF07 FF08 INDT MINF NERI RR05 RR06 RR07 RR08 RR09 RR10 RR11',
  amount_not_allowed: 'AM01 AM02 AM06 AM09 AM12 AM13 AM14 AM15 AM21 AM22',
  currency_not_supported: 'AM03 AM11 CURR',
  limit_exceeded: 'AM23 SL15 SL16',
  duplicate_payment: 'AM05 DU01 DU02 DU03 DU04 DU05 DUPL RF01',
  settlement_funds_insufficient: 'AG07 AM04 DC02',
  not_authorized: 'AG02 AG08 AG12 DS04 RC13 RC15',
  date_not_accepted: 'CH03 CH04 DT01 DT02 DT03 DT04 DT05 EDNA TM01',
  bank_unavailable: 'AB01 AB03 AB05 AB06 AB07 AB08 AB11 AG10 AG11 ED06',
  bank_error: 'AB02 AB04 AB09 AB10 ED05 FF10 FF11',
  rail_format_error:
    'AM10 AM16 AM17 AM18 AM19 AM20 DS28 FF01 FF02 FF03 FF04 FF05 FF06 TA01 TD02 TD03',
  recalled: 'CN01 CUST FOCR',
  compliance_declined: 'AM07 FR01 FRAD NOCM RC16 RR04',
  unspecified: 'MS03 NARR',
});

/**
 * The same, ExternalReturnReason1Code: why money comes back (pacs.004, camt.053). Several codes mean
 * something else here than in a rejection: AC14, AC16, BE08, DT02.
 */
export const ISO_RETURN_REASONS = reasonTable({
  account_not_found: 'BE06',
  account_invalid: 'AC01 AC03',
  account_closed: 'AC04 AC07 AC17',
  account_details_changed: 'AC15',
  account_blocked: 'AC06',
  account_not_payable: 'AG01 SL02',
  bank_identifier_invalid: 'AC14 AGNT RC01 RC04 RC07 RC08 RC11',
  bank_not_reachable: 'CNOR ED01',
  beneficiary_name_mismatch: 'BE01',
  beneficiary_data_incomplete: 'BE04 BE11 BE17 RR03 RR12',
  beneficiary_deceased: 'MD07',
  beneficiary_refused: 'BE05 CNPC DT02 MD06 MS02 NOAS SVNR UPAY',
  payer_data_incomplete: 'AC02 AC13 BE07 BE10 BE16 DNOR RC03 RR01 RR02',
  payment_data_invalid: 'ED03 ERIN FF07 RR05 RR06 RR07 RR08 RR09 RR11 RUTA',
  amount_not_allowed: 'AM01 AM02 AM06 AM09',
  currency_not_supported: 'AM03 CURR',
  duplicate_payment: 'AM05 ARDT DUPL RF01',
  settlement_funds_insufficient: 'AG07 AM04 DC04',
  not_authorized: 'AG02',
  date_not_accepted: 'DT01 DT04 TM01',
  bank_error: 'BE08 DS28 ED05',
  rail_format_error: 'AM10 FF03 FF04 FF05 FF06',
  recalled: 'CN01 CUST FOCR NOOR SP01 SP02 TECH',
  compliance_declined: 'AC16 AM07 FR01 FRAD NOCM RR04',
  unspecified: 'MS03 NARR',
});
