import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { feedWorld, openFeed } from '../../../local/harness/feeds.ts'
import { givenContainer, world } from '../../../local/harness/world.ts'
import createToken from '../../api-tokens/create.ts'
import create from './create.ts'

async function container() {
  const made = world()
  const id = await givenContainer(made, 'one')
  const service = await feedWorld({ ports: made.ports })
  onTestFinished(() => service.close(AbortSignal.abort()))
  const ticket = async (as: Parameters<typeof service.token>[0] = 'viewer') => {
    const answer = await call(create, { ports: made.ports, as })
    expect(answer.status).toBe(200)
    return answer.json.ticket as string
  }
  const dial = (ticket: string) => openFeed(`${service.url}/ws/logs/${id}?ticket=${ticket}`)
  return { ...made, service, id, ticket, dial }
}

const refused = { status: 401, body: expect.stringMatching(/^\{"error":"[^"]+"\}$/) }

test('200: a ticket opens one feed', async () => {
  const { ticket, dial, service } = await container()
  const one = await ticket()
  expect(one).toMatch(/^[A-Za-z0-9_-]{43}$/)
  await dial(one)
  await expect(dial(one)).rejects.toMatchObject(refused)
  const log = JSON.stringify(service.log.lines)
  expect(log).not.toContain(one)
})

test('one of two hundred simultaneous connections with one ticket succeeds', async () => {
  const { ticket, dial } = await container()
  const one = await ticket()
  const dials = await Promise.allSettled(Array.from({ length: 200 }, () => dial(one)))
  expect(dials.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('401: rejects an expired ticket, one of an ended session, and other credentials', async () => {
  const { ticket, dial, ports, service } = await container()
  const late = await ticket()
  ports.clock.advance(30_000)
  await expect(dial(late)).rejects.toMatchObject(refused)

  const orphan = await ticket({ username: 'gone' })
  await ports.sessions.removeByAccount(present(await ports.accounts.findByUsername('gone')).id)
  await expect(dial(orphan)).rejects.toMatchObject(refused)

  const disabled = await ticket({ username: 'off' })
  const account = present(await ports.accounts.findByUsername('off'))
  await ports.accounts.replace({ ...account, disabled: true })
  await expect(dial(disabled)).rejects.toMatchObject(refused)

  const token = await service.token('admin')
  await expect(dial(token)).rejects.toMatchObject(refused)
  const asBearer = await ticket()
  const answer = await call(create, { ports, as: { token: asBearer } })
  expect(answer.status).toBe(401)
  await dial(asBearer)
})

test('a ticket of an API token has the scope of the token', async () => {
  const { ticket, dial, ports } = await container()
  const make = async (scope_tags: string[]) => {
    const body = { name: 'ci', scope_tags }
    const made = await call(createToken, { ports, as: 'admin', body })
    return { id: made.json.id as string, token: made.json.token as string }
  }
  await dial(await ticket({ token: (await make([])).token }))
  const elsewhere = await ticket({ token: (await make(['elsewhere'])).token })
  await expect(dial(elsewhere)).rejects.toMatchObject({ status: 403 })
  const revoked = await make([])
  const lost = await ticket({ token: revoked.token })
  await ports.apiTokens.remove(revoked.id)
  await expect(dial(lost)).rejects.toMatchObject(refused)
})

test('the stored hash of a ticket does not work as a ticket', async () => {
  const { ticket, dial, ports } = await container()
  let kept = ''
  const { create: save } = ports.tickets
  ports.tickets.create = async (one) => {
    kept = one.hash
    await save(one)
  }
  const one = await ticket()
  expect(kept).not.toContain(one)
  await expect(dial(kept)).rejects.toMatchObject(refused)
  await dial(one)
})

test('a ticket is bound to the Origin of the request that created it', async () => {
  const { ports } = world()
  const kept: (string | null)[] = []
  ports.tickets.create = async ({ origin }) => void kept.push(origin)
  await call(create, { ports, as: 'viewer', headers: { origin: 'https://a.example.org' } })
  await call(create, { ports, as: 'viewer' })
  expect(kept).toEqual(['https://a.example.org', null])
})

test('200: names the address of the feeds if they have one of their own', async () => {
  const { ports } = world()
  expect(Object.keys((await call(create, { ports, as: 'viewer' })).json)).toEqual(['ticket'])
  ports.site.feedsUrl = 'wss://feeds.example.org/stacks'
  const { json } = await call(create, { ports, as: 'viewer' })
  expect(json.url).toBe('wss://feeds.example.org/stacks/api/v1')
})

test('a page opens a feed at another address with its own Origin alone', async () => {
  const { ports, service, id } = await container()
  const page = 'https://stacks.example.org'
  const open = async (origin: string | undefined) => {
    const asked = await call(create, { ports, as: 'viewer', headers: { origin: page } })
    const url = `${service.url}/ws/logs/${id}?ticket=${asked.json.ticket}`
    return openFeed(url, { origin })
  }
  await open(page)
  const { origin } = new URL(service.url.replace('ws', 'http'))
  for (const other of [undefined, origin, 'https://feeds.example.org']) {
    await expect(open(other)).rejects.toMatchObject({ status: 403 })
  }
})
