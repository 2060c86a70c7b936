/**
 * Countries of the SEPA schemes' geographical scope (European Payments Council, EPC409-09, as of 2025,
 * with Albania, Moldova, Montenegro, North Macedonia and Serbia), and Gibraltar, which is in it
 * through the United Kingdom and has IBANs of its own. Territories whose banks use another country's
 * IBANs (GP, RE, JE, AX, ...) are left out: accounts there are given under FR, GB, FI.
 */
export const SEPA_COUNTRIES: readonly string[] =
  `AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL
   NO PL PT RO RS SE SI SK SM VA`.split(/\s+/);
