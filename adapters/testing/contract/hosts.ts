import { expect, test } from 'vitest'
import { agentHost } from '../memory/hosts.ts'
import { present } from '../present.ts'
import type { NewWorld } from './world.ts'

/** Tests the port `Hosts`. */
export function hostsContract(newWorld: NewWorld) {
  test('the local host always exists', async () => {
    const { stores } = await newWorld()
    const local = await stores.hosts.find('local')
    expect(local).toMatchObject({ id: 'local', kind: 'local', agent: null })
    expect(await stores.hosts.list()).toEqual([local])
    expect(await stores.hosts.find('other')).toBeUndefined()
    expect(await stores.hosts.remove('local')).toBe(false)
    expect(await stores.hosts.create({ ...agentHost('local'), name: 'other' })).toBe(false)
  })

  test('changes name, tags and address of the local host, also concurrently', async () => {
    const { stores, peer } = await newWorld()
    const local = present(await stores.hosts.find('local'))
    const change = { tags: ['x'], address: 'nas.lan' }
    const answers = await Promise.all(
      [stores, peer].map((one, at) => one.hosts.replace({ ...local, name: `n${at}`, ...change })),
    )
    expect(answers.filter(Boolean)).toEqual([await peer.hosts.find('local')])
    expect(await peer.hosts.find('local')).toMatchObject(change)
  })

  test('host names are unique, ignoring case and including the local one', async () => {
    const { stores, peer } = await newWorld()
    const local = present(await stores.hosts.find('local')).name.toUpperCase()
    expect(await stores.hosts.create({ ...agentHost('a'), name: 'attic' })).toBe(true)
    expect(await peer.hosts.create({ ...agentHost('b'), name: 'Attic' })).toBe(false)
    expect(await peer.hosts.create({ ...agentHost('b'), name: local })).toBe(false)
    const a = present(await stores.hosts.find('a'))
    expect(await stores.hosts.replace({ ...a, name: local })).toBeUndefined()
    expect(await stores.hosts.replace({ ...a, name: 'loft' })).toBeDefined()
    expect(await peer.hosts.create({ ...agentHost('b'), name: 'Attic' })).toBe(true)
  })
}

/** Tests the port `Enrolments`. */
export function enrolmentsContract(newWorld: NewWorld) {
  test('one of many concurrent uses of an enrolment token succeeds', async () => {
    const { stores, peer, clock } = await newWorld()
    const enrolment = { hostId: 'nas', expiresAt: clock.now() + 1000 }
    await stores.enrolments.create('hash', enrolment)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 ? stores : peer).enrolments.take('hash')),
    )
    expect(answers.filter(Boolean)).toEqual([enrolment])
  })

  test('an enrolment token expires', async () => {
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

  test('a connection is open while its process is alive', async () => {
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

  test('the newest connection stays; an older one cannot end it', async () => {
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

  test('the last duplicate of an agent is recorded until the next connection', async () => {
    const { stores, peer, clock } = await newWorld()
    const duplicate = (at: number) => ({ hostname: 'copy', address: '192.0.2.7', at })
    await stores.hostConnections.noteDuplicate('nas', duplicate(1))
    expect(await stores.hostConnections.find('nas')).toBeUndefined()
    await stores.hostConnections.beat('p1', clock.now() + 5000)
    const number = await stores.hostConnections.claim(made('p1', clock.now()))
    for (const at of [1, 2]) await stores.hostConnections.noteDuplicate('nas', duplicate(at))
    const noted = await peer.hostConnections.find('nas')
    expect(noted).toMatchObject({ number, endedAt: null, duplicate: duplicate(2) })
    expect(await peer.hostConnections.list()).toEqual([noted])
    await stores.hostConnections.claim(made('p1', clock.now()))
    expect(await peer.hostConnections.find('nas')).not.toHaveProperty('duplicate')
  })

  test('concurrent claims get distinct numbers', async () => {
    const { stores, peer, clock } = await newWorld()
    const numbers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        (at % 2 ? stores : peer).hostConnections.claim(made(`p${at}`, clock.now())),
      ),
    )
    expect(new Set(numbers).size).toBe(8)
  })
}
