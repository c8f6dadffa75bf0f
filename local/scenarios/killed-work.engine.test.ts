import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTemporary } from '../../adapters/node/data/check.ts'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { partBytes } from '../../functions/core/records/upload.ts'
import { untilRunEnded } from '../harness/backup-run.ts'
import { bundleOf } from '../harness/bundle.ts'
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
import { findCompose } from '../setup/compose.mjs'

const place = newPlace()
const name = unique('killed')
const full = `${name}_full`
const backups = join(present(place.env.SERVICE_DATA_DIR), 'backups')
const megabytes = 24

let running: Running
let token: string

const get = async (path: string) => (await api(running, 'GET', path, { token })).json
const call = (method: string, path: string, body?: unknown) =>
  api(running, method, path, { token, body })
const lines = (...words: string[]) =>
  docker(...words)
    .split('\n')
    .filter(Boolean)

async function make(path: string, body: unknown) {
  const made = await call('POST', path, body)
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  return made.json
}

/** Waits until a started backup or restore has succeeded, and returns its ID. */
async function succeeded(begun: Awaited<ReturnType<typeof call>>): Promise<string> {
  expect(begun.status, JSON.stringify(begun.json)).toBe(202)
  const ended = await untilRunEnded(running, token, begun.json.id)
  expect([ended.status, ended.error]).toEqual(['succeeded', null])
  return ended.id
}

const hasEnded = ({ status }: { status: string }) => status !== 'running'

/**
 * Does work again. What was recorded as ended must not be in the way. A process that was killed
 * before it recorded its work leaves a lease, which ends.
 */
async function atOnce(wasRecorded: boolean, again: () => ReturnType<typeof call>) {
  return wasRecorded ? again() : until(again, ({ status }) => status !== 409)
}

/** Work that is killed, its end after the restart, and the same work done again. */
interface Work {
  begin(): Promise<void>
  /** Whether the service has recorded the work. */
  hasBegun(): Promise<boolean>
  /** Whether the work has changed something, or has ended. */
  isHalfDone(): Promise<boolean>
  verify(): Promise<void>
}

async function builds(index: number): Promise<Work> {
  const stack = `${name}build${index}`
  const directory = join(place.directory, 'stacks', stack)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'Dockerfile'), `FROM busybox\nRUN sleep 1; echo ${stack} >/one\n`)
  const service = 'build: ., pull_policy: build, command: sleep 3600, init: true'
  await make('/stacks', {
    name: stack,
    compose: `services: {one: {${service}, stop_grace_period: 1s}}\n`,
  })
  return {
    async begin() {
      await call('POST', `/stacks/${stack}/deploy?wait=false`, {})
    },
    hasBegun: async () => (await get(`/stacks/${stack}/deployments`)).length > 0,
    isHalfDone: async () =>
      docker('ps', '--no-trunc', '--format', '{{.Command}}').includes(`echo ${stack} `) ||
      (await get(`/stacks/${stack}/deployments`)).every(hasEnded),
    async verify() {
      const listed = async () => get(`/stacks/${stack}/deployments`)
      const all = await until(listed, (found) => found.every(hasEnded))
      for (const { status, error } of all) expect([status, error]).toEqual(['succeeded', null])
      const again = await atOnce(all.length > 0, () => call('POST', `/stacks/${stack}/deploy`, {}))
      expect(again.json, JSON.stringify(again.json)).toMatchObject({ status: 'succeeded' })
      expect((await get(`/stacks/${stack}`)).status).toBe('running')
      expect(lines('ps', '-q', '-f', `label=com.docker.compose.project=${stack}`)).toHaveLength(1)
      expect(unnamedImages(stack)).toEqual([])
    },
  }
}

/** Returns the IDs of images without a name that builds of a stack left. */
const unnamedImages = (stack: string) =>
  lines('images', '-q', '--no-trunc', '-f', 'dangling=true').filter((id) =>
    docker('history', '--no-trunc', '--format', '{{.CreatedBy}}', id).includes(stack),
  )

async function backupsOf(index: number): Promise<Work> {
  const job = `killed-${index}`
  const { id: jobId } = await make('/backup-jobs', {
    name: job,
    sources: [{ kind: 'volume', name: full }],
    target: { kind: 'local', path: 'nas' },
  })
  const run = () => call('POST', `/backup-jobs/${jobId}/run`)
  const listed = async () => get(`/backup-runs?job_id=${jobId}`)
  return {
    async begin() {
      await run()
    },
    hasBegun: async () => (await listed()).length > 0,
    isHalfDone: async () =>
      (await listed()).every((one: Json) => hasEnded(one as never) || one.progress.bytes > 0),
    async verify() {
      const all = await until(listed, (found) => found.every(hasEnded))
      for (const { status } of all) expect(['succeeded', 'interrupted']).toContain(status)
      const { last_run } = await get(`/backup-jobs/${jobId}`)
      expect(last_run?.status).toBe(all[0]?.status)
      const again = await atOnce(all.length > 0, run)
      await succeeded(again)
      const whole = (await listed()).filter(({ status }: Json) => status === 'succeeded')
      const good = whole.map(({ id }: Json) => id).sort()
      const stored = async () => readdirSync(join(backups, 'nas', job)).sort()
      await until(stored, (found) => found.join() === good.join())
      for (const one of good) {
        expect((await call('POST', `/backup-runs/${one}/verify`)).json).toMatchObject({ ok: true })
      }
    },
  }
}

async function restores(index: number): Promise<Work> {
  const stack = `${name}restore${index}`
  const service = 'image: "busybox:latest", command: sleep 3600, init: true'
  await make('/stacks', {
    name: stack,
    compose: `services: {one: {${service}, stop_grace_period: 1s, volumes: ["data:/data", "./conf:/conf"]}}\nvolumes: {data: {}}\n`,
  })
  const deployed = await call('POST', `/stacks/${stack}/deploy`, {})
  expect(deployed.json.error).toBeNull()
  const inside = (script: string) => docker('exec', `${stack}-one-1`, 'sh', '-c', script)
  const fill = (text: string) =>
    inside(
      `dd if=/dev/urandom of=/data/file bs=1M count=${megabytes} 2>/dev/null; echo ${text} | tee /data/text /conf/text`,
    )
  const look = () => inside('md5sum /data/* /conf/*')
  fill('saved')
  const saved = look()
  const job = await make('/backup-jobs', {
    name: stack,
    sources: [{ kind: 'stack', name: stack }],
    target: { kind: 'local', path: 'restored' },
  })
  const run = await succeeded(await call('POST', `/backup-jobs/${job.id}/run`))
  fill('newer')
  const newer = look()
  const restore = () => call('POST', `/backup-runs/${run}/restore`, { overwrite: true })
  const listed = async () =>
    (await get(`/backup-runs?job_id=${job.id}`)).filter(({ kind }: Json) => kind === 'restore')
  return {
    async begin() {
      await restore()
    },
    hasBegun: async () => (await listed()).length > 0,
    isHalfDone: async () =>
      lines('volume', 'ls', '-q', '-f', `name=${stack}_data_before_`).length > 0 ||
      (await listed()).every(hasEnded),
    async verify() {
      const all = await until(listed, (found) => found.every(hasEnded))
      for (const { status, error } of all) {
        expect(['succeeded', 'interrupted']).toContain(status)
        await until(
          async () => lines('ps', '-q', '-f', `name=^${stack}-one-1$`),
          (found) => found.length === 1,
        )
        const isBefore = /in its previous state/.test(error ?? '')
        expect([error, look()]).toEqual([error, isBefore ? newer : saved])
        expect((await get(`/stacks/${stack}`)).revision).toBe(isBefore ? 1 : 2)
      }
      await succeeded(await atOnce(all.length > 0, restore))
      expect(look()).toBe(saved)
      expect(lines('volume', 'ls', '-q', '-f', `name=${stack}`)).toEqual([`${stack}_data`])
    },
  }
}

async function adoptions(index: number): Promise<Work> {
  const stack = `${name}adopt${index}`
  const directory = join(place.directory, 'stacks', stack)
  mkdirSync(directory, { recursive: true })
  const service = 'image: "busybox:latest", command: sleep 3600, init: true'
  const compose = `services: {one: {${service}, stop_grace_period: 1s, volumes: ["data:/data"]}}\nvolumes: {data: {}}\n`
  const files = { 'compose.yaml': compose, model: randomBytes(6 * 1024 * 1024) }
  for (const [path, content] of Object.entries(files)) writeFileSync(join(directory, path), content)
  execFileSync(present(findCompose()), ['up', '-d'], { cwd: directory, stdio: 'pipe' })
  const bundle = await bundleOf(files)
  const sha256 = createHash('sha256').update(bundle).digest('hex')
  const containers = () => lines('ps', '-q', '-f', `label=com.docker.compose.project=${stack}`)
  const before = containers()
  let id = ''
  const send = async () => {
    id ||= (await make('/stacks/adopt', { name: stack, size: bundle.length })).adoption_id
    const { received } = await get(`/stacks/adopt/${id}`)
    for (let n = 0; n * partBytes < bundle.length; n += 1) {
      if (received.includes(n)) continue
      const data = bundle.subarray(n * partBytes, (n + 1) * partBytes).toString('base64')
      const sent = await call('PUT', `/stacks/adopt/${id}/parts/${n}`, { data })
      expect(sent.status, JSON.stringify(sent.json)).toBe(204)
    }
  }
  let completing = false
  let isAdopted = false
  const complete = () => call('POST', `/stacks/adopt/${id}/complete`, { sha256 })
  return {
    async begin() {
      await send()
      completing = true
      await complete()
      isAdopted = true
    },
    hasBegun: async () => completing,
    // The next answer of the service shows that it has read the call.
    isHalfDone: async () =>
      isAdopted || (completing && (await call('GET', '/health')).status === 200),
    async verify() {
      if ((await call('GET', `/stacks/${stack}`)).status === 404) await send()
      const done = await complete()
      expect([done.status, done.json.error]).toEqual([201, undefined])
      expect(done.json).toMatchObject({ name: stack, status: 'running', differences: [] })
      expect(containers()).toEqual(before)
      const deployed = await call('POST', `/stacks/${stack}/deploy`, {})
      expect(deployed.json).toMatchObject({ status: 'succeeded', steps: [] })
    },
  }
}

const kinds = { builds, backups: backupsOf, restores, adoptions }
const works: Record<string, Work[]> = {}

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  docker('volume', 'create', full)
  const fill = `dd if=/dev/urandom of=/data/file bs=1M count=${megabytes} 2>/dev/null`
  docker('run', '--rm', '-v', `${full}:/data`, 'busybox:latest', 'sh', '-c', fill)
  for (const [kind, prepare] of Object.entries(kinds)) {
    works[kind] = await Promise.all([prepare(0), prepare(1)])
  }
  await killHalfWay(Object.values(works))
})

/**
 * Kills the service when the first work of each kind is half done, or was a moment ago, and the
 * second has just begun. Starts it again.
 */
async function killHalfWay(all: Work[][]) {
  const calls: Promise<void>[] = []
  const begin = (work: Work) => {
    // The kill ends the call.
    calls.push(work.begin().catch(() => {}))
    return until(work.hasBegun, Boolean)
  }
  const pairs = all.map(async ([first, second]) => {
    await begin(present(first))
    await until(present(first).isHalfDone, Boolean)
    await begin(present(second))
  })
  await Promise.all(pairs)
  running.child.kill('SIGKILL')
  await running.ended
  await Promise.all(calls)
  running = await startIn(place)
  token = await logIn(place, running)
}

afterAll(async () => {
  await place.remove()
  await removeFromEngine(name)
  const images = lines('images', '-q', '-f', `reference=${name}*`)
  if (images.length > 0) docker('rmi', '-f', ...images)
})

test.each(Object.keys(kinds))(
  '%s: ends after a kill, leaves nothing half-done and can be repeated',
  async (kind) => {
    await Promise.all(present(works[kind]).map(({ verify }) => verify()))
  },
)

test('leftovers in the data directory and on the Engine are removed later', async () => {
  const data = present(place.env.SERVICE_DATA_DIR)
  const files = readdirSync(data, { recursive: true }).map(String)
  expect(files.filter((path) => /\.part$|probe\./.test(path))).toEqual([])
  // Those are removed at the first start that is a minute later.
  const unknown = files.filter((path) => /\.[0-9a-f]{12}$/.test(path) && !isTemporary(path))
  expect(unknown).toEqual([])
  // Helpers of backups and restores have an owner; those without one are removed after 15 minutes.
  const owned = lines('ps', '-aq', '-f', 'label=container-stacks.owner', '-f', `volume=${full}`)
  expect(owned).toEqual([])
})
