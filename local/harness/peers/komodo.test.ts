import { expect, onTestFinished, test } from 'vitest'
import { type FakeKomodo, startKomodo } from './komodo.ts'

async function fake() {
  const server = await startKomodo()
  onTestFinished(() => server.close())
  return server
}

/** Sends a read request as an account. */
async function read(
  server: FakeKomodo,
  type: string,
  params: object = {},
  { key, secret } = server.admin,
) {
  const response = await fetch(`${server.url}/read/${type}`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'X-Api-Secret': secret, 'Content-Type': 'application/json' },
    body: JSON.stringify(params),
  })
  const source = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, body: isJson && JSON.parse(source) }
}

test('401: rejects a request without a key and one with a wrong secret', async () => {
  const server = await fake()
  const without = await fetch(`${server.url}/read/ListStacks`, { method: 'POST', body: '{}' })
  expect(without.status).toBe(401)
  expect(await without.json()).toEqual({ error: expect.any(String), trace: [] })
  const wrong = await read(server, 'ListStacks', {}, { ...server.admin, secret: 'x' })
  expect(wrong.status).toBe(401)
})

test('reads the type of a request from the path or from the body', async () => {
  const server = await fake()
  const { key, secret } = server.admin
  const response = await fetch(`${server.url}/read`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'X-Api-Secret': secret },
    body: '{"type": "GetVersion", "params": {}}',
  })
  expect(await response.json()).toEqual((await read(server, 'GetVersion')).body)
})

test('lists stacks without templates unless they are asked for', async () => {
  const server = await fake()
  const count = async (templates?: string) =>
    (await read(server, 'ListStacks', { query: { templates } })).body.length
  expect(await count()).toBe(19)
  expect(await count('Include')).toBe(20)
  expect(await count('Only')).toBe(1)
  const named = await read(server, 'ListFullStacks', { query: { names: ['Media.Server'] } })
  expect(named.body).toMatchObject([{ config: { project_name: 'mediaserver' } }])
})

test('finds a stack by its name and by its ID', async () => {
  const server = await fake()
  const { body } = await read(server, 'GetStack', { stack: 'wiki' })
  expect(body.info.deployed_project_name).toBe('wiki-2024')
  expect((await read(server, 'GetStack', { stack: body._id.$oid })).body).toEqual(body)
})

test('every server of a stack is in the list of servers', async () => {
  const server = await fake()
  const { body: servers } = await read(server, 'ListServers')
  const { body: stacks } = await read(server, 'ListFullStacks')
  const known = servers.map(({ id }: { id: string }) => id)
  for (const { config } of stacks) {
    if (config.server_id !== '') expect(known).toContain(config.server_id)
  }
})

test('masks the values of secret variables for accounts that are no administrators', async () => {
  const server = await fake()
  const secretFor = async (account: typeof server.admin) => {
    const { body } = await read(server, 'ListVariables', {}, account)
    return body.find(({ name }: { name: string }) => name === 'DB_PASSWORD').value
  }
  expect(await secretFor(server.admin)).toBe('komodo-db-4711')
  expect(await secretFor(server.reader)).toBe('#'.repeat(14))
})

test('exports all resources as TOML, with variables if they are asked for', async () => {
  const server = await fake()
  const exported = async (params: object, account = server.admin): Promise<string> =>
    (await read(server, 'ExportAllResourcesToToml', params, account)).body.toml
  const plain = await exported({})
  expect(plain.match(/^\[\[stack\]\]$/gm)).toHaveLength(19)
  expect(plain).not.toContain('[[variable]]')
  const all = { include_variables: true }
  expect(await exported(all)).toContain('value = "komodo-db-4711"')
  expect(await exported(all, server.reader)).toContain(`value = "${'#'.repeat(14)}"`)
})

test('501: has no response whose form is on no page', async () => {
  const server = await fake()
  expect((await read(server, 'ListAlerts')).status).toBe(501)
  expect((await read(server, 'GetStack', { stack: 'gone' })).status).toBe(501)
  expect((await read(server, 'ListStacks', { query: { tags: ['prod'] } })).status).toBe(501)
  expect((await read(server, 'ExportAllResourcesToToml', { tags: ['prod'] })).status).toBe(501)
})
