import { createHash } from 'node:crypto'
import {
  conflict,
  Failure,
  internalFailure,
  invalid,
  isTransient,
  leaseHeld,
} from '../core/errors.ts'
import { ignoreError } from '../core/ignore-error.ts'
import type { Stored } from '../core/ports/collection.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { IdempotentRequest, KeptResponse } from '../core/records/idempotent-request.ts'
import type { AnyInput, EndpointFacts } from './endpoint-facts.ts'
import type { HttpEvent, HttpResponse } from './event.ts'
import { failureResponse } from './failures.ts'
import { isOfOperation } from './wait.ts'

/** How long a response is kept. Milliseconds. */
const keptFor = 24 * 3_600_000
/** How long a request counts as running after its process last said so. Milliseconds. */
const heldFor = 30_000
const renewEvery = 10_000
/** The largest response that is kept, in bytes as stored. An item has at most 400 KB. */
const keptMax = 256 * 1024

/** Everything of a request that must be the same when it is sent again. */
interface KeyedRequest {
  event: HttpEvent
  caller: Caller
  input: Pick<AnyInput, 'path' | 'query' | 'body'>
  facts: Pick<EndpointFacts, 'returnsSecret'>
}

/** A request whose key counts as one of its account. */
interface CountedRequest extends Pick<KeyedRequest, 'facts'> {
  /** Call it if the key is free again. */
  uncount(): void
}

/** The work of a request. */
interface Work {
  run(): Promise<HttpResponse>
  /** Returns whether the endpoint has returned: a later error does not undo what it did. */
  hasRun(): boolean
}

type Ports = Needs<'callerLimiter' | 'clock' | 'idempotentRequests'>

/** Returns whether requests to an endpoint may have an `Idempotency-Key`. */
export const takesIdempotencyKey = (
  { access, changes, takesIdempotencyKey: takes }: EndpointFacts,
  method: string,
): boolean => method === 'POST' && access !== 'public' && changes !== false && takes !== false

/**
 * Returns the key of a request, or undefined if it has none or its endpoint takes none.
 *
 * @throws 400 if the key is invalid
 */
export function idempotencyKeyOf(
  { headers, routeKey }: Pick<HttpEvent, 'headers' | 'routeKey'>,
  facts: EndpointFacts,
): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || !takesIdempotencyKey(facts, routeKey.split(' ')[0] ?? ''))
    return undefined
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalid('Idempotency-Key: must be 1 to 255 visible ASCII characters, such as a UUID')
}

/**
 * Runs a request that has a key, or returns the response of the first one with this key. Only what
 * passed authentication, the permission check and validation gets here.
 *
 * @throws 409 if another request has the key, if the first one still runs or was cut off, if the
 *   rights of the caller were changed since, if its response was not kept, or if the account has
 *   used too many keys; and what `run` throws
 */
export async function runOnce(
  key: string,
  request: KeyedRequest,
  ports: Ports,
  work: Work,
): Promise<HttpResponse> {
  const { callerLimiter, clock, idempotentRequests } = ports
  const { requestId } = request.event.requestContext
  const now = clock.now()
  const first: IdempotentRequest = {
    id: sha256([senderOf(request.caller), key]),
    fingerprint: fingerprintOf(request),
    rights: rightsHashOf(request.caller),
    requestId,
    startedAt: now,
    heldUntil: now + heldFor,
    expiresAt: now + keptFor,
  }
  const known = await idempotentRequests.find(first.id)
  if (known) return replay(known, first)
  const uncount = callerLimiter.takeKey(request.caller.account.id, clock.monotonic())
  const created = await idempotentRequests.create(first).catch((error: unknown) => {
    uncount()
    throw error
  })
  if (created) return runHeld(created, { ...request, uncount }, ports, work)
  uncount()
  const faster = await idempotentRequests.find(first.id)
  if (faster) return replay(faster, first)
  throw stillRunning()
}

/**
 * Each session and each API token has keys of its own. So a response is only for the one who sent
 * the first request and, where that is demanded, confirmed who it is.
 */
const senderOf = ({ credential }: Caller): string =>
  credential.kind === 'api_token'
    ? `token ${credential.tokenId}`
    : `session ${credential.sessionId}`

const fingerprintOf = ({ event, input: { path, query, body } }: KeyedRequest): string =>
  sha256([event.routeKey, path, query, body, event.headers['if-match'] ?? null])

const rightsHashOf = ({ account, permissions, scopeTags }: Caller): string =>
  sha256([account.role, [...permissions].sort(), [...scopeTags].sort()])

const sha256 = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')

function replay(known: IdempotentRequest, asked: IdempotentRequest): HttpResponse {
  const { response } = known
  if (known.fingerprint !== asked.fingerprint) {
    throw conflict(
      'Idempotency-Key: this key was sent with another request, or with another body. Use a new key for each new request',
    )
  }
  if (!response) throw known.heldUntil > asked.startedAt ? stillRunning() : cutOff(known)
  if (known.rights !== asked.rights) throw otherRights(known)
  const { statusCode, headers, body, hadSecret } = response
  if (body === null) throw hadSecret ? secretOnce(known, response) : tooLarge(known, response)
  return {
    statusCode,
    headers: { ...headers, 'X-Request-Id': asked.requestId, [replayedHeader]: 'true' },
    body,
  }
}

export const replayedHeader = 'Idempotency-Replayed'

const stillRunning = () =>
  leaseHeld('Idempotency-Key: the first request with this key is still running: try again later')

const cutOff = (first: IdempotentRequest) =>
  conflict(
    `Idempotency-Key: the first request with this key was cut off, and how far it came is unknown. Look at the thing itself, or in the audit log for the request ${nameOf(first)}. To run it again, use a new key`,
    { reason: 'outcome-unknown' },
  )

const otherRights = (first: IdempotentRequest) =>
  conflict(
    `Idempotency-Key: your rights were changed since the first request with this key, ${nameOf(first)}, so its response is not sent again. Look at the thing itself. To run it again, use a new key`,
  )

const secretOnce = (
  first: IdempotentRequest,
  { statusCode, headers: { Location } }: KeptResponse,
) =>
  conflict(
    `Idempotency-Key: the first request with this key, ${nameOf(first)}, was answered with ${statusCode}. The response had a secret, which is sent only once${Location ? `: see ${Location}` : ''}. To get another secret, use a new key`,
  )

const tooLarge = (first: IdempotentRequest, { statusCode }: KeptResponse) =>
  conflict(
    `Idempotency-Key: the first request with this key, ${nameOf(first)}, was answered with ${statusCode}. The response was too large to keep: read the thing itself`,
    { reason: 'limit' },
  )

const nameOf = ({ requestId, startedAt }: IdempotentRequest) =>
  `${requestId} of ${new Date(startedAt).toISOString()}`

/** Runs the first request with a key, and keeps its response or frees the key. */
async function runHeld(
  created: Stored<IdempotentRequest>,
  { facts, uncount }: CountedRequest,
  ports: Ports,
  { run, hasRun }: Work,
): Promise<HttpResponse> {
  const over = new AbortController()
  const renewal = renewUntil(over.signal, created, ports)
  const end = async (response: HttpResponse | undefined) => {
    over.abort()
    const latest = await renewal
    // Without a record of its end, the key stays taken: the request is then never run twice.
    const kept = response && keptOf(response, facts)
    if (!kept) uncount()
    await recordEnd(latest, kept, ports).catch(
      ignoreError('record the end of a request with an Idempotency-Key'),
    )
  }
  let response: HttpResponse
  try {
    response = await run()
  } catch (error) {
    const failure = error instanceof Failure ? error : internalFailure(error)
    const isKept = hasRun() || isFinal(failure)
    await end(isKept ? failureResponse(failure, created.requestId) : undefined)
    throw error
  }
  await end(response)
  return response
}

/**
 * Returns whether a failure is the end of its request: that of an operation that ran always is.
 * What is wrong, missing or not permitted had no effect, and what is only busy or away now can be
 * tried again.
 */
const isFinal = (failure: Failure): boolean =>
  isOfOperation(failure) || ([409, 422].includes(failure.status) && !isTransient(failure))

/** Renews a request until the signal is aborted. Returns it as last written. Never rejects. */
async function renewUntil(
  over: AbortSignal,
  created: Stored<IdempotentRequest>,
  ports: Ports,
): Promise<Stored<IdempotentRequest>> {
  const { idempotentRequests, clock } = ports
  let latest = created
  while (!over.aborted) {
    await clock.sleep(renewEvery, over)
    if (over.aborted) break
    const now = clock.now()
    const times = { heldUntil: now + heldFor, expiresAt: now + keptFor }
    const renewed = await update(latest, ports, (known) =>
      idempotentRequests.replace({ ...known, ...times }),
    ).catch(ignoreError('renew a request with an Idempotency-Key'))
    latest = renewed ?? latest
  }
  return latest
}

/** Keeps a response or, without one, frees the key. */
async function recordEnd(
  latest: Stored<IdempotentRequest>,
  response: KeptResponse | undefined,
  ports: Ports,
): Promise<void> {
  const { idempotentRequests } = ports
  if (response) {
    await update(latest, ports, (known) => idempotentRequests.replace({ ...known, response }))
  } else {
    await update(latest, ports, ({ id, revision }) => idempotentRequests.remove(id, revision))
  }
}

/**
 * Writes the record of a request, also if a new encryption key or a renewal whose answer was lost
 * wrote it in the meantime. Returns what `write` returned, or undefined if another request has the
 * key by now.
 */
async function update<T>(
  latest: Stored<IdempotentRequest>,
  { idempotentRequests }: Ports,
  write: (known: Stored<IdempotentRequest>) => Promise<T>,
): Promise<T | undefined> {
  let known: Stored<IdempotentRequest> | undefined = latest
  for (let tries = 0; known && isSame(known, latest) && tries < triesMax; tries += 1) {
    const written = await write(known)
    if (written) return written
    known = await idempotentRequests.find(latest.id)
  }
  return undefined
}

/** Returns whether two records are of one run. Clients may choose the same request id again. */
const isSame = (one: IdempotentRequest, other: IdempotentRequest): boolean =>
  one.requestId === other.requestId && one.startedAt === other.startedAt

const triesMax = 3

function keptOf(
  { statusCode, headers, body }: HttpResponse,
  { returnsSecret }: KeyedRequest['facts'],
): KeptResponse {
  const { 'X-Request-Id': _, ...rest } = headers
  const kept = { statusCode, headers: rest, body }
  if (returnsSecret && statusCode < 400) return { ...kept, body: null, hadSecret: true }
  return Buffer.byteLength(JSON.stringify(kept)) <= keptMax ? kept : { ...kept, body: null }
}
