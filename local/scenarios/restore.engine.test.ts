import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { enrolHost, startAgent, untilHostStatus } from '../harness/agent.ts'
import { untilRunEnded } from '../harness/backup-run.ts'
import { freePort } from '../harness/free-port.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import {
  api,
  logIn,
  newPlace,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
const name = unique('back')
const copy = `${name}copy`
/** Runs a script in the running service of a stack, which has its volumes. */
const sh = (stack: string, script: string) => docker('exec', `${stack}-db-1`, 'sh', '-c', script)
/**
 * Returns every file of a stack's data with its owner, mode, links and content, as a container sees
 * it.
 */
const look = (stack: string) =>
  sh(
    stack,
    'cd /data && find . /empty -exec stat -c "%n %f %u:%g %h %t:%T %s %Y" {} + | sort && find . -type l -exec readlink {} + && find . -type f -exec md5sum {} + | sort',
  )
const volumes = () => docker('volume', 'ls', '-q', '--filter', `name=${name}`).split('\n').sort()

let running: Running
let token: string
let far: string
let run: string
let before: string

const get = async (path: string) => (await api(running, 'GET', path, { token })).json
const post = (path: string, body?: unknown) => api(running, 'POST', path, { token, body })
const ended = (id: string) => untilRunEnded(running, token, id)
async function restore(body: object) {
  const begun = await post(`/backup-runs/${run}/restore`, body)
  expect(begun.status, JSON.stringify(begun.json)).toBe(202)
  return ended(begun.json.id)
}

const compose = `services:
  db: {image: "busybox:latest", command: sleep 3600, init: true, stop_grace_period: 1s, volumes: ["data:/data", "empty:/empty", "./conf:/conf"]}
volumes: {data: {}, empty: {}}
`
const hard = [
  'mkdir -p deep/$(printf "%0100d" 1)/$(printf "%0100d" 2); echo x > deep/$(printf "%0100d" 1)/$(printf "%0100d" 2)/ä',
  'echo secret > s; chmod 600 s; chown 70:71 s; ln s hard; ln -s /nowhere/at/all dangling; mkfifo pipe; mknod null c 1 3',
  'chmod 4755 hard; mkdir sticky; chmod 1777 sticky; dd if=/dev/zero of=sparse bs=1 count=1 seek=5000000 2>/dev/null',
  'mkdir many; for d in $(seq 20); do mkdir many/$d; for f in $(seq 10); do echo $f > many/$d/$f; done; done',
  'echo x > "$(printf "no \\377\\376 utf8")"; echo x > " -b\\lank "',
  "echo x > 'two\nlines'; chown 5:6 . /empty; chmod 2750 .; chmod 700 /empty",
  'touch -d "2001-01-01 00:00" . /empty',
].join('; ')

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  const host = await enrolHost(place, running, token, { name: 'far' })
  far = host.id
  startAgent(place, host.directory)
  await untilHostStatus(running, token, far, 'online')
  await post('/stacks', { name, compose, env: 'A=1\n' })
  expect((await post(`/stacks/${name}/deploy`, {})).json.error).toBeNull()
  sh(name, `cd /data && ${hard}`)
  before = look(name)
  const sources = [{ kind: 'stack', name }]
  const job = { name: 'nightly', sources, target: { kind: 'local', path: 'nas' } }
  const made = await post('/backup-jobs', job)
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  run = (await post(`/backup-jobs/${made.json.id}/run`)).json.id
  expect((await ended(run)).error).toBeNull()
})

afterAll(async () => {
  await place.remove()
  await removeFromEngine(name)
})

test('verifies a backup completely', async () => {
  const { json } = await post(`/backup-runs/${run}/verify`)
  expect(json).toMatchObject({ ok: true, problems: [] })
  expect(json.files).toBeGreaterThan(200)
})

test('restores a stack to another host under another name, with its data', async () => {
  const done = await restore({ host: far, stack_name: copy })
  expect([done.status, done.error]).toEqual(['succeeded', null])
  expect(look(copy)).toBe(before)
  expect(sh(copy, 'ls -A /empty')).toBe('')
  expect((await get(`/stacks/${copy}`)).status).toBe('running')
  expect((await post(`/stacks/${copy}/deploy`, {})).json.steps).toEqual([])
})

test('deleting a restored stack removes its files from the host', async () => {
  const other = `${name}other`
  const files = () => readdirSync(join(present(place.env.SERVICE_STACKS_DIR), other))
  const done = await restore({ host: far, stack_name: other })
  expect([done.status, done.error]).toEqual(['succeeded', null])
  expect(files()).toEqual(['.env', 'compose.yaml', 'conf'])
  const gone = await api(running, 'DELETE', `/stacks/${other}?volumes=true`, { token })
  expect([gone.status, files()]).toEqual([204, ['conf']])
})

test('restores over a running stack only with overwrite, and leaves nothing else behind', async () => {
  const containers = docker('ps', '-q', '--filter', `label=com.docker.compose.project=${name}`)
  sh(name, 'rm -rf /data/many /data/s; echo new > /data/new; echo y > /data/deep/z')
  const refused = await post(`/backup-runs/${run}/restore`, {})
  expect([refused.status, refused.json.error]).toEqual([
    409,
    expect.stringContaining(`${name}_data`),
  ])
  expect(sh(name, 'cat /data/new')).toBe('new')
  const done = await restore({ overwrite: true })
  expect([done.status, done.error, done.warnings]).toEqual(['succeeded', null, []])
  expect(look(name)).toBe(before)
  expect((await get(`/stacks/${name}`)).status).toBe('running')
  expect(docker('ps', '-q', '--filter', `label=com.docker.compose.project=${name}`)).toBe(
    containers,
  )
  expect(volumes()).toEqual(
    [`${name}_data`, `${name}_empty`, `${copy}_data`, `${copy}_empty`].sort(),
  )
})

test('a truncated backup changes nothing and reports why', async () => {
  const directory = join(present(place.env.SERVICE_DATA_DIR), 'backups/nas/nightly', run)
  const file = present(readdirSync(directory).find((one) => one.includes('_data')))
  const path = join(directory, file)
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, whole.length - 100))
  sh(name, 'echo newer > /data/new')
  const done = await restore({ overwrite: true })
  expect([done.status, done.error]).toEqual([
    'failed',
    expect.stringMatching(/cut short.*nothing was changed/),
  ])
  writeFileSync(path, whole)
  expect(sh(name, 'cat /data/new')).toBe('newer')
  expect((await get(`/stacks/${name}`)).status).toBe('running')
  expect(volumes()).toHaveLength(4)
})

test('a service killed during a restore leaves the old state, and the next restore succeeds', async () => {
  const begun = await post(`/backup-runs/${run}/restore`, { overwrite: true })
  expect(begun.status).toBe(202)
  await until(
    async () => volumes(),
    (found) => found.some((one) => one.includes('_before_')),
  )
  running.child.kill('SIGKILL')
  await running.ended
  running = await startIn(place)
  token = await logIn(place, running)
  const done = await ended(begun.json.id)
  expect(done.status).toBe('interrupted')
  expect(done.error).toMatch(/in its previous state|everything is restored/)
  await until(
    async () => volumes(),
    (found) => found.length === 4,
  )
  await until(
    async () => docker('ps', '-q', '-f', `name=^${name}-db-1$`),
    (id) => id !== '',
  )
  const isBack = done.error.includes('previous state')
  expect(sh(name, 'cat /data/new 2>&1; true')).toBe(
    isBack ? 'newer' : "cat: can't open '/data/new': No such file or directory",
  )
  const next = await restore({ overwrite: true })
  expect([next.status, next.error]).toEqual(['succeeded', null])
  expect(look(name)).toBe(before)
})
