import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { cleanEngine } from '../../adapters/testing/contract/engine-clean.ts'
import {
  createStep,
  run,
  startContainer,
  step,
} from '../../adapters/testing/contract/engine-world.ts'
import { askDocker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { localEngine } from '../harness/engine.ts'
import { type OpenFeed, openFeed } from '../harness/feeds.ts'
import {
  api,
  cli,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'

const engine = localEngine()
let place: Place
let front: Running
let sidecar: Running
let token: string

beforeAll(async () => {
  place = newPlace({ SERVICE_ROLE: 'api' })
  front = await startIn(place)
  token = await setUpAdmin(place, front)
  place.env.SERVICE_ROLE = 'sidecar'
  sidecar = await startIn(place)
})

afterAll(async () => {
  await Promise.all([place.remove(), engine.close()])
})

const dial = (path: string, at: Running = sidecar) =>
  openFeed(`${at.feeds}/api/v1${path}`, { token })

function newProject(): string {
  const project = `feeds-${randomBytes(4).toString('hex')}`
  onTestFinished(() => cleanEngine(engine, project))
  return project
}

/** Returns the lines up to `last`. */
async function linesUntil(feed: OpenFeed, last: string): Promise<string[]> {
  const lines: string[] = []
  while (lines.at(-1) !== last) {
    const { data } = await feed.json()
    if (data !== undefined) lines.push(...data.slice(0, -1).split('\n'))
  }
  return lines
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

test('a ticket of the API opens a feed of the sidecar, which serves nothing else', async () => {
  const name = await startContainer(engine, newProject(), 'one', 'echo hello; sleep 100')
  const { json } = await api(front, 'POST', '/ws/ticket', { token })
  const url = `${sidecar.feeds}/api/v1/ws/logs/${name}?ticket=${json.ticket}`
  const feed = await openFeed(url)
  expect(await linesUntil(feed, 'hello')).toEqual(['hello'])
  await expect(openFeed(url)).rejects.toMatchObject({ status: 401 })
  await expect(dial(`/ws/logs/${name}`, front)).rejects.toMatchObject({ status: 404 })
  expect((await api(sidecar, 'GET', '/health')).status).toBe(200)
  expect((await api(sidecar, 'GET', '/me', { token })).status).toBe(404)
  expect((await api(front, 'GET', `/ws/logs/${name}`, { token })).status).toBe(400)
  const lines = [...front.lines, ...sidecar.lines].join('\n')
  expect(lines).not.toContain(json.ticket)
})

test('the client follows a log at the address that SERVICE_FEEDS_URL names', async () => {
  const name = await startContainer(engine, newProject(), 'one', 'echo hello; sleep 1')
  const env = { ...place.env, SERVICE_ROLE: 'api', SERVICE_FEEDS_URL: sidecar.url }
  const named = await startIn({ ...place, env })
  onTestFinished(async () => {
    named.child.kill()
    await named.ended
  })
  const follow = ({ url }: Running) =>
    cli(place, ['containers', 'logs', name, '-f', '--server', url, '--token', token])
  expect(await follow(named)).toEqual({ code: 0, stdout: 'hello\n', stderr: '' })
  expect(await follow(front)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('this process serves no feeds'),
  })
  const page = await fetch(named.url, { headers: { Accept: 'text/html' } })
  const address = sidecar.feeds
  expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${address};`)
})

test('one of two hundred concurrent connections with the same ticket succeeds', async () => {
  const name = await startContainer(engine, newProject(), 'one', 'sleep 100')
  place.env.SERVICE_ROLE = 'all'
  const other = await startIn(place)
  const ats = [sidecar, other].map(({ feeds }) => feeds)
  const race = async () => {
    const { json } = await api(front, 'POST', '/ws/ticket', { token })
    const path = `/api/v1/ws/logs/${name}?ticket=${json.ticket}`
    const dials = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => openFeed(ats[index % 2] + path)),
    )
    const won = dials.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const refused = dials.flatMap((one) => (one.status === 'rejected' ? [one.reason.status] : []))
    expect(won.length).toBeLessThan(2)
    // A busy store makes requests fail with another status, also the one that uses the ticket.
    expect(refused.filter((status) => status !== 401 && status < 500)).toEqual([])
    expect(refused).toContain(401)
    expect(won.length + refused.length).toBe(200)
    return won
  }
  const [feed] = await until(race, ({ length }) => length === 1)
  other.child.kill('SIGTERM')
  if (feed?.ws.url.startsWith(present(ats[1]))) {
    expect((await feed.ended).code).toBe(1001)
  }
  expect(await other.ended).toBe(0)
})

test('a follower that joins late receives every line once, even if others stall', async () => {
  const slowly = '[ $((i % 200)) -eq 0 ] && sleep 0.1'
  const many = `until [ -e /go ]; do i=$((i+1)); echo $i; ${slowly}; done`
  const script = `i=0; ${many}; for j in $(seq 1000); do i=$((i+1)); echo $i; done; echo last; sleep 100`
  const name = await startContainer(engine, newProject(), 'one', script)
  const stalled = await Promise.all([0, 1, 2].map(() => dial(`/ws/logs/${name}?tail=all`)))
  for (const { ws } of stalled) ws.pause()
  const feeds: Promise<string[]>[] = []
  const query = ['tail=0', 'tail=10', 'tail=1000', 'tail=all', 'tail=10000']
  for (let count = 0; count < 20; count += 1) {
    const feed = await dial(`/ws/logs/${name}?${query[count % query.length]}`)
    feeds.push(linesUntil(feed, 'last'))
  }
  await askDocker('exec', name, 'touch', '/go')
  const received = await Promise.all(feeds)
  const total = Number(received[0]?.at(-2))
  for (const [index, lines] of received.entries()) {
    expect([index, lines]).toEqual([index, [...numbers(Number(lines[0]), total), 'last']])
  }
  for (const { ws } of stalled) ws.terminate()
})

test('lines of a terminal, long lines and multi-byte characters arrive intact', async () => {
  const project = newProject()
  const script = 'printf "🙂%.0s" $(seq 1 9000); echo; echo last; sleep 100'
  const plain = await startContainer(engine, project, 'one', script)
  const tty = createStep(project, 'two', script, { Tty: true })
  await run(engine, tty, step({ action: 'start', kind: 'container', name: tty.name }))
  for (const name of [plain, tty.name]) {
    const feed = await dial(`/ws/logs/${name}`)
    expect(await linesUntil(feed, 'last')).toEqual(['🙂'.repeat(9000), 'last'])
  }
})

test('a log driver that cannot be read ends no log of the other services', async () => {
  const name = newProject()
  const [say, path] = [`sh -c 'echo one; sleep 100'`, `/stacks/${name}/logs`]
  const [frontBefore, sidecarBefore] = [front.lines.length, sidecar.lines.length]
  const compose = `services:
  mute: {image: 'busybox:latest', init: true, command: ${say}, logging: {driver: none}}
  web: {image: 'busybox:latest', init: true, command: ${say}}
`
  await api(front, 'POST', '/stacks', { token, body: { name, compose } })
  await api(front, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
  const read = (query = '') => api(front, 'GET', path + query, { token })
  const { headers, json } = await until(read, ({ json: lines }) => lines.length > 0)
  expect(headers.get('x-unreadable-logs')).toBe('mute')
  expect(json).toMatchObject([{ service: 'web', line: 'one' }])
  const error = 'the log of the container cannot be read: its log driver (none) does not support it'
  const feed = await dial(`/ws${path}`)
  expect(await feed.json()).toMatchObject({ service: 'mute', error })
  expect(await feed.json()).toMatchObject({ service: 'web', data: 'one\n' })
  expect(await read('?service=mute')).toMatchObject({ status: 409 })
  await expect(dial(`/ws${path}?service=mute`)).rejects.toMatchObject({ status: 409 })
  const alone = await api(front, 'GET', `/containers/${name}-mute-1/logs`, { token })
  expect(alone).toMatchObject({ status: 409, json: { error } })
  await expect(dial(`/ws/logs/${name}-mute-1`)).rejects.toMatchObject({ status: 409 })
  const lines = [...front.lines.slice(frontBefore), ...sidecar.lines.slice(sidecarBefore)]
  expect(lines.filter((line) => line.includes('"status":500,'))).toEqual([])
  await api(front, 'DELETE', `/stacks/${name}`, { token })
})

test('a feed ends like docker logs: at a stop with the exit code, at a restart, at the removal', async () => {
  const name = await startContainer(engine, newProject(), 'one', 'echo up; exec sleep 100')
  const open = async () => {
    const feed = await dial(`/ws/logs/${name}`)
    await linesUntil(feed, 'up')
    return feed
  }
  const last = async (feed: OpenFeed) => {
    expect(await feed.ended).toMatchObject({ code: 1000 })
    return JSON.parse(String(feed.messages.at(-1)))
  }
  const restarted = await open()
  await engine.act(name, { kind: 'restart', timeoutSeconds: 0 })
  expect(Object.keys(await last(restarted))).toEqual(['end'])
  const killed = await open()
  await engine.act(name, { kind: 'kill' })
  expect(await last(killed)).toEqual({ end: { exit_code: 137 } })
  await engine.act(name, { kind: 'start' })
  const removed = await open()
  await engine.removeContainer(name, { force: true })
  // 137 while it can still be inspected, null once it is gone.
  expect([137, null]).toContain((await last(removed)).end.exit_code)
})

test('a log that rotates loses no line of a writer that does not wait', async () => {
  // `docker logs --follow` of Docker 20.10 skips a whole file if the log is rotated twice before it
  // looks again. This writer fills one a second.
  const wait = '[ $((i % 25)) -gt 0 ] || sleep 0.1'
  const script = `i=0; while [ $i -lt 1200 ]; do i=$((i+1)); echo $i; ${wait}; done; sleep 100`
  const made = createStep(newProject(), 'one', script, {
    HostConfig: {
      NetworkMode: 'none',
      LogConfig: { Type: 'json-file', Config: { 'max-size': '20k', 'max-file': '3' } },
    },
  })
  await run(engine, made)
  const start = step({ action: 'start', kind: 'container', name: made.name })
  await run(engine, start)
  const feed = await dial(`/ws/logs/${made.name}?tail=10`)
  const lines = await linesUntil(feed, '1200')
  const [first, oldest] = [lines[0], (await askDocker('logs', made.name)).split('\n')[0]].map(
    Number,
  )
  // What it received first has been rotated away since.
  expect(oldest).toBeGreaterThan(Number(first))
  // After a rotation the Engine itself repeats lines. None may be missing.
  expect([...new Set(lines)]).toEqual(numbers(Number(first), 1200))
})

test('stats match those of docker stats', async () => {
  const name = await startContainer(engine, newProject(), 'one', 'while :; do :; done')
  const feed = await dial(`/ws/stats/${name}`)
  const figures = await until(
    () => feed.json(),
    ({ cpu_percent }) => cpu_percent > 1,
    90,
  )
  expect(figures.cpus).toBeGreaterThan(0)
  expect(figures.memory).toBeGreaterThan(0)
  expect(figures.pids).toBeGreaterThan(0)
})

test('permissions revoked in one process end a feed in the other', async () => {
  const name = await startContainer(engine, newProject(), 'one', 'sleep 100')
  const body = { name: 'watcher', expires_in_days: 1 }
  const made = await api(front, 'POST', '/api-tokens', { token, body })
  const url = `${sidecar.feeds}/api/v1/ws/logs/${name}`
  const feed = await openFeed(url, { token: made.json.token })
  await api(front, 'DELETE', `/api-tokens/${made.json.id}`, { token })
  expect((await feed.ended).code).toBe(1008)
})

test('a process reports the events of another and of the Engine', async () => {
  const project = newProject()
  const feed = await dial('/ws/events?host=local')
  const body = {
    name: project,
    compose: 'services: {app: {image: busybox, command: sleep 100, init: true}}',
  }
  await api(front, 'POST', '/stacks', { token, body })
  await api(front, 'POST', `/stacks/${project}/deploy`, { token, body: {} })
  const ended = await until(
    () => feed.json(),
    ({ kind, subject }) => kind === 'stack.deploy.ended' && subject.id === project,
  )
  expect(ended).toMatchObject({ by: expect.any(String), details: { status: 'succeeded' } })
  const told = feed.messages.map((text) => JSON.parse(String(text)))
  const started = told.find(
    ({ kind, details }) => kind === 'container.start' && details.stack === project,
  )
  expect(started).toMatchObject({ source: 'docker', subject: { name: `${project}-app-1` } })
  expect(told.map(({ kind }) => kind)).toContain('stack.create')
  expect(told.map(({ kind }) => kind)).toContain('stack.deploy.step')
  await api(front, 'DELETE', `/stacks/${project}`, { token })
})
