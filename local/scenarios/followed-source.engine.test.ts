import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { type Registry, startRegistry } from '../harness/registry.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, cli, newPlace, type Place, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const name = unique('follow')
/** Where the stack is written and published, and where it follows the source. */
const allowed = { SERVICE_OUTBOUND_ALLOW: '127.0.0.1' }
const places: [Place, Place] = [newPlace(allowed), newPlace(allowed)]
let registry: Registry
let front: Awaited<ReturnType<typeof countRequests>>

/** Starts a proxy that notes the requests to a registry. */
async function countRequests(to: Registry) {
  const seen: string[] = []
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming
    seen.push(`${method} ${url}`)
    const [host, port] = to.address.split(':')
    const forwarded = request({ host, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const heads = () => seen.filter((one) => one.startsWith('HEAD ') && one.endsWith('/1')).length
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    heads,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const composeOf = (greeting: string) => `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    environment:
      GREETING: ${greeting}
`

/** Sends a request to the service of a place. */
type Ask = (method: string, path: string, body?: object) => Promise<Json>
let [writer, follower] = [] as unknown as [Ask, Ask]

/** Runs the client, which must succeed. */
async function client(place: Place, words: string): Promise<string> {
  const { code, stdout, stderr } = await cli(place, words.split(' '))
  if (code !== 0) throw new Error(`${words}: ${stderr}`)
  return stdout
}

beforeAll(async () => {
  registry = await startRegistry()
  front = await countRequests(registry)
  const asks = []
  for (const place of places) {
    const running = await startIn(place)
    const token = await setUpAdmin(place, running)
    await cli(place, ['login', running.url, '--token', token])
    asks.push(async (method: string, path: string, body?: object) => {
      const { json } = await api(running, method, path, { token, body })
      return json
    })
  }
  ;[writer, follower] = asks as [Ask, Ask]
})

afterAll(async () => {
  await removeFromEngine(name)
  for (const place of places) await place.remove()
  front?.close()
  await registry?.close()
})

const reference = () => `${front.address}/team/${name}:1`
const publish = () => client(places[0], `stacks publish ${name} ${reference()} --yes`)
const running = () => docker('exec', `${name}-web-1`, 'sh', '-c', 'echo $GREETING')
const followed = async (): Promise<Json[]> =>
  (await follower('GET', `/stacks/${name}/deployments`)).filter(
    ({ cause, status }: Json) => cause === 'source' && status === 'succeeded',
  )
const config = (ask: Ask) => ask('GET', `/stacks/${name}/config`)

test('a stack follows what another service publishes', async () => {
  await writer('POST', '/stacks', { name, compose: composeOf('one') })
  await publish()
  await follower('POST', '/stacks', { name, compose: composeOf('none') })
  await follower('POST', `/stacks/${name}/deploy`, {})
  await client(places[1], `sources create ${name} oci://${front.address}/team/${name} --ref 1`)
  await client(places[1], `stacks source set ${name} ${name} --on-change deploy`)
  await client(places[1], `stacks source sync ${name}`)
  await until(followed, (all) => all.length === 1)
  expect(await running()).toBe('one')
  expect(await config(follower)).toEqual(await config(writer))
})

test('new content of the tag is deployed, with one HEAD for a look', async () => {
  await writer('PUT', `/stacks/${name}`, { compose: composeOf('two') })
  await publish()
  const before = front.heads()
  const looked = await client(places[1], `sources look ${name}`)
  expect(front.heads()).toBe(before + 1)
  const [last] = await until(followed, (all) => all.length === 2)
  expect(looked).toContain(last.source.revision)
  expect(last.source).toMatchObject({ source: name, trigger: 'look' })
  expect(await running()).toBe('two')
  expect(await config(follower)).toEqual(await config(writer))
})

test('a look that finds nothing new is one HEAD and touches no container', async () => {
  const life = () => docker('inspect', '--format', '{{.Id}} {{.State.StartedAt}}', `${name}-web-1`)
  const [before, asked] = [await life(), front.heads()]
  await client(places[1], `sources look ${name}`)
  await client(places[1], `stacks source set ${name} ${name} --on-change deploy`)
  const isSynced = ({ last_error: error, is_waiting: waits }: Json) => !waits && error === null
  await until(() => follower('GET', `/stacks/${name}/source`), isSynced)
  expect([await life(), front.heads()]).toEqual([before, asked + 1])
})

test('a changed file of the source is refused, and a stopped stack stays stopped', async () => {
  const refused = await cli(places[1], ['stacks', 'source', 'unset', 'none'])
  expect(refused.code).not.toBe(0)
  const edit = await follower('PUT', `/stacks/${name}`, { compose: composeOf('mine') })
  expect(edit.error).toContain(`cli stacks source unset ${name}`)
  await follower('POST', `/stacks/${name}/stop`, {})
  await writer('PUT', `/stacks/${name}`, { compose: composeOf('three') })
  await publish()
  await client(places[1], `stacks source sync ${name}`)
  const isNew = ({ compose }: Json) => compose.includes('three')
  const stack = await until(() => follower('GET', `/stacks/${name}`), isNew)
  expect(stack.status).toBe('stopped')
  expect(await followed()).toHaveLength(2)
})
