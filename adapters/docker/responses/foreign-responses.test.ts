import { expect, onTestFinished, test } from 'vitest'
import { inspectedContainer } from '../../../local/harness/engine-responses.ts'
import {
  json,
  type LoopbackAnswer,
  loopbackEngine,
} from '../../../local/harness/loopback-engine.ts'
import { dockerEngine } from '../engine.ts'
import { engineClient } from '../transport/client.ts'

const page = '<html><body>502 Bad Gateway \u001b[31m</body></html>'

async function engineOf(answer: LoopbackAnswer, version?: { ApiVersion: string }) {
  const { transport } = await loopbackEngine(answer, version)
  const engine = dockerEngine({ transport, host: 'web-1', stacksDirectory: '/opt/stacks' })
  onTestFinished(() => engine.close())
  return { engine, client: engineClient(transport, 'web-1') }
}

const refused = (step: string) => ({
  status: 500,
  message: `The Docker Engine of host web-1 sent a response that is not from a Docker Engine (${step})`,
})

test.each([
  ['an HTML page', page],
  ['half of an object', '{"a":'],
  ['a list of a million brackets', '['.repeat(1_000_000)],
])('500: %s instead of JSON, as a success and as an error', async (_what, text) => {
  for (const status of [200, 301, 404, 500, 502]) {
    const { client } = await engineOf((_, response) => response.writeHead(status).end(text))
    const call = client.json({ method: 'GET', path: '/containers/json' })
    await expect(call).rejects.toMatchObject(refused('GET /containers/json'))
  }
})

test.each([
  { ApiVersion: page },
  { ApiVersion: '1.41/../../x' },
  { ApiVersion: 141 },
  {},
  [],
  'text',
  null,
])('500: the version %j', async (version) => {
  const { client } = await engineOf(() => true, version as { ApiVersion: string })
  const call = client.json({ method: 'GET', path: '/containers/json' })
  await expect(call).rejects.toMatchObject(refused('GET /version'))
})

test.each([{}, [null], [{}], 'text', 7, [{ Names: 'x', Id: 5 }]])(
  '500: JSON of another shape in every list: %j',
  async (value) => {
    const { engine } = await engineOf((_, response) => json(response, 200, value))
    for (const [step, read] of [
      ['containers', () => engine.containers({ all: true })],
      ['images', () => engine.images()],
      ['networks', () => engine.networks()],
    ] as const) {
      const outcome = await read().then(
        (list) => (Array.isArray(list) ? 'a list' : 'something else'),
        (error) => error,
      )
      if (outcome !== 'a list') expect(outcome).toMatchObject(refused(step))
    }
  },
)

test.each([
  ['containers', [{ Id: 'a', Names: ['/x'], Image: 'x', ImageID: 'x', State: 'odd' }]],
  ['images', [{ Id: 'a', RepoTags: null, RepoDigests: null, Size: null, Created: 0 }]],
  ['networks', [{ Id: 'a', Name: null, Driver: 'bridge', Scope: 'local', Internal: false }]],
  ['networks', [{ Id: '\u001b[2J', Name: 'x', Driver: 'x', Scope: 'x', Internal: true }]],
  ['volumes', { Volumes: [{ Name: 'x', Driver: 'local', Mountpoint: 7 }] }],
] as const)('500: a list of %s with a member of another type', async (list, value) => {
  const { engine } = await engineOf((_, response) => json(response, 200, value))
  const read = { ...engine, containers: () => engine.containers({ all: true }) }[list]
  await expect(read()).rejects.toMatchObject(refused(list))
})

test('500: a list of a million wrong members; stops at the first one', async () => {
  const list = JSON.stringify(Array(1_000_000).fill(0))
  const { engine } = await engineOf((_, response) => response.writeHead(200).end(list))
  const error = await engine.containers({ all: true }).catch((one) => one)
  expect(error).toMatchObject(refused('containers'))
  expect(error.cause.message).toBe('the response[0] is not an object')
})

test.each([403, 409])('500: a read fails with %i', async (status) => {
  const { client } = await engineOf((_, response) => json(response, status, { message: page }))
  const call = { path: '/containers/json' }
  await expect(client.json({ ...call, method: 'GET' })).rejects.toMatchObject({ status: 500 })
  await expect(client.json({ ...call, method: 'POST' })).rejects.toMatchObject({ status: 409 })
})

test('500: the Engine rejects the import of an image; its message is not shown', async () => {
  const { engine } = await engineOf(({ path }, response) => {
    if (path === '/_ping') return response.end('OK')
    return path === '/images/create' ? json(response, 200, { error: page }) : undefined
  })
  const reading = engine.readFiles('/opt/stacks/a', ['compose.yaml'])
  await expect(reading).rejects.toMatchObject({
    status: 500,
    message:
      'The Docker Engine of host web-1 did not import the helper image (POST /images/create)',
  })
})

test('500: endless response headers', async () => {
  const { client } = await engineOf((_, response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\n')
    for (let index = 0; index < 1000; index += 1) {
      response.socket?.write(`x-${index}: ${'a'.repeat(100)}\r\n`)
    }
    return true
  })
  const call = client.json({ method: 'GET', path: '/info' })
  await expect(call).rejects.toMatchObject(refused('GET /info'))
})

test('500: reads an endless error response up to the limit', async () => {
  let sent = 0
  const { client } = await engineOf((_, response) => {
    response.writeHead(500)
    const more = () => {
      while (!response.destroyed && sent < 64 * 1024 * 1024) {
        sent += 65_536
        if (!response.write('a'.repeat(65_536))) return response.once('drain', more)
      }
      return true
    }
    more()
    return true
  })
  const call = client.json({ method: 'GET', path: '/info' })
  await expect(call).rejects.toMatchObject(refused('GET /info'))
  expect(sent).toBeLessThan(16 * 1024 * 1024)
})

test('500: a pull, logs and stats return HTML pages', async () => {
  const { engine } = await engineOf((call, response) => {
    if (/\/containers\/.*\/json$/.test(call.path)) {
      return json(response, 200, inspectedContainer('a'.repeat(64)))
    }
    if (call.path.endsWith('/_ping')) return response.end('OK')
    return response.writeHead(200).end(`${page}\n${page}\n`)
  })
  const signal = new AbortController().signal
  await expect(engine.pullImage('a/b:1', signal)).rejects.toMatchObject(refused('pull a/b:1'))
  const logs = engine.logs('abc', { tail: 10 })
  await expect(logs).rejects.toMatchObject(refused('logs'))
  const stats = async () => {
    for await (const _ of engine.stats('abc', signal));
  }
  await expect(stats()).rejects.toMatchObject(refused('stats'))
})
