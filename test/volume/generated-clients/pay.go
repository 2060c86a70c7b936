// Makes a payment by the client that oapi-codegen has made; prints the payment's id and status.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"time"
)

const wait = 2 * time.Minute

func must[T any](answer T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return answer
}

// Ends the program with what was answered where it was no success.
func wanted[T any](success *T, body []byte) T {
	if success == nil {
		fmt.Fprintln(os.Stderr, string(body))
		os.Exit(1)
	}
	return *success
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+os.Args[2])
		return nil
	}
	client := must(NewClientWithResponses(os.Args[1], WithRequestEditorFn(key)))

	person := NewEndUser{
		Type:       EndUserTypeINDIVIDUAL,
		Individual: &Person{FirstName: "Ada", LastName: "Sample"},
	}
	made := must(client.CreateEndUserWithResponse(ctx, &CreateEndUserParams{}, person))
	endUser := wanted(made.JSON201, made.Body)
	must(client.StartKycWithResponse(ctx, endUser.Id, &StartKycParams{}, StartKycJSONRequestBody{}))
	for {
		check := must(client.GetKycWithResponse(ctx, endUser.Id))
		if wanted(check.JSON200, check.Body).Status == "APPROVED" {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	added := must(client.CreateBankAccountWithResponse(ctx, &CreateBankAccountParams{}, NewBankAccount{
		EndUserId:  endUser.Id,
		Country:    "DE",
		Currency:   "EUR",
		HolderName: "Ada Sample",
		HolderType: HolderTypeINDIVIDUAL,
		Details:    map[string]interface{}{"iban": "DE89370400440532013000"},
	}))
	account := wanted(added.JSON201, added.Body)

	currency := "EUR"
	order := NewPayment{EndUserId: endUser.Id, BankAccountId: &account.Id, Currency: &currency}
	if err := order.Amount.FromNewPaymentAmount1("12.50"); err != nil {
		must(0, err)
	}
	params := CreatePaymentParams{IdempotencyKey: rand.Text()}
	accepted := must(client.CreatePaymentWithResponse(ctx, &params, order))
	payment := wanted(accepted.JSON201, accepted.Body)
	for {
		answer := must(client.GetPaymentWithResponse(ctx, payment.Id))
		seen := wanted(answer.JSON200, answer.Body)
		if seen.Status == "COMPLETED" {
			fmt.Println(seen.Id, seen.Status, seen.Amount)
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}
