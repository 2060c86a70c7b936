/** The payment systems that corridors run over. Which fields each wants: src/domain/parties/bank-accounts/rails. */
export const RAILS = [
  // Everywhere.
  'SWIFT',
  'MOBILE_MONEY',
  // Europe.
  'SEPA',
  'SEPA_INSTANT',
  'FPS',
  'SIC',
  'CERTIS',
  'ELIXIR',
  'GIRO_HU',
  'STRAKS',
  'BANKGIROT',
  'NICS',
  'SENT',
  'SEP_UA',
  // The Americas.
  'ACH',
  'FEDWIRE',
  'EFT',
  'INTERAC',
  'SPEI',
  'PIX',
  'CBU',
  'TEF',
  'CCE',
  'ACH_CO',
  'SINPE',
  // Asia and Oceania.
  'UPI',
  'IMPS',
  'BEFTN',
  'CEFTS',
  'FAST',
  'PROMPTPAY',
  'INSTAPAY',
  'DUITNOW',
  'BI_FAST',
  'NAPAS',
  'FPS_HK',
  'CNAPS',
  'ACH_TW',
  'ZENGIN',
  'KFTC',
  'BECS',
  'NPP',
  'BECS_NZ',
  // The Middle East and Africa.
  'UAEFTS',
  'SARIE',
  'FAST_TR',
  'RAAST',
  'IPN',
  'CLIQ',
  'FAWRI_PLUS',
  'MASAV',
  'NIP',
  'GIP',
  'PESALINK',
  'RTC',
] as const;

export type Rail = (typeof RAILS)[number];

/** Narrows request text to a rail. Upper case only. */
export function isRail(text: string): text is Rail {
  return (RAILS as readonly string[]).includes(text);
}
