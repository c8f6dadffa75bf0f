import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { enrolHost, startAgent, untilHostStatus } from '../harness/agent.ts'
import { boundToParent } from '../harness/bound-process.ts'
import { type OpenFeed, openFeed } from '../harness/feeds.ts'
import { freePort } from '../harness/free-port.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import {
  api,
  logIn,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { findCompose } from '../setup/compose.mjs'

const name = unique('oneoffs')
const compose = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
  job:
    image: busybox:latest
    profiles: [tools]
    command: ["sh", "-c", "echo from the service; sleep 3600"]
    working_dir: /srv
    user: "1001"
    hostname: worker
    environment: { MODE: prod, SAME: service }
    ports: ["127.0.0.1::80"]
    restart: always
    labels: { team: shop }
    stop_grace_period: 1s
    networks: { front: { aliases: [site] }, default: {} }
    volumes: ["data:/data", "/anonymous"]
    tmpfs: /scratch
    healthcheck: { test: ["CMD", "true"], interval: 1h }
    depends_on: [web]
networks:
  front:
volumes:
  data:
`

let place: Place
let running: Running
let token: string
let far: { id: string; directory: string }

beforeAll(async () => {
  place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  far = await enrolHost(place, running, token, { name: 'far' })
  startAgent(place, far.directory)
  await untilHostStatus(running, token, far.id, 'online')
  await deployed(name)
})

afterAll(async () => {
  await api(running, 'DELETE', `/stacks/${name}?volumes=true`, { token })
  for (const id of oneOffs()) docker('rm', '-f', '-v', id)
  await place.remove()
})

/** A process of the service, with a token of its admin. */
interface Process {
  running: Running
  token: string
}

const ask = (method: string, path: string, body?: unknown, at: Process = { running, token }) =>
  api(at.running, method, path, { token: at.token, body })

async function deployed(stack: string, host?: string, at?: Process) {
  const made = await until(
    () => ask('POST', '/stacks', { name: stack, compose, host }, at),
    ({ status }) => status !== 500,
  )
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const up = await ask('POST', `/stacks/${stack}/deploy`, { profiles: ['tools'] }, at)
  expect(up.json, JSON.stringify(up.json)).toMatchObject({ status: 'succeeded' })
}

/** Returns the IDs of the one-off containers of the stack. */
const oneOffs = (stacks = `${name}(far)?`) =>
  docker(
    ...['ps', '-aq', '--no-trunc', '--filter', `name=^${stacks}-`],
    ...['--filter', 'label=com.docker.compose.oneoff=True'],
  )
    .split('\n')
    .filter(Boolean)

/** Returns the names of the networks of the stack. */
const networks = () =>
  docker(
    ...['network', 'ls', '--format', '{{.Name}}'],
    ...['--filter', `label=com.docker.compose.project=${name}`],
  )
    .split('\n')
    .filter(Boolean)
    .sort()

const run = async (body: Json, service = 'job', stack = name, at?: Process) => {
  // The tests of this file run at once, and a stack has one operation at a time.
  const made = await until(
    () => ask('POST', `/stacks/${stack}/services/${service}/run`, body, at),
    ({ status }) => status !== 409,
  )
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  return made.json as { container_id: string; container: string }
}

const attach = (id: string, query = '', as = token, at = running) =>
  openFeed(`${at.feeds}/api/v1/ws/attach/${id}${query}`, { token: as })

const bytesOf = ({ messages }: OpenFeed, channel: number) =>
  Buffer.concat(
    (messages as Buffer[]).filter(([at]) => at === channel).map((message) => message.subarray(1)),
  )

/** Returns the output on both streams and the end of the command. */
async function finished(feed: OpenFeed) {
  expect(await feed.ended).toMatchObject({ code: 1000 })
  const end = JSON.parse(bytesOf(feed, 3).toString())
  const code = end.status === 'Success' ? 0 : Number(end.details?.causes[0].message)
  return { out: bytesOf(feed, 1).toString(), err: bytesOf(feed, 2).toString(), code }
}

const send = (feed: OpenFeed, channel: number, data: Uint8Array | string) =>
  feed.ws.send(Buffer.concat([Buffer.from([channel]), Buffer.from(data)]))

const inspected = (container: string): Json => JSON.parse(docker('inspect', container))[0]

const gone = (id: string) =>
  until(
    async () => oneOffs(),
    (left) => !left.includes(id),
    100,
  )

/** Returns what `run` decides of a container, without names, times and what docker chooses. */
function shapeOf({ Config, HostConfig, NetworkSettings, Mounts }: Json) {
  const ownLabel = /config-hash|depends_on|slug|version|config-contents/
  const labels = Object.entries(Config.Labels).filter(([key]) => !ownLabel.test(key))
  const { Cmd, Entrypoint, User, WorkingDir, Hostname, Tty, OpenStdin, StdinOnce } = Config
  const { AttachStdin, AttachStdout, AttachStderr, Healthcheck } = Config
  const { PortBindings, RestartPolicy, NetworkMode, Tmpfs, Privileged } = HostConfig
  return {
    Cmd,
    Entrypoint,
    User,
    WorkingDir,
    Hostname,
    Tty,
    OpenStdin,
    StdinOnce,
    Healthcheck,
    AttachStdin,
    AttachStdout,
    AttachStderr,
    NetworkMode,
    Tmpfs,
    Privileged,
    PortBindings: PortBindings ?? {},
    restart: RestartPolicy.Name,
    env: [...Config.Env].sort(),
    labels: Object.fromEntries(labels.sort()),
    networks: Object.keys(NetworkSettings.Networks).sort(),
    mounts: Mounts.map(({ Type, Destination, RW }: Json) => [Type, Destination, RW]).sort(),
  }
}

test('a one-off container is that of docker compose run', async () => {
  const body = { command: ['sleep', '60'], env: { SAME: 'run', EXTRA: '1' }, user: '1002' }
  const made = await run(body)
  const other = `${name}-theirs`
  const words = ['-e', 'SAME=run', '-e', 'EXTRA=1', '-u', '1002', '-T', '--no-deps']
  const child = dockerCompose('run', '--rm', '--name', other, ...words, 'job', 'sleep', '60')
  onTestFinished(() => {
    child.kill('SIGKILL')
    docker('rm', '-f', '-v', other)
  })
  await until(
    async () => docker('ps', '-q', '--filter', `name=${other}`),
    (id) => id !== '',
  )
  expect(shapeOf(inspected(made.container_id))).toEqual(shapeOf(inspected(other)))
  const service = inspected(`${name}-job-1`)
  expect(service.HostConfig.PortBindings).not.toEqual({})
  await ask('DELETE', `/containers/${made.container_id}?force=true`)
})

test.each(['this host', 'the host of an agent'])(
  'on %s: output, exit code, input and its end; nothing is left',
  async (where) => {
    const at = where === 'this host' ? name : `${name}far`
    const host = where === 'this host' ? '' : `?host=${far.id}`
    if (host) await deployed(at, far.id)
    const start = async (body: Json) => {
      const made = await run({ dependencies: false, ...body }, 'job', at)
      return attach(made.container_id, host)
    }
    const both = await start({
      command: ['sh', '-c', 'echo "$0"; id -u; echo b >&2; exit 7', '$(id)'],
    })
    expect(await finished(both)).toEqual({ out: '$(id)\n1001\n', err: 'b\n', code: 7 })
    const echo = await start({ command: ['cat'] })
    const sent = Buffer.alloc(3_000_000, 'x')
    for (let from = 0; from < sent.length; from += 60_000) {
      send(echo, 0, sent.subarray(from, from + 60_000))
    }
    send(echo, 255, [0] as never)
    expect((await finished(echo)).out.length).toBe(sent.length)
    const none = await start({ command: ['no-such-program'] })
    await none.ended
    expect(bytesOf(none, 3).toString()).toContain('executable file not found')
    const instead = await start({ entrypoint: ['echo', 'a'], command: ['b'] })
    expect((await finished(instead)).out).toBe('a b\n')
    await until(
      async () => oneOffs(),
      (left) => left.length === 0,
    )
    if (host) await ask('DELETE', `/stacks/${at}?volumes=true`)
  },
)

// By itself: its deploy also removes one-offs of other tests that have ended.
test('status, alerts and plan ignore a one-off; a second feed is refused; others may not attach', async () => {
  const before = (await ask('GET', `/stacks/${name}`)).json
  const made = await run({ command: ['sleep', '600'] })
  const feed = await attach(made.container_id)
  onTestFinished(() => void feed.ws.terminate())
  await until(
    async () => inspected(made.container_id).State.Status,
    (state) => state === 'running',
  )
  expect((await ask('GET', `/stacks/${name}`)).json.services).toEqual(before.services)
  const rows = (await ask('GET', `/stacks/${name}/status`)).json
  expect(rows.map((row: Json) => row.name)).not.toContain(made.container)
  const listed = (await ask('GET', '/containers')).json
  expect(listed.map((one: Json) => one.name)).toContain(made.container)
  const up = await ask('POST', `/stacks/${name}/deploy`, { remove_orphans: true })
  expect(up.json).toMatchObject({ status: 'succeeded', steps: [] })
  await expect(attach(made.container_id)).rejects.toMatchObject({ status: 409 })
  await expect(attach(`${name}-web-1`)).rejects.toMatchObject({ status: 404 })
  const user = { username: 'second', password: place.password, role: 'admin' }
  expect((await ask('POST', '/users', user)).status).toBe(201)
  const body = { username: 'second', password: place.password }
  const second = (await api(running, 'POST', '/auth/login', { body })).json.access_token
  await expect(attach(made.container_id, '', second)).rejects.toMatchObject({ status: 403 })
  await ask('DELETE', `/containers/${made.container_id}?force=true`)
})

test.concurrent('a terminal has the size that was asked for, and follows changes', async () => {
  const made = await run({ command: ['sh'], tty: true, user: '0' })
  const feed = await attach(made.container_id, '?cols=100&rows=30')
  const says = (text: string) =>
    until(
      async () => {
        send(feed, 0, 'stty size\n')
        return bytesOf(feed, 1).toString()
      },
      (out) => out.includes(text),
    )
  await says('30 100\r\n')
  send(feed, 4, '{"Width":120,"Height":40}')
  await says('40 120\r\n')
  send(feed, 0, 'exit 3\n')
  expect((await finished(feed)).code).toBe(3)
})

test.concurrent('a client that is killed: another feed attaches; a command that ended is not run again', async () => {
  const count = 'echo x >> /data/count; while [ ! -e /go ]; do sleep 0.1; done; exit 4'
  const made = await run({ command: ['sh', '-c', count], user: '0' })
  const first = await attach(made.container_id)
  await until(
    async () => inspected(made.container_id).State.Status,
    (state) => state === 'running',
  )
  first.ws.terminate()
  await first.ended
  docker('exec', made.container_id, 'touch', '/go')
  await until(
    async () => inspected(made.container_id).State.Status,
    (state) => state === 'exited',
  )
  expect((await finished(await attach(made.container_id))).code).toBe(4)
  await gone(made.container_id)
  const counted = await run({ command: ['cat', '/data/count'], user: '0' })
  expect((await finished(await attach(counted.container_id))).out).toBe('x\n')
})

test.concurrent('a client that is killed and does not come back: the container goes', async () => {
  const made = await run({ command: ['sleep', '600'] })
  const feed = await attach(made.container_id)
  await until(
    async () => inspected(made.container_id).State.Status,
    (state) => state === 'running',
  )
  feed.ws.terminate()
  await gone(made.container_id)
})

test.concurrent('the service is killed: the next one removes the container without a feed', async ({
  onTestFinished,
}) => {
  const own = newPlace()
  const stack = `${name}killed`
  onTestFinished(async () => {
    await own.remove()
    await removeFromEngine(stack)
  })
  const first = await startIn(own)
  const before = { running: first, token: await setUpAdmin(own, first) }
  await deployed(stack, undefined, before)
  const waiting = await run({ command: ['sleep', '600'] }, 'job', stack, before)
  const shown = await run({ command: ['sleep', '600'], keep: true }, 'job', stack, before)
  const feed = await attach(shown.container_id, '', before.token, first)
  await until(
    async () => inspected(shown.container_id).State.Status,
    (state) => state === 'running',
  )
  first.child.kill('SIGKILL')
  await Promise.all([first.ended, feed.ended])
  const second = await startIn(own)
  const after = { running: second, token: await logIn(own, second) }
  await until(
    async () => oneOffs(stack),
    (left) => !left.some((id) => id === waiting.container_id),
    100,
  )
  // A container that was started and is to be kept stays, and is removed as any other.
  expect(oneOffs(stack)).toEqual([shown.container_id])
  const path = `/containers/${shown.container_id}?force=true`
  expect((await ask('DELETE', path, undefined, after)).status).toBe(204)
})

test('down removes containers that run, and their networks', async () => {
  const made = await run({ command: ['sleep', '600'] })
  const feed = await attach(made.container_id)
  await until(
    async () => inspected(made.container_id).State.Status,
    (state) => state === 'running',
  )
  expect(networks()).toEqual([`${name}_default`, `${name}_front`])
  const down = await ask('POST', `/stacks/${name}/down`, {})
  expect(down.json, JSON.stringify(down.json)).toMatchObject({ status: 'succeeded' })
  await feed.ended
  expect(oneOffs()).toEqual([])
  expect(networks()).toEqual([])
})

function dockerCompose(...words: string[]): ChildProcess {
  const cwd = join(place.directory, 'stacks', name)
  return spawn(...boundToParent(present(findCompose()), words), { cwd, stdio: 'ignore' })
}
