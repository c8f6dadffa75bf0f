import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { untilRunEnded } from '../harness/backup-run.ts'
import { type FaultProxy, startFaultProxy } from '../harness/fault-proxy.ts'
import { flipBits } from '../harness/flip-bits.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { hasSecondRing, rowsOfRing } from '../harness/rings.ts'
import { type S3Server, startS3 } from '../harness/s3-server.ts'
import {
  api,
  logIn,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
} from '../harness/service.ts'
import { type SshServer, startSsh } from '../harness/ssh-server.ts'
import { unique } from '../harness/unique.ts'

const name = unique('far')
const data = `${name}_data`
const site = `${name}_site`
/** Runs a script in the service that has the volume as `/data`. */
const sh = (volume: string, script: string) =>
  docker('exec', `${name}-${volume === data ? 'db' : 'web'}-1`, 'sh', '-c', script)
const textIn = (volume: string) => sh(volume, 'cat /data/file')
const fill = (volume: string, text: string) => sh(volume, `echo ${text} > /data/file`)
const volumes = () => docker('volume', 'ls', '-q', '--filter', `name=${name}`).split('\n').sort()
const startedAt = (service: string) =>
  docker('inspect', '-f', '{{.State.Running}} {{.State.StartedAt}}', `${name}-${service}-1`)

let s3: S3Server
let ssh: SshServer
let lines: Record<'s3' | 'sftp', FaultProxy>
let place: Place
let running: Running
let token: string

const get = async (path: string) => (await api(running, 'GET', path, { token })).json
const post = (path: string, body?: unknown) => api(running, 'POST', path, { token, body })
const ended = (id: string) => untilRunEnded(running, token, id)

const compose = `services:
  db: {image: "busybox:latest", command: sleep 3600, init: true, stop_grace_period: 1s, volumes: ["data:/data"]}
  web: {image: "busybox:latest", command: sleep 3600, init: true, stop_grace_period: 1s, volumes: ["site:/data"]}
volumes: {data: {}, site: {}}
`

beforeAll(async () => {
  ;[s3, ssh] = await Promise.all([startS3(), startSsh()])
  lines = { s3: await startFaultProxy(s3.port), sftp: await startFaultProxy(ssh.port) }
  const ports = [lines.s3.port, lines.sftp.port]
  const allowed = ports.map((port) => `127.0.0.1:${port}`).join(', ')
  place = newPlace({ SERVICE_OUTBOUND_ALLOW: allowed })
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await post('/stacks', { name, compose })
  expect((await post(`/stacks/${name}/deploy`, {})).json.error).toBeNull()
})

afterEach(() => {
  for (const line of Object.values(lines)) line.mend()
})

afterAll(async () => {
  await place.remove()
  for (const line of Object.values(lines)) await line.close()
  await Promise.all([s3.close(), ssh.close()])
  await removeFromEngine(name)
})

const targets: Record<'local' | 's3' | 'sftp', () => object> = {
  local: () => ({ kind: 'local', path: 'nas' }),
  s3() {
    const { bucket, region, accessKeyId, secretAccessKey } = s3.target()
    const keys = { access_key_id: accessKeyId, secret_access_key: secretAccessKey }
    const endpoint = `http://127.0.0.1:${lines.s3.port}`
    return { kind: 's3', bucket, region, endpoint, force_path_style: true, prefix: 'nas', ...keys }
  },
  sftp() {
    const { host, username, hostKey, privateKey, passphrase } = ssh.target()
    const path = join(ssh.directory, 'nas')
    const key = { host_key: hostKey, private_key: privateKey, passphrase }
    return { kind: 'sftp', host, port: lines.sftp.port, username, path, ...key }
  },
}

async function newJob(kind: keyof typeof targets, more: object) {
  const sources = [{ kind: 'stack', name }]
  const made = await post('/backup-jobs', { sources, target: targets[kind](), ...more })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  return made.json.id as string
}

async function ran(jobId: string) {
  const begun = await post(`/backup-jobs/${jobId}/run`)
  expect(begun.status, JSON.stringify(begun.json)).toBe(202)
  return ended(begun.json.id)
}

async function restored(run: string, body: object) {
  const begun = await post(`/backup-runs/${run}/restore`, body)
  expect(begun.status, JSON.stringify(begun.json)).toBe(202)
  return ended(begun.json.id)
}

/** Returns the path of a run's archive of a volume, for a target that is a local directory. */
function storedFile(directory: string, job: string, run: string, volume: string): string {
  const below = join(directory, job, run)
  return join(below, present(readdirSync(below).find((one) => one.includes(volume))))
}

describe.each(['local', 's3', 'sftp'] as const)('a target of kind %s', (kind) => {
  const job = `whole-${kind}`
  let run: string

  test('restores a stack to a host that does not have it', async () => {
    fill(data, 'orders')
    fill(site, 'pages')
    const done = await ran(await newJob(kind, { name: job, encrypt: true, stop_services: true }))
    expect([done.status, done.error, done.warnings]).toEqual(['succeeded', null, []])
    run = done.id
    expect((await post(`/backup-runs/${run}/verify`)).json).toMatchObject({ ok: true })
    expect((await api(running, 'DELETE', `/stacks/${name}?volumes=true`, { token })).status).toBe(
      204,
    )
    expect(volumes()).toEqual([''])
    const back = await restored(run, {})
    expect([back.status, back.error, back.warnings]).toEqual(['succeeded', null, []])
    expect([textIn(data), textIn(site)]).toEqual(['orders', 'pages'])
    expect((await get(`/stacks/${name}`)).status).toBe('running')
  })

  // Which parts of a backup are restored does not depend on where it is.
  if (kind !== 'local' && !hasSecondRing) return

  test('restores the data of one service only', async () => {
    fill(data, 'newer')
    fill(site, 'newer')
    const before = startedAt('db')
    const sources = [{ kind: 'stack', name, services: ['web'] }]
    const back = await restored(run, { sources, overwrite: true })
    expect([back.status, back.error]).toEqual(['succeeded', null])
    expect([textIn(data), textIn(site)]).toEqual(['newer', 'pages'])
    expect(startedAt('db')).toBe(before)
    expect(startedAt('web')).toMatch(/^true /)
  })

  test('restores the data of one volume only', async () => {
    fill(site, 'newest')
    const back = await restored(run, { sources: [{ kind: 'volume', name: data }], overwrite: true })
    expect([back.status, back.error]).toEqual(['succeeded', null])
    expect([textIn(data), textIn(site)]).toEqual(['orders', 'newest'])
    expect([startedAt('db'), startedAt('web')]).toEqual([
      expect.stringMatching(/^true /),
      expect.stringMatching(/^true /),
    ])
    expect(volumes()).toEqual([data, site])
  })
})

const forms: [word: string, encrypt: boolean][] = [
  ['plain', false],
  ['encrypted', true],
]

test.each(rowsOfRing(forms, ([, encrypt]) => !encrypt))(
  'a flipped bit in a backup, %s, changes nothing and is reported',
  async (word, encrypt) => {
    fill(data, 'orders')
    sh(data, 'dd if=/dev/urandom of=/data/noise bs=100000 count=1')
    const job = `flipped-${word}`
    const run = await ran(await newJob('sftp', { name: job, encrypt }))
    expect(run.error).toBeNull()
    const path = storedFile(join(ssh.directory, 'nas'), job, run.id, data)
    const whole = readFileSync(path)
    fill(data, 'newer')
    const before = startedAt('db')
    for (const part of [0.01, 0.5, 0.99]) {
      const spoilt = Buffer.from(whole)
      flipBits(spoilt, Math.floor(whole.length * part), 4)
      writeFileSync(path, spoilt)
      const back = await restored(run.id, { overwrite: true })
      expect([back.status, back.error]).toEqual([
        'failed',
        expect.stringMatching(/volume-.*; nothing was changed$/),
      ])
      const { json } = await post(`/backup-runs/${run.id}/verify`)
      expect(json).toMatchObject({ ok: false, problems: [expect.stringContaining(data)] })
    }
    expect([textIn(data), startedAt('db')]).toEqual(['newer', before])
    expect(volumes()).toEqual([data, site])
    writeFileSync(path, whole)
    expect((await restored(run.id, { overwrite: true })).error).toBeNull()
    expect(textIn(data)).toBe('orders')
  },
)

test('a backup for another key changes nothing and is reported', async () => {
  fill(data, 'orders')
  const run = await ran(await newJob('s3', { name: 'locked', encrypt: true }))
  expect(run.error).toBeNull()
  fill(data, 'newer')
  const identity = join(present(place.env.SERVICE_DATA_DIR), 'backup-identity.txt')
  const restart = async (change: () => void, words: string[] = []) => {
    running.child.kill('SIGTERM')
    await running.ended
    change()
    running = await startIn(place, words)
    token = await logIn(place, running)
  }
  await restart(() => renameSync(identity, `${identity}.kept`), ['--accept-lost-keys'])
  const refused = await post(`/backup-runs/${run.id}/restore`, { overwrite: true })
  expect([refused.status, refused.json.error]).toEqual([
    422,
    expect.stringContaining('encrypted for a key that is not configured here'),
  ])
  expect(textIn(data)).toBe('newer')
  expect(volumes()).toEqual([data, site])
  await restart(() => renameSync(`${identity}.kept`, identity))
  expect((await restored(run.id, { overwrite: true })).error).toBeNull()
  expect(textIn(data)).toBe('orders')
})

const remote = ['s3', 'sftp'] as const

describe.each(rowsOfRing(remote, (kind) => kind === 'sftp'))(
  'a %s target that disappears during a run',
  (kind) => {
    test('fails the backup with a reason, leaves nothing of it, and accepts the next one', async () => {
      const seven = 'dd if=/dev/urandom of=/data/noise bs=1000000 count=7'
      sh(data, seven)
      const job = await newJob(kind, { name: `cut-${kind}`, stop_services: ['db'] })
      const line = lines[kind]
      void line.cutAfter(3_000_000).then(() => line.refuse())
      const cut = await ran(job)
      expect([cut.status, cut.error]).toEqual(['failed', expect.stringMatching(/127\.0\.0\.1/)])
      expect(startedAt('db')).toMatch(/^true /)
      line.mend()
      expect((await post(`/backup-runs/${cut.id}/restore`, {})).status).toBe(409)
      const next = await ran(job)
      expect([next.status, next.error]).toEqual(['succeeded', null])
      if (kind === 'sftp') {
        expect(readdirSync(join(ssh.directory, 'nas', `cut-${kind}`))).toEqual([next.id])
      }
    })

    test('fails the restore with a reason and keeps the existing data', async () => {
      fill(data, 'orders')
      const run = await ran(await newJob(kind, { name: `lost-${kind}` }))
      expect(run.error).toBeNull()
      fill(data, 'newer')
      const line = lines[kind]
      void line.cutAfter(3_000_000).then(() => line.refuse())
      const back = await restored(run.id, { overwrite: true })
      expect([back.status, back.error]).toEqual([
        'failed',
        expect.stringMatching(/127\.0\.0\.1.*; nothing was changed$/),
      ])
      expect(textIn(data)).toBe('newer')
      expect(volumes()).toEqual([data, site])
      line.mend()
      expect((await restored(run.id, { overwrite: true })).error).toBeNull()
      expect(textIn(data)).toBe('orders')
    })
  },
)

test('a full disk fails the backup with a reason and leaves the directory empty', async () => {
  const full = join(place.directory, 'full')
  mkdirSync(full)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', full])
  try {
    sh(data, 'dd if=/dev/urandom of=/data/noise bs=1000000 count=7')
    const target = { kind: 'local', path: full }
    const job = await newJob('local', { name: 'full', target, stop_services: ['db'] })
    const failed = await ran(job)
    expect([failed.status, failed.error]).toEqual(['failed', expect.stringContaining('is full')])
    expect(readdirSync(full)).toEqual([])
    expect(startedAt('db')).toMatch(/^true /)
    sh(data, 'rm /data/noise')
    const next = await ran(job)
    expect([next.status, next.error]).toEqual(['succeeded', null])
    expect(statSync(storedFile(full, 'full', next.id, data)).mode & 0o777).toBe(0o600)
  } finally {
    execFileSync('umount', [full])
  }
})
