import { expect, test } from 'vitest'
import type { Credential } from '../../../functions/core/records/account.ts'
import type { NewWorld } from './world.ts'

const session: Credential = { kind: 'session', sessionId: 's', tokenId: 't', expiresAt: 99 }
const token: Credential = { kind: 'api_token', tokenId: 't', hash: 'h', expiresAt: null }

const own = { credential: session, origin: null }
const foreign = { credential: token, origin: 'https://pages.example.org' }

/** Tests the port `Tickets`. */
export function ticketsContract(newWorld: NewWorld) {
  test('a ticket yields its credential and origin once', async () => {
    const { stores, peer, clock } = await newWorld()
    const expiresAt = clock.now() + 30_000
    await stores.tickets.create({ hash: 'one', ...own, expiresAt })
    await stores.tickets.create({ hash: 'two', ...foreign, expiresAt })
    expect(await peer.tickets.use('one')).toEqual(own)
    expect(await stores.tickets.use('one')).toBeUndefined()
    expect(await stores.tickets.use('two')).toEqual(foreign)
    expect(await peer.tickets.use('two')).toBeUndefined()
    expect(await stores.tickets.use('none')).toBeUndefined()
  })

  test('two hundred concurrent uses of a ticket in two processes: one succeeds', async () => {
    const { stores, peer, clock } = await newWorld()
    const expiresAt = clock.now() + 30_000
    await stores.tickets.create({ hash: 'one', ...own, expiresAt })
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => (index % 2 ? stores : peer).tickets.use('one')),
    )
    expect(answers.filter((answer) => answer !== undefined)).toEqual([own])
  })

  test('an expired ticket is invalid', async () => {
    const { stores, clock } = await newWorld()
    const expiresAt = clock.now() + 30_000
    await stores.tickets.create({ hash: 'one', ...own, expiresAt })
    clock.advance(30_000)
    expect(await stores.tickets.use('one')).toBeUndefined()
  })
}
