package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	tolerance    = 300 * time.Second
	bodyBytesMax = 1_000_000
)

// readKeys reads "whsec_..." texts that are separated by blanks: one, or two during a rotation.
func readKeys(secrets string) ([][]byte, error) {
	var keys [][]byte
	for _, secret := range strings.Fields(secrets) {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		// A forgotten setting must not become an empty key that any sender can sign with.
		if err != nil || len(key) < 24 {
			return nil, fmt.Errorf("WEBHOOK_SECRETS must hold whsec_ secrets")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("WEBHOOK_SECRETS is not set")
	}
	return keys, nil
}

// isGenuine tells whether one of the keys signed the webhook, within the tolerance. The body is as it arrived.
func isGenuine(keys [][]byte, header http.Header, body []byte, now time.Time) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if id == "" || err != nil {
		return false
	}
	if age := now.Sub(time.Unix(int64(seconds), 0)); age.Abs() > tolerance {
		return false
	}
	genuine := false
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.", id, timestamp)
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		// Signatures of a kind that is not known here ("v1a,...") match nothing and do no harm.
		for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
			// hmac.Equal compares in constant time.
			genuine = hmac.Equal(expected, []byte(signature)) || genuine
		}
	}
	return genuine
}

func main() {
	keys, err := readKeys(os.Getenv("WEBHOOK_SECRETS"))
	if err != nil {
		log.Fatal(err)
	}
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyBytesMax))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if !isGenuine(keys, r.Header, body, time.Now()) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var event struct{ ID, Type string }
		if err := json.Unmarshal(body, &event); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// Store the event under its id here, unless it is there already, and work on it afterwards.
		fmt.Println(event.ID, event.Type)
		w.WriteHeader(http.StatusNoContent)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	server := http.Server{
		Addr:        "127.0.0.1:" + port,
		Handler:     http.HandlerFunc(receive),
		ReadTimeout: 15 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}
