-- The sweep pages by id through the checks that are not decided; the old index served its first page only.
DROP INDEX kyc_checks_unopened;
CREATE INDEX kyc_checks_undecided ON kyc_checks (id)
  WHERE status IN ('PENDING', 'IN_REVIEW', 'RESUBMISSION_REQUIRED');
