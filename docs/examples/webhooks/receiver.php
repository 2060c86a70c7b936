<?php

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const BODY_BYTES_MAX = 1_000_000;

/** The keys of "whsec_..." texts that are separated by blanks: one, or two during a rotation. */
function readKeys(string $secrets): array
{
    $keys = [];
    foreach (preg_split('/ +/', $secrets, -1, PREG_SPLIT_NO_EMPTY) as $secret) {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        // A forgotten setting must not become an empty key that any sender can sign with.
        if ($key === false || strlen($key) < 24) {
            throw new RuntimeException('WEBHOOK_SECRETS must hold whsec_ secrets');
        }
        $keys[] = $key;
    }
    if ($keys === []) {
        throw new RuntimeException('WEBHOOK_SECRETS is not set');
    }
    return $keys;
}

/** Whether one of the keys signed the webhook, within the tolerance. The body is as it arrived. */
function isGenuine(array $keys, array $server, string $body): bool
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = $server['HTTP_WEBHOOK_SIGNATURE'] ?? '';
    if ($id === '' || preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $genuine = false;
    foreach ($keys as $key) {
        $hmac = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
        $expected = 'v1,' . base64_encode($hmac);
        // Signatures of a kind that is not known here ("v1a,...") match nothing and do no harm.
        foreach (explode(' ', $signatures) as $signature) {
            // hash_equals compares in constant time.
            $genuine = hash_equals($expected, $signature) || $genuine;
        }
    }
    return $genuine;
}

/** Answers the status for the request that is being served. */
function receive(): int
{
    $keys = readKeys((string) getenv('WEBHOOK_SECRETS'));
    $body = file_get_contents('php://input', false, null, 0, BODY_BYTES_MAX + 1);
    if (strlen($body) > BODY_BYTES_MAX) {
        return 413;
    }
    if (!isGenuine($keys, $_SERVER, $body)) {
        return 401;
    }
    $event = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
    // Store the event under its id here, unless it is there already, and work on it afterwards.
    file_put_contents('php://stdout', "{$event['id']} {$event['type']}\n");
    return 204;
}

http_response_code(500);
http_response_code(receive());
