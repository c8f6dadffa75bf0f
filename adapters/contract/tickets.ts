import { expect, test } from 'vitest'
import type { Credential } from '../../functions/core/access/account.ts'
import type { NewWorld } from './world.ts'

const session: Credential = { kind: 'session', sessionId: 's', tokenId: 't', expiresAt: 99 }
const token: Credential = { kind: 'api_token', tokenId: 't', hash: 'h', expiresAt: null }

/** What the port `Tickets` promises. */
export function ticketsContract(newWorld: NewWorld) {
  test('a ticket gives the credential that it is bound to, once', async () => {
    const { stores, peer, clock } = await newWorld()
    const expiresAt = clock.now() + 30_000
    await stores.tickets.create({ hash: 'one', credential: session, expiresAt })
    await stores.tickets.create({ hash: 'two', credential: token, expiresAt })
    expect(await peer.tickets.use('one')).toEqual(session)
    expect(await stores.tickets.use('one')).toBeUndefined()
    expect(await stores.tickets.use('two')).toEqual(token)
    expect(await peer.tickets.use('two')).toBeUndefined()
    expect(await stores.tickets.use('none')).toBeUndefined()
  })

  test('of two hundred who use the same ticket in two processes, one gets in', async () => {
    const { stores, peer, clock } = await newWorld()
    const expiresAt = clock.now() + 30_000
    await stores.tickets.create({ hash: 'one', credential: session, expiresAt })
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => (index % 2 ? stores : peer).tickets.use('one')),
    )
    expect(answers.filter((answer) => answer !== undefined)).toEqual([session])
  })

  test('a ticket that expired is worthless', async () => {
    const { stores, clock } = await newWorld()
    const expiresAt = clock.now() + 30_000
    await stores.tickets.create({ hash: 'one', credential: session, expiresAt })
    clock.advance(30_000)
    expect(await stores.tickets.use('one')).toBeUndefined()
  })
}
