// Command verify-ed25519 judges Ed25519 signatures with Go's own crypto/ed25519. It reads a JSON array of
// {key, content, signature}, each base64, and writes the array of verdicts.
package main

import (
	"crypto/ed25519"
	"encoding/json"
	"os"
)

func main() {
	var signed []struct{ Key, Content, Signature []byte }
	if err := json.NewDecoder(os.Stdin).Decode(&signed); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, one := range signed {
		verdicts = append(verdicts, ed25519.Verify(one.Key, one.Content, one.Signature))
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}
