import type { Rail } from '../../payments/corridors/rail.ts';
import type { RulesOfRail } from './rail-rules.ts';
import { GIP, NIP, PESALINK, RTC } from './rails/africa.ts';
import { ACH_TW, CNAPS, FPS_HK, KFTC, ZENGIN } from './rails/east-asia.ts';
import { FPS } from './rails/europe.ts';
import { ACH_CO, CBU, CCE, PIX, TEF } from './rails/latin-america.ts';
import { MASAV } from './rails/middle-east.ts';
import { MOBILE_MONEY } from './rails/mobile-money.ts';
import { ACH, EFT, FEDWIRE, INTERAC, SPEI } from './rails/north-america.ts';
import { AUSTRALIA, BECS_NZ } from './rails/oceania.ts';
import { BEFTN, CEFTS, IMPS, UPI } from './rails/south-asia.ts';
import { BI_FAST, DUITNOW, FAST, INSTAPAY, NAPAS, PROMPTPAY } from './rails/south-east-asia.ts';
import { IBAN_ONLY, SEPA, SWIFT } from './rails/worldwide.ts';

/** What the accounts of each rail consist of, by country and kind of holder. */
export const RAIL_FIELDS: Record<Rail, RulesOfRail> = {
  ...{ SWIFT, MOBILE_MONEY, SEPA, SEPA_INSTANT: SEPA, FPS },
  ...{ SIC: IBAN_ONLY, CERTIS: IBAN_ONLY, ELIXIR: IBAN_ONLY, GIRO_HU: IBAN_ONLY },
  ...{ STRAKS: IBAN_ONLY, BANKGIROT: IBAN_ONLY, NICS: IBAN_ONLY, SENT: IBAN_ONLY },
  ...{ SEP_UA: IBAN_ONLY, SINPE: IBAN_ONLY },
  ...{ ACH, FEDWIRE, EFT, INTERAC, SPEI, PIX, CBU, TEF, CCE, ACH_CO },
  ...{ UPI, IMPS, BEFTN, CEFTS, FAST, PROMPTPAY, INSTAPAY, DUITNOW, BI_FAST, NAPAS },
  ...{ FPS_HK, CNAPS, ACH_TW, ZENGIN, KFTC, BECS: AUSTRALIA, NPP: AUSTRALIA, BECS_NZ },
  ...{ UAEFTS: IBAN_ONLY, SARIE: IBAN_ONLY, FAST_TR: IBAN_ONLY, RAAST: IBAN_ONLY },
  ...{ IPN: IBAN_ONLY, CLIQ: IBAN_ONLY, FAWRI_PLUS: IBAN_ONLY, MASAV, NIP, GIP, PESALINK, RTC },
};
