import { expect, onTestFinished, test } from 'vitest'
import { type FakePortainer, startPortainer } from './portainer.ts'

async function fake() {
  const server = await startPortainer()
  onTestFinished(() => server.close())
  return server
}

/** Requests a path with the access token of an account. */
async function get(server: FakePortainer, path: string, { apiKey } = server.admin) {
  const response = await fetch(server.url + path, { headers: { 'X-API-Key': apiKey } })
  const source = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, headers: response.headers, body: isJson && JSON.parse(source) }
}

const post = (server: FakePortainer, body: string) =>
  fetch(`${server.url}/api/auth`, { method: 'POST', body })

const idsIn = (body: { Id: number }[]) => body.map(({ Id }) => Id)

test('responds with its version to anyone', async () => {
  const server = await fake()
  for (const path of ['/api/status', '/api/system/status']) {
    const response = await fetch(server.url + path)
    expect(await response.json()).toMatchObject({ Version: expect.stringMatching(/^2\./) })
  }
})

test('401: rejects a request without a token and one with a wrong token', async () => {
  const server = await fake()
  const without = await fetch(`${server.url}/api/stacks`)
  expect(without.status).toBe(401)
  expect(await without.json()).toMatchObject({ details: 'Unauthorized' })
  expect(await get(server, '/api/stacks', { ...server.admin, apiKey: 'x' })).toMatchObject({
    status: 401,
  })
})

test('a JWT works until it expires', async () => {
  const server = await fake()
  const { username, password } = server.admin
  const signedIn = await post(server, JSON.stringify({ Username: username, Password: password }))
  const { jwt } = (await signedIn.json()) as { jwt: string }
  const headers = { Authorization: `Bearer ${jwt}` }
  expect((await fetch(`${server.url}/api/stacks`, { headers })).status).toBe(200)
  server.expire()
  expect((await fetch(`${server.url}/api/stacks`, { headers })).status).toBe(401)
})

test('400: rejects credentials that are not complete', async () => {
  const server = await fake()
  expect((await post(server, '{"Username": "admin"}')).status).toBe(400)
  expect((await post(server, 'no JSON')).status).toBe(400)
})

test('422: rejects wrong credentials', async () => {
  const server = await fake()
  const response = await post(server, '{"Username": "admin", "Password": "x"}')
  expect(response.status).toBe(422)
})

test('lists all twenty stacks to an administrator', async () => {
  const { body } = await get(await fake(), '/api/stacks')
  expect(idsIn(body)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

test('lists only what its access allows to a regular user', async () => {
  const server = await fake()
  const { body } = await get(server, '/api/stacks', server.bob)
  expect(idsIn(body)).toEqual([1, 2, 7])
  expect((await get(server, '/api/stacks/3', server.bob)).status).toBe(403)
  expect((await get(server, '/api/stacks/3/file', server.bob)).status).toBe(403)
})

test('filters stacks by environment and by swarm', async () => {
  const server = await fake()
  const filtered = async (filters: object) => {
    const query = encodeURIComponent(JSON.stringify(filters))
    return idsIn((await get(server, `/api/stacks?filters=${query}`)).body)
  }
  expect(await filtered({ EndpointID: 3 })).toEqual([14])
  expect(await filtered({ SwarmID: 'q7yt2p0s1f8k3m5n9r4v6w1xz' })).toEqual([11])
  expect((await get(server, '/api/stacks?filters=x')).status).toBe(400)
})

test('responds with the first compose file of a stack', async () => {
  const { body } = await get(await fake(), '/api/stacks/7/file')
  expect(body).toEqual({ StackFileContent: expect.stringContaining('shop:${TAG}') })
})

test('404, 400: there is no such stack', async () => {
  const server = await fake()
  expect((await get(server, '/api/stacks/99/file')).status).toBe(404)
  expect((await get(server, '/api/stacks/shop/file')).status).toBe(400)
})

test('409: does not show the file of a stack whose git settings are not deployed', async () => {
  const { status, body } = await get(await fake(), '/api/stacks/19/file')
  expect(status).toBe(409)
  expect(Object.keys(body)).toEqual(['message', 'details'])
})

test('lists environments in pages, with their number in a header', async () => {
  const server = await fake()
  const first = await get(server, '/api/endpoints?start=1&limit=4&excludeSnapshots=true')
  const second = await get(server, '/api/endpoints?start=5&limit=4')
  expect([...idsIn(first.body), ...idsIn(second.body)]).toEqual([1, 2, 3, 4, 5, 6])
  expect(first.headers.get('X-Total-Count')).toBe('6')
  expect(first.body[0]).not.toHaveProperty('Snapshots')
  const seen = await get(server, '/api/endpoints', server.bob)
  expect(idsIn(seen.body)).toEqual([1, 2])
})

test('lists registries without passwords, users, teams and memberships', async () => {
  const server = await fake()
  const registries = await get(server, '/api/registries')
  expect(JSON.stringify(registries.body)).not.toMatch(/"Password"/)
  expect((await get(server, '/api/users')).body).toHaveLength(3)
  expect((await get(server, '/api/teams')).body).toHaveLength(2)
  expect((await get(server, '/api/users/2/memberships')).body).toHaveLength(1)
})

test('403: shows a regular user no memberships of others', async () => {
  const server = await fake()
  expect((await get(server, '/api/users/2/memberships', server.bob)).body).toHaveLength(1)
  expect((await get(server, '/api/users/3/memberships', server.bob)).status).toBe(403)
  expect((await get(server, '/api/users/bob/memberships', server.bob)).status).toBe(400)
})

test('501: has no response whose form is on no page', async () => {
  const server = await fake()
  expect((await get(server, '/api/settings')).status).toBe(501)
  expect((await get(server, '/api/endpoints?search=x')).status).toBe(501)
  expect((await get(server, '/api/users', server.bob)).status).toBe(501)
})

test('records requests, and responds as a test asks it to', async () => {
  const server = await fake()
  server.instead.set('GET /api/stacks', { status: 502, text: 'Bad Gateway' })
  expect((await get(server, '/api/stacks?filters=%7B%7D')).status).toBe(502)
  expect(server.asked).toEqual(['GET /api/stacks?filters=%7B%7D'])
})
