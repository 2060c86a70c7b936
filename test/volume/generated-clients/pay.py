"""Makes a payment by the client that openapi-python-client has made; prints the payment's id and status."""

import sys
import time
import uuid

from generated.api.bank_accounts import create_bank_account
from generated.api.end_users import create_end_user
from generated.api.kyc import get_kyc, start_kyc
from generated.api.payments import create_payment, get_payment
from generated.client import AuthenticatedClient
from generated.models.end_user_type import EndUserType
from generated.models.holder_type import HolderType
from generated.models.kyc_check import KycCheck
from generated.models.new_bank_account import NewBankAccount
from generated.models.new_bank_account_details import NewBankAccountDetails
from generated.models.new_end_user import NewEndUser
from generated.models.new_payment import NewPayment
from generated.models.payment import Payment
from generated.models.person import Person
from generated.models.start_kyc_body_type_0 import StartKycBodyType0

WAIT_S = 120
api_url, api_key = sys.argv[1:3]
client = AuthenticatedClient(base_url=api_url, token=api_key, timeout=30)

end_user = create_end_user.sync(
    client=client,
    body=NewEndUser(
        type_=EndUserType.INDIVIDUAL,
        individual=Person(first_name="Ada", last_name="Sample"),
    ),
)
start_kyc.sync(end_user.id, client=client, body=StartKycBodyType0())
deadline = time.monotonic() + WAIT_S
while True:
    check = get_kyc.sync(end_user.id, client=client)
    if isinstance(check, KycCheck) and check.status == "APPROVED":
        break
    if time.monotonic() > deadline:
        sys.exit(f"KYC is not approved: {check}")
    time.sleep(0.2)

details = NewBankAccountDetails()
details["iban"] = "DE89370400440532013000"
account = create_bank_account.sync(
    client=client,
    body=NewBankAccount(
        end_user_id=end_user.id,
        country="DE",
        currency="EUR",
        holder_name="Ada Sample",
        holder_type=HolderType.INDIVIDUAL,
        details=details,
    ),
)
payment = create_payment.sync(
    client=client,
    idempotency_key=str(uuid.uuid4()),
    body=NewPayment(
        end_user_id=end_user.id, bank_account_id=account.id, amount="12.50", currency="EUR"
    ),
)
if not isinstance(payment, Payment):
    sys.exit(f"not accepted: {payment}")
while True:
    seen = get_payment.sync(payment.id, client=client)
    if isinstance(seen, Payment) and seen.status == "COMPLETED":
        break
    if time.monotonic() > deadline:
        sys.exit(f"not completed: {seen}")
    time.sleep(0.2)
print(seen.id, seen.status, seen.amount)
