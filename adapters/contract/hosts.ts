import { expect, test } from 'vitest'
import { agentHost } from '../memory/hosts.ts'
import type { NewWorld } from './world.ts'

/** Tests the port `Hosts`. */
export function hostsContract(newWorld: NewWorld) {
  test('the local host is always there', async () => {
    const { stores } = await newWorld()
    const local = await stores.hosts.find('local')
    expect(local).toMatchObject({ id: 'local', kind: 'local', agent: null })
    expect(await stores.hosts.list()).toEqual([local])
    expect(await stores.hosts.find('other')).toBeUndefined()
    expect(await stores.hosts.remove('local')).toBe(false)
    expect(await stores.hosts.create({ ...agentHost('local'), name: 'other' })).toBe(false)
  })

  test('the local host is renamed and tagged, also by two at once', async () => {
    const { stores, peer } = await newWorld()
    const local = (await stores.hosts.find('local'))!
    const answers = await Promise.all(
      [stores, peer].map((one, at) => one.hosts.replace({ ...local, name: `n${at}`, tags: ['x'] })),
    )
    expect(answers.filter(Boolean)).toEqual([await peer.hosts.find('local')])
    expect(await peer.hosts.find('local')).toMatchObject({ tags: ['x'] })
  })

  test('a name is one host’s, whatever its letters, the local one’s too', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.hosts.create(agentHost('a'))).toBe(true)
    expect(await peer.hosts.create({ ...agentHost('b'), name: 'A' })).toBe(false)
    expect(await peer.hosts.create({ ...agentHost('b'), name: 'Local' })).toBe(false)
    const a = (await stores.hosts.find('a'))!
    expect(await stores.hosts.replace({ ...a, name: 'LOCAL' })).toBeUndefined()
    expect(await stores.hosts.replace({ ...a, name: 'c' })).toBeDefined()
    expect(await peer.hosts.create(agentHost('A'))).toBe(true)
  })
}

/** Tests the port `Enrolments`. */
export function enrolmentsContract(newWorld: NewWorld) {
  test('a right is used up by one of many, in every process', async () => {
    const { stores, peer, clock } = await newWorld()
    const enrolment = { hostId: 'nas', expiresAt: clock.now() + 1000 }
    await stores.enrolments.create('hash', enrolment)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 ? stores : peer).enrolments.take('hash')),
    )
    expect(answers.filter(Boolean)).toEqual([enrolment])
  })

  test('a right is over when its time is', async () => {
    const { stores, clock } = await newWorld()
    await stores.enrolments.create('hash', { hostId: 'nas', expiresAt: clock.now() + 1000 })
    clock.advance(1000)
    expect(await stores.enrolments.take('hash')).toBeUndefined()
    expect(await stores.enrolments.take('other')).toBeUndefined()
  })
}

/** Tests the port `HostConnections`. */
export function hostConnectionsContract(newWorld: NewWorld) {
  const facts = { version: '1.0.0', hostname: 'nas' }
  const made = (processId: string, connectedAt: number) => ({
    hostId: 'nas',
    processId,
    address: `${processId}:7000`,
    facts,
    connectedAt,
  })

  test('a connection is open while its process lives', async () => {
    const { stores, peer, clock } = await newWorld()
    const now = clock.now()
    expect(await stores.hostConnections.find('nas')).toBeUndefined()
    await stores.hostConnections.beat('p1', now + 5000)
    expect(await stores.hostConnections.claim(made('p1', now))).toBe(1)
    const open = { ...made('p1', now), number: 1, endedAt: null }
    expect(await peer.hostConnections.find('nas')).toEqual(open)
    expect(await peer.hostConnections.list()).toEqual([open])
    clock.advance(5000)
    expect(await peer.hostConnections.find('nas')).toEqual({ ...open, endedAt: now + 5000 })
  })

  test('the newest stays, and an older one cannot end it', async () => {
    const { stores, peer, clock } = await newWorld()
    const now = clock.now()
    for (const one of ['p1', 'p2']) await stores.hostConnections.beat(one, now + 5000)
    const first = await stores.hostConnections.claim(made('p1', now))
    const second = await peer.hostConnections.claim(made('p2', now))
    expect(second).toBeGreaterThan(first)
    await stores.hostConnections.end('nas', first, now)
    expect(await stores.hostConnections.find('nas')).toMatchObject({
      processId: 'p2',
      endedAt: null,
    })
    await peer.hostConnections.end('nas', second, now + 7)
    expect(await stores.hostConnections.find('nas')).toMatchObject({ endedAt: now + 7 })
  })

  test('of many claims at once each has a number of its own', async () => {
    const { stores, peer, clock } = await newWorld()
    const numbers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        (at % 2 ? stores : peer).hostConnections.claim(made(`p${at}`, clock.now())),
      ),
    )
    expect(new Set(numbers).size).toBe(8)
  })
}
