import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { transportFrom } from '../../adapters/docker/transport/connect.ts'
import { cleanEngine, removeImages } from '../../adapters/testing/contract/engine-clean.ts'
import { startContainer as runContainer } from '../../adapters/testing/contract/engine-world.ts'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { enrolHost, enrolInProcess, startAgent, untilHostStatus } from '../harness/agent.ts'
import { expectAnsweredFirst } from '../harness/answered-first.ts'
import { type DockerGate, dockerGate } from '../harness/docker-gate.ts'
import { localEngine } from '../harness/engine.ts'
import { type OpenFeed, openFeed } from '../harness/feeds.ts'
import { freePort } from '../harness/free-port.ts'
import { publishImage, type Registry, startRegistry } from '../harness/registry.ts'
import { api, cli, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'

const place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
const engine = localEngine()
/** Label of the images of these tests, so that a prune removes no others. */
const project = `agent-engine-${randomBytes(4).toString('hex')}`
const labels = { 'com.docker.compose.project': project }
const stop = new AbortController()

let service: Running
let token: string
let gate: DockerGate
let hanging: DockerGate
let registry: Registry
let image: string
/** A host with an agent, and one whose Engine accepts calls but never responds. */
let far: string
let hung: string

const call = (method: string, path: string, body?: unknown) =>
  api(service, method, path, { token, body })
const pull = (host: string, name = image) => call('POST', '/images/pull', { image: name, host })
const imagesOf = async (host: string) => (await call('GET', `/images?host=${host}`)).json
const encoded = (name: string) => encodeURIComponent(name)

beforeAll(async () => {
  gate = await dockerGate({ label: `com.docker.compose.project=${project}` })
  hanging = await dockerGate()
  hanging.hang()
  registry = await startRegistry({ closed: true })
  image = `${registry.address}/team/app:1`
  await publish('first')
  service = await startIn(place)
  token = await setUpAdmin(place, service)
  const host = await enrolHost(place, service, token, { name: 'far' })
  startAgent(place, host.directory, { DOCKER_HOST: gate.address })
  await untilHostStatus(service, token, host.id, 'online')
  far = host.id
  const other = await enrolInProcess(place, service, token, 'hung')
  void other.run({ path: hanging.transport.socketPath }, stop.signal)
  hung = other.id
})

afterAll(async () => {
  stop.abort()
  await removeImages(transportFrom(process.env), project)
  await Promise.all([place.remove(), engine.close(), registry.close()])
  await Promise.all([gate.close(), hanging.close()])
})

async function publish(content: string) {
  const file = { path: 'made', content: Buffer.from(registry.address + content), mode: 0o644 }
  await publishImage(registry, 'team/app', '1', await tarOf([file]), labels)
}

async function container(script: string): Promise<string> {
  const own = `${project}-${randomBytes(4).toString('hex')}`
  onTestFinished(() => cleanEngine(engine, own))
  return runContainer(engine, own, 'one', script)
}

const dial = (path: string) => openFeed(`${service.feeds}/api/v1/ws/${path}`, { token })

test('pulls images with credentials, lists them at once, prunes and removes them', async () => {
  const refused = await pull(far)
  expect([refused.status, refused.json.error]).toEqual([500, expect.stringContaining('auth')])
  const { username, password } = present(registry.credentials)
  const credentials = { address: registry.address, username, password }
  expect((await call('POST', '/registries', credentials)).status).toBe(201)
  const pulled = await pull(far)
  expect(pulled.json).toMatchObject({ tags: [image], host_id: far, host_name: 'far' })
  expect(await imagesOf(far)).toContainEqual(pulled.json)
  expect((await pull(far, `${registry.address}/team/none:1`)).status).toBe(404)

  await publish('second')
  const again = (await pull(far)).json
  expect(again.id).not.toBe(pulled.json.id)
  const pruned = await call('POST', `/images/prune?host=${far}`)
  expect(pruned.json.deleted).toContain(pulled.json.id)
  expect(pruned.json.reclaimed_bytes).toBeGreaterThan(0)
  const left = (await imagesOf(far)).map(({ id }: { id: string }) => id)
  expect([left.includes(pulled.json.id), left.includes(again.id)]).toEqual([false, true])

  const removed = await call('DELETE', `/images/${encoded(image)}?host=${far}`)
  expect(removed.status).toBe(204)
  expect((await imagesOf(far)).map(({ id }: { id: string }) => id)).not.toContain(again.id)
  expect((await call('DELETE', `/images/${encoded(image)}?host=${far}`)).status).toBe(404)
  const words = ['images', 'pull', image, '--host', far, '--server', service.url, '--token', token]
  expect(await cli(place, words)).toMatchObject({ code: 0, stderr: '' })
  expect((await call('DELETE', `/images/${again.id.slice(7, 19)}?host=${far}`)).status).toBe(204)
})

test('builds with a secret and a private base, which the Engine asks for through the agent', async () => {
  const { username, password } = present(registry.credentials)
  await call('POST', '/registries', { address: registry.address, username, password })
  const name = `${project}-built`
  const dockerfile = [
    `FROM ${image} AS private`,
    'FROM busybox',
    'COPY --from=private /made /made',
    'RUN --mount=type=secret,id=token sha256sum < /run/secrets/token > /digest',
  ]
  const compose = {
    services: {
      web: {
        build: { dockerfile_inline: `${dockerfile.join('\n')}\n`, secrets: ['token'] },
        command: 'sleep 100',
        network_mode: 'none',
        stop_grace_period: '0s',
      },
    },
    secrets: { token: { environment: 'TOKEN' } },
  }
  const token = randomBytes(20_000).toString('hex')
  const stack = { name, host: far, compose: JSON.stringify(compose), env: `TOKEN=${token}\n` }
  expect((await call('POST', '/stacks', stack)).status).toBe(201)
  onTestFinished(async () => {
    await cleanEngine(engine, name)
    await removeImages(transportFrom(process.env), name)
  })
  const { json } = await call('POST', `/stacks/${name}/deploy`, {})
  expect(json).toMatchObject({ status: 'succeeded' })
  const digest = createHash('sha256').update(token).digest('hex')
  expect(docker('exec', `${name}-web-1`, 'cat', '/digest')).toContain(digest)
  expect(docker('exec', `${name}-web-1`, 'cat', '/made')).toContain(registry.address)
  const shown = await call('GET', `/stacks/${name}/deployments/${json.id}`)
  expect(JSON.stringify(shown.json) + service.lines.join('\n')).not.toContain(token.slice(0, 50))
})

test('removes a container, a running one only with force', async () => {
  const name = await container('sleep 100')
  const path = `/containers/${name}?host=${far}`
  const listed = async () => {
    const { json } = await call('GET', `/containers?host=${far}&all=true`)
    return json.some((one: Json) => one.name === name)
  }
  expect(await listed()).toBe(true)
  const runs = await call('DELETE', path)
  expect([runs.status, runs.json.error]).toEqual([409, expect.stringContaining('running')])
  expect((await call('DELETE', `${path}&force=true`)).status).toBe(204)
  expect(await listed()).toBe(false)
  expect((await call('DELETE', path)).status).toBe(404)
})

test('reports events as those of the host', async () => {
  const feed = await dial(`events?host=${far}`)
  const name = await container('sleep 100')
  expect((await call('POST', `/containers/${name}/kill?host=${far}`)).json.state).toBe('exited')
  expect((await call('DELETE', `/containers/${name}?host=${far}`)).status).toBe(204)
  const seen = new Map<string, Json>()
  const wanted = ['docker container.start', 'docker container.die', 'docker container.destroy']
  while (![...wanted, 'service container.delete'].every((one) => seen.has(one))) {
    const event = await feed.json()
    if (event.subject?.name === name || event.subject?.id === name) {
      seen.set(`${event.source} ${event.kind}`, event)
    }
  }
  for (const event of seen.values()) expect(event.host_id).toBe(far)
  expect(seen.get('docker container.die').details.exit_code).toBe(137)
  expect(seen.get('service container.delete')).toMatchObject({
    by: 'admin',
    details: { outcome: 'succeeded' },
  })
  feed.ws.terminate()
})

test('reports a container’s stats once a second', async () => {
  const name = await container('sleep 100')
  const feed = await dial(`stats/${name}?host=${far}`)
  const [first, second] = [await feed.json(), await feed.json()]
  expect(first).toMatchObject({ pids: expect.any(Number), memory: expect.any(Number) })
  expect(Date.parse(second.time)).toBeGreaterThan(Date.parse(first.time))
  await call('POST', `/containers/${name}/kill?host=${far}`)
  expect((await feed.ended).code).toBe(1000)
})

/** Returns the lines of a feed up to `last`. */
async function linesUntil(feed: OpenFeed, last: string): Promise<string[]> {
  const lines: string[] = []
  while (lines.at(-1) !== last) {
    const { data } = await feed.json()
    if (data !== undefined) lines.push(...data.slice(0, -1).split('\n'))
  }
  return lines
}

/** Returns how many processes in a container have this command line. */
async function countOf(name: string, words: string): Promise<number> {
  const command = ['ps', '-o', 'args']
  const { output } = await engine.exec(name, { command, tty: false }, stop.signal)
  let text = ''
  for await (const { data } of output) text += Buffer.from(data)
  return text.split('\n').filter((line) => line === words).length
}

test('a client that does not read delays no other client of the same agent', async () => {
  // More than a stream and its sockets can buffer, and together more than the connection may have
  // in flight.
  const bytes = 20_000_000
  const line = 'line=$(head -c 999 /dev/zero | tr "\\0" x)'
  const prints = `i=0; while [ $i -lt ${bytes / 1000} ]; do i=$((i+1)); echo $line; done; echo last`
  const loud = await container(`${line}; ${prints}; sleep 100`)
  const quiet = await container('while :; do echo tick; sleep 0.1; done')
  const words = ['head', '-c', String(bytes), '/dev/zero']
  const command = words.map((word) => `cmd=${encoded(word)}`).join('&')
  const commands = await Promise.all(
    [1, 2, 3, 4].map(() => dial(`exec/${loud}?host=${far}&${command}`)),
  )
  const log = await dial(`logs/${loud}?host=${far}&tail=all`)
  for (const { ws } of [log, ...commands]) ws.pause()
  const ticks = await dial(`logs/${quiet}?host=${far}&tail=0`)
  for (let count = 0; count < 30; count += 1) {
    expect((await ticks.json()).data).toMatch(/^(tick\n)+$/)
  }
  ticks.ws.terminate()
  for (const path of [`/containers?host=${far}&all=true`, `/containers/${loud}?host=${far}`]) {
    expect((await call('GET', path)).status).toBe(200)
  }
  expect(await countOf(loud, words.join(' '))).toBe(commands.length)
  for (const { ws } of [log, ...commands]) ws.resume()
  const lines = await linesUntil(log, 'last')
  expect([lines.length, new Set(lines).size]).toEqual([bytes / 1000 + 1, 2])
  for (const feed of commands) {
    expect((await feed.ended).code).toBe(1000)
    const out = (feed.messages as Buffer[]).filter(([channel]) => channel === 1)
    expect(out.reduce((sum, { length }) => sum + length - 1, 0)).toBe(bytes)
  }
})

test('reports a host whose Engine hangs, and delays no call to another host', async () => {
  const name = await container('sleep 100')
  await until(
    async () => service.lines.filter((line) => line.includes('"an agent connected"')).length,
    (agents) => agents >= 2,
  )
  const calls: [string, string, unknown?][] = [
    ['GET', `/containers?host=${hung}`],
    ['GET', `/containers/${name}?host=${hung}`],
    ['GET', `/containers/${name}/logs?host=${hung}`],
    ['POST', `/containers/${name}/stop?host=${hung}`],
    ['DELETE', `/containers/${name}?host=${hung}&force=true`],
    ['GET', `/images?host=${hung}`],
    ['POST', '/images/pull', { image, host: hung }],
    ['POST', `/images/prune?host=${hung}`],
    ['DELETE', `/images/none?host=${hung}&force=true`],
    ['GET', `/networks?host=${hung}`],
    ['GET', `/volumes?host=${hung}`],
  ]
  const slow = () =>
    calls.map(async ([method, path, body]) => {
      const { status, json } = await call(method, path, body)
      expect([path, status, json.error]).toEqual([path, 500, expect.stringContaining('hung')])
    })
  const others = [`/containers?host=${far}`, `/containers/${name}?host=${far}`, '/containers']
  const answers = await expectAnsweredFirst(slow, () =>
    Promise.all(others.map((path) => call('GET', path))),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const { items, unreachable_hosts } = (await call('GET', '/containers?host=all')).json
  expect(unreachable_hosts).toEqual([
    {
      host_id: hung,
      host_name: expect.any(String),
      error: expect.stringMatching(/did not respond within [35] s( \(GET \/\S+\))?$/),
    },
  ])
  const hosts = items.flatMap((one: Json) => (one.name === name ? [one.host_id] : []))
  expect(hosts).toEqual(expect.arrayContaining([far, 'local']))
  expect(hosts).not.toContain(hung)
})
