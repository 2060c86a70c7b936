/**
 * An end-user's KYC status as it holds at `:now`, in SQL: an approval whose end has come is EXPIRED, even
 * where the schedule that writes so is late. Acceptance and both claims judge by it.
 */
export const KYC_STATUS_NOW = `
  CASE WHEN kyc_status = 'APPROVED' AND kyc_expires_at <= :now THEN 'EXPIRED' ELSE kyc_status END`;
