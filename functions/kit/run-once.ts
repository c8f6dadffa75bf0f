import { createHash } from 'node:crypto'
import { conflict, Failure, invalid, isTransient } from '../core/errors.ts'
import { ignoreError } from '../core/ignore-error.ts'
import type { Stored } from '../core/ports/collection.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { IdempotentRequest, KeptResponse } from '../core/records/idempotent-request.ts'
import type { AnyInput, EndpointFacts } from './endpoint-facts.ts'
import type { HttpEvent, HttpResponse } from './event.ts'
import { failureResponse } from './failures.ts'

/** How long a response is kept. Milliseconds. */
const keptFor = 24 * 3_600_000
/** How long a request counts as running after its process last said so. Milliseconds. */
const heldFor = 30_000
const renewEvery = 10_000
/** The largest body that is kept, in bytes. An item of the store has at most 400 KB. */
const bodyMax = 256 * 1024

/** Everything of a request that must be the same when it is sent again. */
interface KeyedRequest {
  event: HttpEvent
  caller: Caller
  input: Pick<AnyInput, 'path' | 'query' | 'body'>
}

type Ports = Needs<'idempotentRequests' | 'clock'>

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
 * @throws 409 if another request has the key, if the first one still runs, or if it was cut off,
 *   and what `run` throws
 */
export async function runOnce(
  key: string,
  request: KeyedRequest,
  ports: Ports,
  run: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { idempotentRequests, clock } = ports
  const { requestId } = request.event.requestContext
  const now = clock.now()
  const first: IdempotentRequest = {
    id: sha256([senderOf(request.caller), key]),
    fingerprint: fingerprintOf(request),
    requestId,
    startedAt: now,
    heldUntil: now + heldFor,
    expiresAt: now + keptFor,
  }
  const known = await idempotentRequests.find(first.id)
  if (known) return replay(known, first)
  const created = await idempotentRequests.create(first)
  if (created) return runHeld(created, requestId, ports, run)
  const faster = await idempotentRequests.find(first.id)
  if (faster) return replay(faster, first)
  throw stillRunning()
}

/** An account has its keys in common, except that those of each API token are its own. */
const senderOf = ({ account, credential }: Caller): string =>
  credential.kind === 'api_token' ? `token ${credential.tokenId}` : `account ${account.id}`

const fingerprintOf = ({ event, input: { path, query, body } }: KeyedRequest): string =>
  sha256([event.routeKey, path, query, body])

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
  const { statusCode, headers, body } = response
  if (body === null) throw tooLarge(known, response)
  return {
    statusCode,
    headers: { ...headers, 'X-Request-Id': asked.requestId, [replayedHeader]: 'true' },
    body,
  }
}

export const replayedHeader = 'Idempotency-Replayed'

const stillRunning = () =>
  conflict('Idempotency-Key: the first request with this key is still running: try again later', {
    reason: 'lease-held',
    headers: { 'Retry-After': '5' },
  })

const cutOff = ({ requestId, startedAt }: IdempotentRequest) =>
  conflict(
    `Idempotency-Key: the first request with this key was cut off, and how far it came is unknown. Look at the thing itself, or in the audit log for the request ${requestId} of ${timeOf(startedAt)}. To run it again, use a new key`,
  )

const tooLarge = ({ requestId, startedAt }: IdempotentRequest, { statusCode }: KeptResponse) =>
  conflict(
    `Idempotency-Key: the first request with this key, ${requestId} of ${timeOf(startedAt)}, was answered with ${statusCode}. The response was too large to keep: read the thing itself`,
    { reason: 'limit' },
  )

const timeOf = (at: number) => new Date(at).toISOString()

/** Runs the first request with a key, and keeps its response or frees the key. */
async function runHeld(
  created: Stored<IdempotentRequest>,
  requestId: string,
  ports: Ports,
  run: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const over = new AbortController()
  const renewal = renewUntil(over.signal, created, ports)
  const end = async (response: HttpResponse | undefined) => {
    over.abort()
    const latest = await renewal
    // Without a record of its end, the key stays taken: the request is then never run twice.
    await recordEnd(latest, response, ports).catch(
      ignoreError('record the end of a request with an Idempotency-Key'),
    )
  }
  let response: HttpResponse
  try {
    response = await run()
  } catch (error) {
    await end(isFinal(error) ? failureResponse(error, requestId) : undefined)
    throw error
  }
  await end(response)
  return response
}

/**
 * Returns whether the same request would fail again. Credentials and permissions are checked again
 * for each request, and what is only busy or away now can be tried again.
 */
const isFinal = (error: unknown): error is Failure =>
  error instanceof Failure && [400, 404, 409, 422].includes(error.status) && !isTransient(error)

/** Renews a request until the signal is aborted. Returns it as last written. Never rejects. */
async function renewUntil(
  over: AbortSignal,
  created: Stored<IdempotentRequest>,
  { idempotentRequests, clock }: Ports,
): Promise<Stored<IdempotentRequest>> {
  let latest = created
  while (!over.aborted) {
    await clock.sleep(renewEvery, over)
    if (over.aborted) break
    const next = { ...latest, heldUntil: clock.now() + heldFor }
    const renewed = await idempotentRequests
      .replace(next)
      .catch(ignoreError('renew a request with an Idempotency-Key'))
    latest = renewed ?? latest
  }
  return latest
}

/** Keeps a response or, without one, frees the key. */
async function recordEnd(
  latest: Stored<IdempotentRequest>,
  response: HttpResponse | undefined,
  { idempotentRequests }: Ports,
): Promise<void> {
  let known: Stored<IdempotentRequest> | undefined = latest
  // A new encryption key, or a renewal whose answer was lost, wrote it in the meantime.
  for (let tries = 0; known && tries < triesMax; tries += 1) {
    const isWritten = response
      ? await idempotentRequests.replace({ ...known, response: keptOf(response) })
      : await idempotentRequests.remove(known.id, known.revision)
    if (isWritten) return
    known = await idempotentRequests.find(latest.id)
  }
}

const triesMax = 3

function keptOf({ statusCode, headers, body }: HttpResponse): KeptResponse {
  const { 'X-Request-Id': _, ...kept } = headers
  return { statusCode, headers: kept, body: Buffer.byteLength(body) <= bodyMax ? body : null }
}
