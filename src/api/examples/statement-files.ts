const CSV_LINES = [
  'date,type,id,currency,amount,balanceAfter,paymentId,externalId,reference,description,bookedAt',
  '2026-09-29,OPENING_BALANCE,,EUR,,0.00,,,,,',
  '2026-09-29,DEPOSIT,btx_01k6b6zzzzf1htx9n3r5p7v2ab,EUR,1000.00,1000.00,,,,Money received,2026-09-29T12:12:00.000Z',
  '2026-09-29,PAYMENT,btx_01k6b7q0e8f1htx9n3r5p7v2ab,EUR,-250.00,750.00,pay_01k6b7q0e8f1htx9n3r5p7v2ab,invoice-4711,CW01K6B7Q0E8F1HTX9N3R5P7V2AB,Paid out,2026-09-29T12:15:09.000Z',
  '2026-09-29,FEE,btx_01k6b7q0e9f1htx9n3r5p7v2ab,EUR,-0.50,749.50,pay_01k6b7q0e8f1htx9n3r5p7v2ab,invoice-4711,CW01K6B7Q0E8F1HTX9N3R5P7V2AB,Fee of a payment,2026-09-29T12:15:09.000Z',
  '2026-09-29,CLOSING_BALANCE,,EUR,,749.50,,,,,',
];

/** The statement of the examples as CSV, as it is written. */
export const EXAMPLE_STATEMENT_CSV = `${CSV_LINES.join('\r\n')}\r\n`;

/** The same as camt.053.001.08. */
export const EXAMPLE_CAMT_053 = [
  '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
  '<GrpHdr><MsgId>test-EUR-2026-09-29</MsgId><CreDtTm>2026-09-30T00:05:00.000Z</CreDtTm></GrpHdr>',
  '<Stmt><Id>test-EUR-2026-09-29</Id>',
  '<ElctrncSeqNb>20725</ElctrncSeqNb><CreDtTm>2026-09-30T00:05:00.000Z</CreDtTm>',
  '<FrToDt><FrDtTm>2026-09-29T00:00:00.000Z</FrDtTm><ToDtTm>2026-09-30T00:00:00.000Z</ToDtTm></FrToDt>',
  '<Acct><Id><Othr><Id>cus_01k6b7q0e8f1htx9n3r5p7v2ab</Id></Othr></Id><Ccy>EUR</Ccy></Acct>',
  '<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-09-29</Dt></Dt></Bal>',
  '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">749.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-09-29</Dt></Dt></Bal>',
  '<Ntry><NtryRef>btx_01k6b6zzzzf1htx9n3r5p7v2ab</NtryRef><Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>',
  '<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-09-29</Dt></BookgDt><ValDt><Dt>2026-09-29</Dt></ValDt>',
  '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>OTHR</SubFmlyCd></Fmly></Domn></BkTxCd>',
  '<NtryDtls><TxDtls>',
  '<Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls></NtryDtls><AddtlNtryInf>Money received</AddtlNtryInf></Ntry>',
  '<Ntry><NtryRef>btx_01k6b7q0e8f1htx9n3r5p7v2ab</NtryRef><Amt Ccy="EUR">250.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>',
  '<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-09-29</Dt></BookgDt><ValDt><Dt>2026-09-29</Dt></ValDt><AcctSvcrRef>pay_01k6b7q0e8f1htx9n3r5p7v2ab</AcctSvcrRef>',
  '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>OTHR</SubFmlyCd></Fmly></Domn></BkTxCd>',
  '<NtryDtls><TxDtls><Refs><AcctSvcrRef>pay_01k6b7q0e8f1htx9n3r5p7v2ab</AcctSvcrRef><EndToEndId>CW01K6B7Q0E8F1HTX9N3R5P7V2AB</EndToEndId><AcctOwnrTxId>invoice-4711</AcctOwnrTxId></Refs>',
  '<Amt Ccy="EUR">250.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></TxDtls></NtryDtls><AddtlNtryInf>Paid out</AddtlNtryInf></Ntry>',
  '<Ntry><NtryRef>btx_01k6b7q0e9f1htx9n3r5p7v2ab</NtryRef><Amt Ccy="EUR">0.50</Amt><CdtDbtInd>DBIT</CdtDbtInd>',
  '<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-09-29</Dt></BookgDt><ValDt><Dt>2026-09-29</Dt></ValDt><AcctSvcrRef>pay_01k6b7q0e8f1htx9n3r5p7v2ab</AcctSvcrRef>',
  '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>CHRG</SubFmlyCd></Fmly></Domn></BkTxCd>',
  '<NtryDtls><TxDtls><Refs><AcctSvcrRef>pay_01k6b7q0e8f1htx9n3r5p7v2ab</AcctSvcrRef><AcctOwnrTxId>invoice-4711</AcctOwnrTxId></Refs>',
  '<Amt Ccy="EUR">0.50</Amt><CdtDbtInd>DBIT</CdtDbtInd></TxDtls></NtryDtls><AddtlNtryInf>Fee of a payment</AddtlNtryInf></Ntry>',
  '</Stmt></BkToCstmrStmt></Document>\n',
].join('');
