import type { SendResult } from '../records/alert-delivery.ts'
import { parseUrl } from '../url.ts'
import { retryAfter } from './attempt.ts'
import { oneLine } from './notice.ts'
import type { WebTarget } from './push-services.ts'

/** The response of a receiver over HTTP. */
export interface ChannelAnswer {
  status: number
  headers: { 'content-type'?: string | undefined; 'retry-after'?: string | undefined }
  /** At most its first 64 KiB. */
  body: string
}

type Fields = Readonly<Record<string, unknown>>

/** The maximum length of the reason that a receiver gives, in characters. */
const reasonMax = 300

/** Returns the result of a request. `now` is in milliseconds since the epoch. */
export function resultOf(target: WebTarget, answer: ChannelAnswer, now: number): SendResult {
  const { status, headers, body } = answer
  if (isDelivered(target, status)) return { ok: true, status }
  const json = isJson(headers['content-type']) ? parseFields(body) : {}
  // A redirect is no refusal: its text has the other address, which may give access to something.
  const reason = status >= 400 ? (reasonIn(json) ?? textIn(answer)) : undefined
  const own = reason && oneLine(withoutSecrets(reason, target), reasonMax)
  return {
    ok: false,
    status,
    error: `responded with ${status}${hintOf(target, status)}`,
    retryAfter: pauseOf(target, json) ?? retryAfter(headers['retry-after'], now),
    ...(own && { answer: own }),
    ...(isFinal(target, status) && { final: true }),
  }
}

/** An Apprise server responds with 204 if there is nothing that it could notify. */
const isDelivered = ({ kind }: WebTarget, status: number) =>
  status >= 200 && status < 300 && !(kind === 'apprise' && status === 204)

function hintOf({ kind }: WebTarget, status: number): string {
  if (kind === 'apprise' && status === 204) return '; it has no place to send to under this key'
  return status >= 300 && status < 400 ? '; redirects are not followed' : ''
}

/**
 * Pushover blocks senders that repeat a request which it rejected, and its 429 lasts until the next
 * month: https://pushover.net/api#friendly.
 */
const isFinal = ({ kind }: WebTarget, status: number) =>
  kind === 'pushover' && status >= 400 && status < 500

/**
 * Returns the pause that the body asks for, in milliseconds: Telegram's `retry_after` is in seconds
 * (https://core.telegram.org/bots/api#responseparameters), that of older Matrix servers in
 * milliseconds.
 */
function pauseOf({ kind }: WebTarget, json: Fields): number | null {
  if (kind === 'telegram' && isFields(json.parameters)) {
    return durationOf(json.parameters.retry_after, 1000)
  }
  return kind === 'matrix' ? durationOf(json.retry_after_ms, 1) : null
}

const durationOf = (value: unknown, unit: number): number | null =>
  typeof value === 'number' && value >= 0 ? Math.ceil(value * unit) : null

const isJson = (type = '') => /^application\/(?:[\w.-]+\+)?json\b/i.test(type)

function parseFields(body: string): Fields {
  try {
    const json: unknown = JSON.parse(body)
    return isFields(json) ? json : {}
  } catch {
    return {}
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where receivers say why: Gotify, Telegram, Pushover, then Matrix, Apprise, ntfy, Discord. */
const reasonFields = ['errorDescription', 'description', 'errors', 'error', 'message']

/** Returns the reason in a body of JSON. Other fields may be of a server that is no receiver. */
function reasonIn(json: Fields): string | undefined {
  for (const field of reasonFields) {
    const value = json[field]
    if (typeof value === 'string' && value.trim() !== '') return value
    const words = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
    if (words.length > 0) return words.join('; ')
    // Microsoft: `{error: {code, message}}`.
    if (isFields(value) && typeof value.message === 'string') return value.message
  }
  return undefined
}

/** Returns a body that is plain text. A page in HTML is of a server that is no receiver. */
const textIn = ({ headers, body }: ChannelAnswer) =>
  /^text\/plain\b/i.test(headers['content-type'] ?? '') ? body : undefined

/** Receivers repeat what they were sent: the person who tests a channel need not know it. */
function withoutSecrets(text: string, target: WebTarget): string {
  const secrets = secretsOf(target).flatMap((secret) =>
    // A half of a character cannot be encoded.
    /\p{Cs}/u.test(secret) ? [secret] : [secret, encodeURIComponent(secret)],
  )
  return [...new Set(secrets)]
    .filter((secret) => secret !== '')
    .sort((one, other) => other.length - one.length)
    .reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
}

/** Returns the texts that give access to the target. */
function secretsOf(target: WebTarget): string[] {
  switch (target.kind) {
    case 'webhook':
      return [target.secret, ...urlSecrets(target.url)]
    case 'slack':
    case 'discord':
    case 'teams':
      return urlSecrets(target.url)
    case 'ntfy':
      return [target.topic, ...(target.token === null ? [] : [target.token])]
    case 'pushover':
      return [target.token, target.user]
    case 'apprise':
      return [...(target.key === null ? [] : [target.key]), ...listed(target.urls ?? '')]
    default:
      return [target.token]
  }
}

/** A part of a URL that is shorter is no secret, and could be a part of any word. */
const shortest = 6

/** Returns a part of a URL decoded, or as it is if it cannot be. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Returns a URL and its parts, as they are and decoded. A receiver can repeat one of them alone. A
 * parameter without a value is one itself.
 */
function urlSecrets(text: string): string[] {
  const url = parseUrl(text)
  if (!url) return [text]
  const { href, pathname, search, searchParams } = url
  const query = search.slice(1)
  const written = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1))
  const read = [...searchParams].map(([name, value]) => value || name)
  const whole = [text, href, `${pathname}${search}`, pathname, query]
  return [...whole, ...pathname.split('/'), ...written, ...read]
    .flatMap((part) => [part, decodePart(part)])
    .filter((part) => part.length >= shortest)
}

/** Returns the Apprise URLs, and what they have after `://`. */
const listed = (urls: string) =>
  urls
    .split(/[\s,]+/)
    .flatMap((url) => [url, url.replace(/^[\w+-]*:\/\//, ''), ...url.split(/[/@:?&=]+/)])
    .filter((part) => part.length >= shortest)
