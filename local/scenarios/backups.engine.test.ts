import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupCodec } from '../../adapters/blobs/codec.ts'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { formOf } from '../../functions/core/backups/contents/object-form.ts'
import { enrolHost, type RunningAgent, startAgent, untilHostStatus } from '../harness/agent.ts'
import { untilRunEnded } from '../harness/backup-run.ts'
import { freePort } from '../harness/free-port.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import {
  api,
  cli,
  logIn,
  newPlace,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
const name = unique('kept')
const loose = `${name}_loose`
const backups = join(present(place.env.SERVICE_DATA_DIR), 'backups')

let running: Running
let token: string
let far: string
let agent: RunningAgent

const get = async (path: string) => (await api(running, 'GET', path, { token })).json
const post = (path: string, body?: unknown) => api(running, 'POST', path, { token, body })
const compose = `services:
  db:
    image: busybox:latest
    command: sh -c 'echo orders > /data/file; chown -R 999:999 /data; chmod 700 /data; exec sleep 3600'
    init: true
    stop_grace_period: 1s
    volumes: ["data:/data", "./conf:/conf"]
volumes:
  data:
`

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  const host = await enrolHost(place, running, token, { name: 'far' })
  far = host.id
  agent = startAgent(place, host.directory)
  await untilHostStatus(running, token, far, 'online')
  await post('/stacks', { name, compose, env: 'PASSWORD=hunter2\n' })
  expect((await post(`/stacks/${name}/deploy`, {})).json.error).toBeNull()
})

afterAll(async () => {
  await place.remove()
  await removeFromEngine(name)
  const image = docker('images', '-q', `${name}mixed`)
  if (image !== '') docker('rmi', '-f', image)
})

async function newJob(body: object) {
  const target = { kind: 'local', path: 'nas' }
  const made = await post('/backup-jobs', { target, ...body })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  return made.json.id as string
}

/** Runs a job. Returns the run once it has ended. */
async function ran(jobId: string) {
  const begun = await post(`/backup-jobs/${jobId}/run`)
  expect(begun.status, JSON.stringify(begun.json)).toBe(202)
  return untilRunEnded(running, token, begun.json.id)
}

/** Returns path → owner, mode and text of the entries of a stored archive. */
async function entriesOf(directory: string, object: string) {
  const identity = readFileSync(
    join(present(place.env.SERVICE_DATA_DIR), 'backup-identity.txt'),
    'utf8',
  )
  const codec = await backupCodec({ identity })
  const { stream } = codec.unpack(createReadStream(join(directory, object)), formOf(object))
  const archive = extract()
  Readable.from(stream).pipe(archive)
  const found: Record<string, string> = {}
  for await (const entry of archive) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    const { name: path, uid, mode = 0 } = entry.header
    found[path] = `${uid} ${(mode & 0o7777).toString(8)} ${Buffer.concat(chunks)}`
  }
  return found
}

const stateOf = (container: string) => docker('inspect', '-f', '{{.State.Status}}', container)

test('backs up a stack consistently while its services are stopped, then restarts them', async () => {
  const hook = { service: 'db', command: ['sh', '-c', 'echo dump > /data/dump'] }
  const sources = [{ kind: 'stack', name }]
  const job = await newJob({
    name: 'nightly',
    sources,
    encrypt: true,
    stop_services: true,
    hooks: { before: hook },
  })
  const startedAt = docker('inspect', '-f', '{{.State.StartedAt}}', `${name}-db-1`)
  const run = await ran(job)
  expect(run).toMatchObject({ status: 'succeeded', error: null, warnings: [] })
  expect(stateOf(`${name}-db-1`)).toBe('running')
  expect(docker('inspect', '-f', '{{.State.StartedAt}}', `${name}-db-1`)).not.toBe(startedAt)
  const directory = join(backups, 'nas', 'nightly', run.id)
  expect(run.location).toBe(directory)
  const objects = [`stack-${name}.tar.zst.age`, `volume-${name}_data.tar.zst.age`]
  expect(readdirSync(directory).sort()).toEqual(['manifest.json.age', ...objects])
  for (const { name: object, sha256, size } of run.contents) {
    const stored = readFileSync(join(directory, object))
    expect([createHash('sha256').update(stored).digest('hex'), stored.length]).toEqual([
      sha256,
      size,
    ])
    expect(stored.includes('hunter2')).toBe(false)
  }
  const volume = await entriesOf(directory, present(objects[1]))
  expect(volume['data/']).toBe('999 700 ')
  expect(volume['data/file']).toBe('999 644 orders\n')
  expect(volume['data/dump']).toBe('0 644 dump\n')
  const stack = await entriesOf(directory, present(objects[0]))
  expect(stack['data/.env']).toBe('0 600 PASSWORD=hunter2\n')
  expect(JSON.parse(present(stack['stack.json']).slice('0 600 '.length))).toMatchObject({
    name,
    env: 'PASSWORD=hunter2\n',
    compose,
    volumes: [{ key: 'data', name: `${name}_data`, external: false }],
  })
})

test('names what a backup of a stack does not contain, until after its restore', async () => {
  const mixed = `${name}mixed`
  const copy = `${mixed}copy`
  const outside = join(place.directory, 'ext')
  const image = `${mixed}:1`
  docker('create', '--name', `${mixed}-image`, 'busybox:latest')
  docker('commit', '--change', 'VOLUME /declared', `${mixed}-image`, image)
  const text = `services:
  web:
    image: ${image}
    pull_policy: never
    init: true
    command: sleep 1d
    volumes:
      ["dd:/data", "./in:/in", "./link:/link", "${outside}:/ext", "/anon", {type: tmpfs, target: /t}]
  other: {image: "busybox:latest", init: true, command: sleep 1d, volumes: ["${outside}:/ext"]}
volumes: {dd: }
`
  await post('/stacks', { name: mixed, compose: text })
  expect((await post(`/stacks/${mixed}/deploy`, {})).json.error).toBeNull()
  const sh = (stack: string, script: string) => docker('exec', `${stack}-web-1`, 'sh', '-c', script)
  sh(mixed, 'for at in data in ext anon declared; do echo $at > /$at/file; done')
  const link = join(present(place.env.SERVICE_STACKS_DIR), mixed, 'link')
  rmdirSync(link)
  symlinkSync(outside, link)
  const isOutside = `${outside} is outside of the stack's directory`
  const isLink = `./link is a link to ${outside}, outside of the stack's directory`
  const warnings = (stack: string, missing: string) =>
    [
      `/anon of service web is ${missing}: it is an anonymous volume`,
      `/declared of service web is ${missing}: it is an anonymous volume`,
      `/ext of service other is ${missing}: ${isOutside}`,
      `/ext of service web is ${missing}: ${isOutside}`,
      `/link of service web is ${missing}: ${isLink}`,
    ].map((words) => `stack ${stack}: ${words}`)
  const warned = (lines: string) =>
    [...lines.matchAll(/^warning:? +(.*)$/gm)].map(([, words]) => words).sort()
  const startOf = (service: string) =>
    docker('inspect', '-f', '{{.State.StartedAt}}', `${mixed}-${service}-1`)
  const [web, other] = [startOf('web'), startOf('other')]
  await cli(place, ['login', running.url, '--token', token])
  const words = ['--stack', mixed, '--to', 'nas', '--stop-services']
  expect((await cli(place, ['backups', 'create', 'mixed', ...words])).code).toBe(0)
  const done = await cli(place, ['backups', 'run', 'mixed'])
  expect([done.code, warned(done.stderr)]).toEqual([0, warnings(mixed, 'not backed up')])
  expect([startOf('web') === web, startOf('other') === other]).toEqual([false, true])
  const [run] = await get('/backup-runs')
  const shown = await cli(place, ['backups', 'runs', run.id])
  expect(warned(shown.stdout)).toEqual(warnings(mixed, 'not backed up'))
  const verified = await cli(place, ['backups', 'verify', run.id])
  expect([verified.code, warned(verified.stderr)]).toEqual([
    0,
    warnings(mixed, 'not in the backup'),
  ])
  const restored = await cli(place, ['backups', 'restore', run.id, '--stack-name', copy])
  expect([restored.code, warned(restored.stderr)]).toEqual([0, warnings(copy, 'not restored')])
  expect(sh(copy, 'cat /data/file /in/file; ls /anon /declared')).toBe(
    'data\nin\n/anon:\n\n/declared:',
  )
  docker('rm', '-f', `${mixed}-image`)
})

test('the client backs up a volume of a host with an agent', async () => {
  docker('volume', 'create', loose)
  docker('run', '--rm', '-v', `${loose}:/d`, 'busybox', 'sh', '-c', 'echo photos > /d/file')
  await cli(place, ['login', running.url, '--token', token])
  const words = ['--volume', loose, '--to', 'nas', '--host', far]
  const made = await cli(place, ['backups', 'create', 'far', ...words])
  expect([made.code, made.stdout]).toEqual([0, 'far is created\n'])
  const done = await cli(place, ['backups', 'run', 'far'])
  expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/^far is backed up in /)])
  const [run] = await get('/backup-runs')
  expect(run).toMatchObject({ host: far, by: 'admin', progress: { done: 1, parts: 1 } })
  const volume = await entriesOf(run.location, `volume-${loose}.tar.zst`)
  expect(volume['data/file']).toBe('0 644 photos\n')
  docker('volume', 'rm', loose)
  const again = await cli(place, ['backups', 'run', 'far'])
  expect(again.code).toBe(1)
  expect(again.stderr).toMatch(new RegExp(`the backup failed: volume ${loose}: .*No such volume`))
})

test('a killed backup is interrupted after the next start; its service runs and its files are removed', async () => {
  docker('exec', `${name}-db-1`, 'dd', 'if=/dev/urandom', 'of=/data/noise', 'bs=1M', 'count=300')
  const sources = [{ kind: 'stack', name }]
  const job = await newJob({ name: 'cut', sources, stop_services: ['db'] })
  const { id } = (await post(`/backup-jobs/${job}/run`)).json
  const enough = 20 * 1024 * 1024
  await until(
    () => get(`/backup-runs/${id}`),
    ({ status, progress }) => status !== 'running' || progress.bytes > enough,
  )
  running.child.kill('SIGKILL')
  await running.ended
  expect(stateOf(`${name}-db-1`)).toBe('exited')
  running = await startIn(place)
  token = await logIn(place, running)
  const run = await until(
    () => get(`/backup-runs/${id}`),
    ({ status }) => status !== 'running',
  )
  expect(run).toMatchObject({
    status: 'interrupted',
    error: 'the service ended while this was running',
  })
  await until(
    async () => stateOf(`${name}-db-1`),
    (state) => state === 'running',
  )
  await until(
    async () => existsSync(join(backups, 'nas', 'cut', id)),
    (there) => !there,
  )
  const helpers = () => docker('ps', '-aq', '--filter', `label=container-stacks.owner=${id}`)
  await until(
    async () => helpers(),
    (ids) => ids === '',
  )
  docker('exec', `${name}-db-1`, 'rm', '/data/noise')
  // A busy service may reject the run with this advice.
  const again = await until(
    () => ran(job),
    ({ error }) => !error?.includes('try again in a moment'),
  )
  expect(again).toMatchObject({ status: 'succeeded', error: null })
})

test('a backup that died with its agent leaves nothing on the host once the agent is back', async () => {
  const volume = `${loose}_noise`
  const script = 'dd if=/dev/urandom of=/d/noise bs=1M count=300'
  docker('run', '--rm', '-v', `${volume}:/d`, 'busybox', 'sh', '-c', script)
  const job = await newJob({ name: 'lost', host: far, sources: [{ kind: 'volume', name: volume }] })
  const { id } = (await post(`/backup-jobs/${job}/run`)).json
  await until(
    () => get(`/backup-runs/${id}`),
    ({ status, progress }) => status !== 'running' || progress.bytes > 20 * 1024 * 1024,
  )
  running.child.kill('SIGKILL')
  await Promise.all([running.ended, agent.end('SIGKILL')])
  running = await startIn(place)
  token = await logIn(place, running)
  await until(
    () => get(`/backup-runs/${id}`),
    ({ status }) => status === 'interrupted',
  )
  const helpers = () => docker('ps', '-aq', '--filter', `label=container-stacks.owner=${id}`)
  expect(helpers()).not.toBe('')
  agent = startAgent(place, agent.directory)
  await untilHostStatus(running, token, far, 'online')
  await until(
    async () => helpers(),
    (left) => left === '',
  )
  const told = running.lines.filter((line) => line.includes('could not be cleaned up'))
  expect(told).toHaveLength(1)
})
