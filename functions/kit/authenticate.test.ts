import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { accountOf, signIn } from '../../local/harness/sign-in.ts'
import { makeApiToken } from '../core/access/api-token.ts'
import type { ApiToken } from '../core/records/account.ts'
import { authenticate } from './authenticate.ts'

const refused = { status: 401 }

/**
 * Returns ports whose token verification and stores skip the checks that `authenticate` must make.
 */
async function lenient() {
  const ports = memoryPorts()
  const token = await signIn(ports, { username: 'anna' })
  const claims = present(await ports.accessTokens.verify(token))
  ports.accessTokens.verify = async () => claims
  return { ports, claims, ask: () => authenticate(`Bearer ${token}`, ports) }
}

test('401: an access token from the millisecond of its expiry', async () => {
  const { ports, claims, ask } = await lenient()
  ports.clock.set(claims.expiresAt - 1)
  expect((await ask()).account.username).toBe('anna')
  ports.clock.set(claims.expiresAt)
  await expect(ask()).rejects.toMatchObject(refused)
})

test('401: an access token whose account differs from that of its session', async () => {
  const { ports, claims, ask } = await lenient()
  claims.accountId = (await accountOf(ports, { username: 'bert', role: 'admin' })).id
  await expect(ask()).rejects.toMatchObject(refused)
})

test('401: an API token from the millisecond of its expiry, even if the store still has it', async () => {
  const ports = memoryPorts()
  const { id: accountId } = await accountOf(ports, { username: 'anna' })
  const token = makeApiToken(ports.random.bytes(64))
  const hash = createHash('sha256').update(token).digest('hex')
  const expiresAt = ports.clock.now() + 1000
  const record: ApiToken = {
    id: 't',
    accountId,
    name: 'ci',
    prefix: 'cst_',
    hash,
    scopeTags: [],
    createdAt: 0,
    expiresAt,
    lastUsedAt: null,
  }
  ports.apiTokens.findByHash = async (given) => (given === hash ? record : undefined)
  const ask = () => authenticate(`Bearer ${token}`, ports)
  await ports.apiTokens.create(record)
  ports.clock.set(expiresAt - 1)
  expect((await ask()).credential).toEqual({ kind: 'api_token', tokenId: 't', hash, expiresAt })
  ports.clock.set(expiresAt)
  await expect(ask()).rejects.toMatchObject(refused)
})

test('401: does not look up a token with a wrong checksum', async () => {
  const ports = memoryPorts()
  const asked: string[] = []
  ports.identities.byApiToken = async (hash) => {
    asked.push(hash)
    return undefined
  }
  const token = makeApiToken(ports.random.bytes(64))
  const last = token.at(-1) === 'A' ? 'B' : 'A'
  const wrong = authenticate(`Bearer ${token.slice(0, -1)}${last}`, ports)
  await expect(wrong).rejects.toMatchObject(refused)
  expect(asked).toEqual([])
  await expect(authenticate(`Bearer ${token}`, ports)).rejects.toMatchObject(refused)
  expect(asked).toHaveLength(1)
})

test('records the use of an API token', async () => {
  const ports = memoryPorts()
  const { id: accountId } = await accountOf(ports, { username: 'anna' })
  const token = makeApiToken(ports.random.bytes(64))
  const hash = createHash('sha256').update(token).digest('hex')
  const about = { id: 't', accountId, name: 'ci', prefix: 'cst_', hash, scopeTags: [] }
  await ports.apiTokens.create({ ...about, createdAt: 0, expiresAt: null, lastUsedAt: null })
  await authenticate(`Bearer ${token}`, ports)
  expect((await ports.apiTokens.find('t'))?.lastUsedAt).toBe(ports.clock.now())
})
