/** Who keeps mobile wallets in a country, and what their numbers look like. */
interface MobileMarket {
  /** ITU-T E.164, without the plus. */
  readonly callingCode: string;
  /** Digits after it; up to so many where their number is not fixed. */
  readonly digits: number;
  readonly digitsMax?: number;
  readonly operators: readonly string[];
}

const market = (callingCode: string, digits: number, operators: string): MobileMarket => ({
  callingCode,
  digits,
  operators: operators.split(' '),
});

/**
 * Sources: ITU, national numbering plans (Benin has 10 digits since 30 November 2024); GSMA, Mobile Money Deployment Tracker. In other countries any
 * number and any operator are taken.
 */
export const MOBILE_MARKETS: Readonly<Partial<Record<string, MobileMarket>>> = {
  BF: market('226', 8, 'ORANGE MOOV'),
  BJ: market('229', 10, 'MTN MOOV CELTIIS'),
  CD: market('243', 9, 'VODACOM AIRTEL ORANGE'),
  CG: market('242', 9, 'MTN AIRTEL'),
  CI: market('225', 10, 'ORANGE MTN MOOV WAVE'),
  CM: market('237', 9, 'MTN ORANGE'),
  ET: market('251', 9, 'TELEBIRR MPESA'),
  GA: market('241', 8, 'AIRTEL MOOV'),
  GH: market('233', 9, 'MTN TELECEL AIRTELTIGO'),
  GN: market('224', 9, 'ORANGE MTN'),
  KE: market('254', 9, 'MPESA AIRTEL'),
  LS: market('266', 8, 'MPESA ECOCASH'),
  MG: market('261', 9, 'MVOLA ORANGE AIRTEL'),
  ML: market('223', 8, 'ORANGE MOOV'),
  MW: market('265', 9, 'AIRTEL TNM'),
  MZ: market('258', 9, 'MPESA EMOLA MKESH'),
  NE: market('227', 8, 'AIRTEL MOOV ZAMANI'),
  RW: market('250', 9, 'MTN AIRTEL'),
  SL: market('232', 8, 'ORANGE AFRICELL'),
  SN: market('221', 9, 'ORANGE WAVE FREE EXPRESSO'),
  TD: market('235', 8, 'AIRTEL MOOV'),
  TG: market('228', 8, 'TMONEY MOOV'),
  TZ: market('255', 9, 'MPESA TIGO AIRTEL HALOPESA'),
  UG: market('256', 9, 'MTN AIRTEL'),
  ZM: market('260', 9, 'MTN AIRTEL ZAMTEL'),
};
