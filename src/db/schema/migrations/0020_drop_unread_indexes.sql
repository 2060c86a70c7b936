-- Nothing asks for the decisions of a payment, and the reports of a KYC check are found by their unique key.
DROP INDEX operator_decisions_of_payment;
DROP INDEX kyc_reports_of_check;
