/** A document that a value was taken from. */
export interface Source {
  readonly title: string;
  /** Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD. */
  readonly date: string;
}

const source = (title: string, date: string): Source => ({ title, date });

/** Every document that the corridor table quotes. */
export const SOURCES = {
  EPC_SCT: source(
    'European Payments Council, EPC125-05, SEPA Credit Transfer Scheme Rulebook 2025, with its Implementation Guidelines',
    '2025-10-05',
  ),
  EU_INSTANT: source(
    'Regulation (EU) 2024/886 on instant credit transfers in euro: 24 hours a day, on any calendar day',
    '2024-03-13',
  ),
  ECB_TARGET: source(
    'European Central Bank, Long-term calendar for TARGET closing days',
    '2000-12-14',
  ),
  FED_K8: source(
    'Board of Governors, K.8, Holidays Observed by the Federal Reserve System 2026-2030',
    '2025-12-31',
  ),
  FEDACH: source(
    'Federal Reserve Financial Services, FedACH Processing Schedule: third same-day window',
    '2022-09-12',
  ),
  FEDWIRE: source(
    'Federal Reserve, About the Fedwire Funds Service: deadline for third-party transfers',
    '2025',
  ),
  NACHA: source(
    'Nacha Operating Rules, entry detail record (ten digits of amount) and return entries',
    '2025',
  ),
  FEDWIRE_FINAL: source(
    'Federal Reserve, About the Fedwire Funds Service: each transfer is settled at once, and is final',
    '2025',
  ),
  NACHA_EFFECTIVE: source(
    'Nacha Operating Rules, effective entry date of a credit: at most two banking days after processing',
    '2025',
  ),
  FPS_LIMIT: source('Pay.UK, £1 million Faster Payments now possible', '2022-02-08'),
  FPS_ALWAYS: source('Pay.UK, Faster Payment System: day and night, 365 days per year', '2024'),
  PIX: source('Banco Central do Brasil, Pix: 24 hours a day, 7 days a week', '2020-11-16'),
  SPEI: source('Banco de México, SPEI: every day of the year, as reported by Uno TV', '2025-10-24'),
  RBI_IMPS: source(
    'Reserve Bank of India, Statement on Developmental and Regulatory Policies: IMPS limit of ₹5 lakh, 24x7',
    '2021-10-08',
  ),
  INSTAPAY: source(
    'BSP, National Retail Payment System: InstaPay, 24/7, ₱50,000 a transaction',
    '2018-04',
  ),
  BI_FAST: source(
    'Bank Indonesia, BI-FAST: Rp250 million a transaction, at any time, also for its newer services',
    '2024-12-22',
  ),
  FAST_SG: source(
    'Association of Banks in Singapore, FAST fact sheet: 24x7, 365 days',
    '2021-01-25',
  ),
  FAST_SG_LIMIT: source(
    'Monetary Authority of Singapore, response to a letter in The Straits Times: $200,000 for each FAST transaction',
    '2023-08-15',
  ),
  UPI: source(
    'NPCI, UPI limits of September 2025: ₹1 lakh from person to person, as reported',
    '2025-09-05',
  ),
  NPP: source(
    'Reserve Bank of Australia, RITS Fast Settlement Service: NPP payments 24 hours a day, every day of the year',
    '2025',
  ),
  NAPAS: source(
    'State Bank of Vietnam: transfers of VND 500 million and more no longer go by NAPAS 24/7, as reported',
    '2026-04-21',
  ),
  ELIXIR: source('KIR, Elixir: the last of three sessions at 16:00, as reported', '2025-11-07'),
  RTC: source(
    'Payments Association of South Africa and ACI Worldwide, RTC: R5 million in banking hours, 24/7/365',
    '2021',
  ),
  IPN: source(
    'Central Bank of Egypt, Instant Payment Network: EGP 70,000 a transaction, 24/7',
    '2024-10',
  ),
  FPS_HK: source('Hong Kong Monetary Authority, Faster Payment System: 24x7', '2018-09-30'),
  ZENGIN: source(
    'Japanese Bankers Association, More Time System: transfers 24 hours a day, 7 days a week',
    '2018-10-09',
  ),
  RAAST: source(
    'State Bank of Pakistan, DI&SD Circular Letter No. 02 of 2022: no transactional limits on Raast',
    '2022-03-15',
  ),
  CEFTS: source(
    'Central Bank of Sri Lanka, Payment and Settlement Systems Circular No. 02 of 2025: Rs. 5 million a transaction',
    '2025-02-15',
  ),
  FAST_TR: source(
    'Central Bank of the Republic of Türkiye, FAST: TRY 100,000 a transaction, 24/7',
    '2024-04-04',
  ),
  NIP_LIMIT: source(
    'Central Bank of Nigeria, circular on electronic funds transfers: at most ₦250 million for corporates',
    '2022-06-02',
  ),
  NIP_ALWAYS: source('ACI Worldwide, Nigeria: NIBSS Instant Payments, 24/7/365', '2020'),
  PESALINK: source('IPSL, PesaLink: 24/7, up to KES 999,999 a transaction', '2025-10-10'),
} as const satisfies Record<string, Source>;

export type SourceId = keyof typeof SOURCES;
