import { expect, test } from 'vitest'
import type { IdempotentRequest } from '../../../functions/core/records/idempotent-request.ts'
import { present } from '../present.ts'
import { count, type NewWorld } from './world.ts'

const day = 86_400_000

const request = (now: number): IdempotentRequest => ({
  id: 'a'.repeat(64),
  fingerprint: 'b'.repeat(64),
  rights: 'c'.repeat(64),
  requestId: 'request-1',
  startedAt: now,
  heldUntil: now + 30_000,
  expiresAt: now + day,
})
const { id } = request(0)

/** Tests the port `IdempotentRequests`. */
export function idempotentRequestsContract(newWorld: NewWorld) {
  test('returns a request and its response in every process', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = request(clock.now())
    expect(await peer.idempotentRequests.find(id)).toBeUndefined()
    const created = present(await stores.idempotentRequests.create(first))
    expect(created).toEqual({ ...first, revision: expect.any(Number) })
    expect(await peer.idempotentRequests.find(id)).toEqual(created)
    const body = '{"token":"secret"}'
    const response = { statusCode: 201, headers: { Location: '/a' }, body }
    const ended = present(await stores.idempotentRequests.replace({ ...created, response }))
    expect(await peer.idempotentRequests.find(id)).toEqual(ended)
    expect(ended).toMatchObject({ ...first, response })
  })

  test('fifty requests of two processes at once: one is first', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = request(clock.now())
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).idempotentRequests.create({
          ...first,
          requestId: `request-${index}`,
        }),
      ),
    )
    const winners = answers.filter((answer) => answer !== undefined)
    expect(count(answers.map(Boolean), true)).toBe(1)
    expect(await peer.idempotentRequests.find(id)).toEqual(winners[0])
  })

  test('an expired request counts as missing and is replaced', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.idempotentRequests.create(request(clock.now()))
    clock.advance(day - 1)
    expect(await peer.idempotentRequests.find(id)).toBeDefined()
    expect(await peer.idempotentRequests.create(request(clock.now()))).toBeUndefined()
    clock.advance(1)
    expect(await peer.idempotentRequests.find(id)).toBeUndefined()
    expect(await peer.idempotentRequests.create(request(clock.now()))).toBeDefined()
    expect(await stores.idempotentRequests.find(id)).toMatchObject({ startedAt: clock.now() })
  })

  test('writes and removes only what was read', async () => {
    const { stores, peer, clock } = await newWorld()
    const created = present(await stores.idempotentRequests.create(request(clock.now())))
    const next = present(await peer.idempotentRequests.replace({ ...created, heldUntil: 1 }))
    expect(await stores.idempotentRequests.replace({ ...created, heldUntil: 2 })).toBeUndefined()
    expect(await stores.idempotentRequests.remove(id, created.revision)).toBe(false)
    expect(await peer.idempotentRequests.find(id)).toEqual(next)
    expect(await stores.idempotentRequests.remove(id, next.revision)).toBe(true)
    expect(await peer.idempotentRequests.find(id)).toBeUndefined()
  })
}
