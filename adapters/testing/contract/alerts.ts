import { expect, test } from 'vitest'
import type { AlertDelivery } from '../../../functions/core/records/alert-delivery.ts'
import { present } from '../present.ts'
import { alertChannel, alertEvent } from './samples.ts'
import { count, type NewWorld, type Stores } from './world.ts'

/** Tests the port `AlertChannels`, except what `collectionContract` covers. */
export function alertChannelsContract(newWorld: NewWorld) {
  test('returns a channel unchanged, including its secrets', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.alertChannels.create(alertChannel('c1', 'Ops'))).toBe(true)
    expect(await peer.alertChannels.find('c1')).toMatchObject(alertChannel('c1', 'Ops'))
    expect(await peer.alertChannels.list()).toHaveLength(1)
  })

  test('channel names are unique, ignoring case, until the channel is removed', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 ? stores : peer).alertChannels.create(
          alertChannel(`c${at}`, at % 3 ? 'ops' : 'Ops'),
        ),
      ),
    )
    expect(count(answers, true)).toBe(1)
    const [one] = await peer.alertChannels.list()
    await stores.alertChannels.create(alertChannel('other'))
    const other = present(await stores.alertChannels.find('other'))
    expect(await stores.alertChannels.replace({ ...other, name: 'OPS' })).toBeUndefined()
    await stores.alertChannels.remove(present(one).id)
    expect(await peer.alertChannels.replace({ ...other, name: 'OPS' })).toBeDefined()
  })
}

const listed = async (
  { alertDeliveries }: Stores,
  ...query: Parameters<Stores['alertDeliveries']['list']>
) => (await alertDeliveries.list(...query)).deliveries

/**
 * Tests the port `AlertDeliveries`. A store may list deliveries a moment late, so tests wait for
 * these lists. Before a test expects that a delivery is not listed, it waits until it was.
 */
export function alertDeliveriesContract(newWorld: NewWorld) {
  test('creates one delivery per event and channel, however often it is added', async () => {
    const { stores, peer, clock } = await newWorld()
    await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 ? stores : peer).alertDeliveries.add(alertEvent('e1'), ['a', 'b', 'a']),
      ),
    )
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
    const due = async () => (await peer.alertDeliveries.due(9)).sort(byId)
    await expect.poll(due).toEqual([
      { id: 'e1.a', channelId: 'a' },
      { id: 'e1.b', channelId: 'b' },
    ])
    const now = clock.now()
    const fresh = { state: 'pending', tries: 0, error: null, createdAt: now, at: now }
    expect(await stores.alertDeliveries.find('e1.a')).toEqual({
      id: 'e1.a',
      channelId: 'a',
      event: alertEvent('e1'),
      ...fresh,
    })
  })

  test('does not create a delivery again after it was sent', async () => {
    const { stores, peer } = await newWorld()
    await stores.alertDeliveries.add(alertEvent('e1'), ['a'])
    await expect.poll(() => peer.alertDeliveries.due(9)).toHaveLength(1)
    const claimed = present(await stores.alertDeliveries.claim('e1.a', 1000))
    expect(await stores.alertDeliveries.recordAttempt(claimed, { state: 'delivered' })).toBe(true)
    await peer.alertDeliveries.add(alertEvent('e1'), ['a'])
    await expect.poll(() => peer.alertDeliveries.due(9)).toEqual([])
    expect(await peer.alertDeliveries.find('e1.a')).toMatchObject({ state: 'delivered', tries: 1 })
  })

  test('returns the oldest due deliveries first, limited per channel', async () => {
    const { stores, clock } = await newWorld()
    for (const id of ['e1', 'e2', 'e3']) {
      await stores.alertDeliveries.add(alertEvent(id), ['slow'])
      clock.advance(1)
    }
    await stores.alertDeliveries.add(alertEvent('e4'), ['quick'])
    await expect.poll(() => stores.alertDeliveries.due(9)).toHaveLength(4)
    const due = await stores.alertDeliveries.due(2)
    expect(due.map(({ id }) => id)).toEqual(['e1.slow', 'e2.slow', 'e4.quick'])
  })

  test('fifty concurrent claims of a delivery: one succeeds', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.alertDeliveries.add(alertEvent('e1'), ['a'])
    await expect.poll(() => peer.alertDeliveries.due(9)).toHaveLength(1)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        (at % 2 ? stores : peer).alertDeliveries.claim('e1.a', 1000),
      ),
    )
    expect(answers.filter(Boolean)).toMatchObject([{ tries: 1, at: clock.now() + 1000 }])
    await expect.poll(() => peer.alertDeliveries.due(9)).toEqual([])
    expect(await peer.alertDeliveries.claim('none.a', 1000)).toBeUndefined()
  })

  test('a claim expires, and a late result of its holder is ignored', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.alertDeliveries.add(alertEvent('e1'), ['a'])
    const first = present(await stores.alertDeliveries.claim('e1.a', 1000))
    clock.advance(1000)
    const second = present(await peer.alertDeliveries.claim('e1.a', 1000))
    expect(second.tries).toBe(2)
    expect(
      await stores.alertDeliveries.recordAttempt(first, { state: 'dead', error: 'late' }),
    ).toBe(false)
    expect(await peer.alertDeliveries.recordAttempt(second, { state: 'delivered' })).toBe(true)
    expect(await stores.alertDeliveries.last()).toEqual({
      a: { state: 'delivered', error: null, at: clock.now() },
    })
  })

  test('a failed delivery is due again at its retry time', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.alertDeliveries.add(alertEvent('e1'), ['a'])
    const claimed = present(await stores.alertDeliveries.claim('e1.a', 1000))
    const at = clock.now() + 5000
    await stores.alertDeliveries.recordAttempt(claimed, {
      state: 'pending',
      at,
      error: 'responded with 500',
    })
    await expect
      .poll(() => listed(peer, 'pending', 9))
      .toMatchObject([{ id: 'e1.a', tries: 1, error: 'responded with 500' }])
    clock.advance(4999)
    await expect.poll(() => peer.alertDeliveries.due(9)).toEqual([])
    expect(await peer.alertDeliveries.claim('e1.a', 1000)).toBeUndefined()
    clock.advance(1)
    expect(await peer.alertDeliveries.due(9)).toHaveLength(1)
  })

  test('lists dead deliveries newest first and retries each once', async () => {
    const { stores, peer, clock } = await newWorld()
    for (const id of ['e1', 'e2', 'e3']) await makeDead(stores.alertDeliveries, id, clock)
    await expect.poll(() => listed(peer, 'dead', 9)).toHaveLength(3)
    const page = await peer.alertDeliveries.list('dead', 2)
    const ids = (deliveries: AlertDelivery[]) => deliveries.map(({ id }) => id)
    expect([ids(page.deliveries), page.next]).toMatchObject([['e3.a', 'e2.a'], { id: 'e2.a' }])
    const rest = await peer.alertDeliveries.list('dead', 1, page.next)
    expect([ids(rest.deliveries), rest.next]).toEqual([['e1.a'], undefined])
    const older = (limit: number) => listed(peer, 'dead', limit, page.deliveries[0])
    expect(ids(await older(9))).toEqual(['e2.a', 'e1.a'])
    expect(ids(await older(1))).toEqual(['e2.a'])
    const answers = await Promise.all(
      [stores, peer].map((one) => one.alertDeliveries.retry('e1.a')),
    )
    expect(count(answers, true)).toBe(1)
    const dead = (await listed(peer, 'dead', 9)).map(({ id }) => id)
    expect(dead).toEqual(['e3.a', 'e2.a'])
    expect(await peer.alertDeliveries.claim('e1.a', 1000)).toMatchObject({ tries: 1 })
    expect(await stores.alertDeliveries.retry('e1.a')).toBe(false)
    expect(await stores.alertDeliveries.retry('none.a')).toBe(false)
  })

  test('finished deliveries expire', async () => {
    const { stores, clock } = await newWorld()
    await makeDead(stores.alertDeliveries, 'e1', clock)
    await expect.poll(() => listed(stores, 'dead', 9)).toHaveLength(1)
    clock.advance(30 * 86_400_000 + 1000)
    expect(await listed(stores, 'dead', 9)).toEqual([])
    expect(await stores.alertDeliveries.retry('e1.a')).toBe(false)
  })

  test('removing a channel removes its deliveries only', async () => {
    const { stores, peer, clock } = await newWorld()
    await makeDead(stores.alertDeliveries, 'e1', clock)
    await stores.alertDeliveries.add(alertEvent('e2'), ['a', 'b'])
    await expect.poll(() => listed(peer, 'dead', 9)).toHaveLength(1)
    await expect.poll(() => listed(peer, 'pending', 9)).toHaveLength(2)
    const claimed = present(await stores.alertDeliveries.claim('e2.a', 1000))
    await peer.alertDeliveries.dropChannel('a')
    expect(await stores.alertDeliveries.recordAttempt(claimed, { state: 'delivered' })).toBe(false)
    expect(await listed(stores, 'dead', 9)).toEqual([])
    await expect.poll(() => stores.alertDeliveries.due(9)).toEqual([{ id: 'e2.b', channelId: 'b' }])
    expect(await stores.alertDeliveries.last()).toEqual({})
  })
}

/** Returns a dead-letter delivery to the channel `a`. */
async function makeDead(
  deliveries: Awaited<ReturnType<NewWorld>>['stores']['alertDeliveries'],
  eventId: string,
  clock: { advance(milliseconds: number): void },
): Promise<AlertDelivery> {
  await deliveries.add(alertEvent(eventId), ['a'])
  const claimed = present(await deliveries.claim(`${eventId}.a`, 1000))
  await deliveries.recordAttempt(claimed, { state: 'dead', error: 'responded with 500' })
  clock.advance(1)
  return claimed
}
