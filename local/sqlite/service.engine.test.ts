import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, logIn, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { backUpSystem } from '../harness/system-backup.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace({ SERVICE_STORE: 'sqlite', SERVICE_DYNAMODB_ENDPOINT: '' })
const data = present(place.env.SERVICE_DATA_DIR)
const name = unique('sqlite')
let running: Running
let token: string

const get = async (path: string) => (await api(running, 'GET', path, { token })).json

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(async () => {
  await place.remove()
  await removeFromEngine(name)
})

async function stop() {
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
}

async function startAgain(env: Record<string, string> = {}) {
  running = await startIn({ ...place, env: { ...place.env, ...env } })
  token = await logIn(place, running)
}

/** Runs a program of the build, while this process goes on. */
async function program(file: string, words: string[], env: Record<string, string> = {}) {
  const path = fileURLToPath(new URL(`../../dist/${file}.js`, import.meta.url))
  const child = spawn(process.execPath, [path, ...words], {
    env: { ...process.env, ...place.env, ...env },
  })
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { status, stdout, stderr }
}

test('deploys a stack without Java, and finds it after a kill', async () => {
  const compose = 'services: {web: {image: "busybox:latest", command: sleep 600}}\n'
  const made = await api(running, 'POST', '/stacks', { token, body: { name, compose } })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const { json: deployed } = await api(running, 'POST', `/stacks/${name}/deploy`, {
    token,
    body: {},
  })
  expect(deployed).toMatchObject({ status: 'succeeded' })
  expect(docker('ps', '--filter', `name=${name}`, '--format', '{{.Names}}')).toContain(name)
  expect(statSync(join(data, 'sqlite', 'store.db')).mode & 0o777).toBe(0o600)
  expect(existsSync(join(data, 'dynamodb'))).toBe(false)
  running.child.kill('SIGKILL')
  await running.ended
  await startAgain()
  expect(await get(`/stacks/${name}`)).toMatchObject({ name, status: 'running' })
})

test('a check of the data directory compares it with the store', async () => {
  await stop()
  expect(await program('service', ['--check'])).toMatchObject({ status: 0, stdout: 'ok\n' })
  await startAgain()
})

test('the only admin gets a new password while the service is stopped', async () => {
  await stop()
  const { status, stdout } = await program('reset-password', ['admin'])
  expect(status).toBe(0)
  const [, made] = present(/^ {2}(\S+)$/m.exec(stdout))
  place.password = present(made)
  await startAgain()
  expect((await get('/audit/verify')).ok).toBe(true)
})

test('an API process and a sidecar share the file', async () => {
  await stop()
  const sidecar = await startIn({ ...place, env: { ...place.env, SERVICE_ROLE: 'sidecar' } })
  await startAgain({ SERVICE_ROLE: 'api' })
  expect(await get(`/stacks/${name}`)).toMatchObject({ name, status: 'running' })
  sidecar.child.kill('SIGTERM')
  expect(await sidecar.ended).toBe(0)
})

test('a backup made while the service writes is restored into a new file', async () => {
  const over = new AbortController()
  const names: string[] = []
  const writing = (async () => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const username = `user${number}`
      const body = { username, password: 'correct horse battery', role: 'viewer' }
      const { status } = await api(running, 'POST', '/users', { token, body })
      if (status === 201) names.push(username)
    }
  })()
  await expect.poll(() => names.length).toBeGreaterThan(0)
  const before = [...names]
  const backup = await backUpSystem(place)
  over.abort()
  await writing
  expect(names.length).toBeGreaterThan(before.length)
  const restored = join(place.directory, 'restored')
  const words = ['--from', backup.directory, '--identity', backup.identity, '--data', restored]
  const done = await program('restore', words)
  expect(done, done.stderr).toMatchObject({ status: 0 })
  const inUse = [...words.slice(0, -1), data, '--force']
  expect(await program('restore', inUse)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('in use by a service that is running'),
  })
  await stop()
  await startAgain({ SERVICE_DATA_DIR: restored })
  const users: string[] = (await get('/users')).map(({ username }: Json) => username)
  expect(users).toEqual(expect.arrayContaining(before))
  expect(await get('/audit/verify')).toMatchObject({ ok: true })
  await stop()
  await startAgain()
})

test('moves to DynamoDB and back with all records, while the service answers reads', async () => {
  const dynamo = {
    SERVICE_STORE: 'dynamodb',
    SERVICE_DYNAMODB_ENDPOINT: present(process.env.SERVICE_DYNAMODB_ENDPOINT),
  }
  mkdirSync(join(place.directory, 'moves'))
  const [first = '', second = '', third = ''] = ['one', 'two', 'three'].map((at) =>
    join(place.directory, 'moves', at),
  )
  const done = (result: Awaited<ReturnType<typeof program>>) =>
    expect(result, result.stderr).toMatchObject({ status: 0 })
  const statuses: number[] = []
  const over = new AbortController()
  const reading = (async () => {
    while (!over.signal.aborted) {
      statuses.push((await api(running, 'GET', `/stacks/${name}`, { token })).status)
    }
  })()
  done(await program('store', ['export', first]))
  const before = statuses.length
  done(await program('store', ['import', first], dynamo))
  const same = await program('store', ['compare', first], dynamo)
  expect(same, same.stdout).toMatchObject({ status: 0, stdout: expect.stringContaining('logs: ') })
  over.abort()
  await reading
  expect(statuses.length).toBeGreaterThan(before)
  expect(new Set(statuses)).toEqual(new Set([200]))

  const body = { name: 'written-later', permissions: ['stacks:read'] }
  expect((await api(running, 'POST', '/roles', { token, body })).status).toBe(201)
  const other = await program('store', ['compare', first])
  expect(other.status).toBe(1)
  expect(other.stdout).toMatch(/only in the store:\n(?: {4}.*\n)* {4}roles written-later\n/)

  const again = await program('store', ['import', first], dynamo)
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('is not empty') })
  await stop()
  done(await program('store', ['export', second]))
  done(await program('store', ['compare', second]))
  const table = `${place.env.SERVICE_DYNAMODB_TABLE}-moved`
  const moved = { ...dynamo, SERVICE_DYNAMODB_TABLE: table }
  done(await program('store', ['import', second], moved))
  done(await program('store', ['compare', second], moved))
  await startAgain(moved)
  expect(await get(`/stacks/${name}`)).toMatchObject({ name, status: 'running' })
  expect(await get('/audit/verify')).toMatchObject({ ok: true })
  await stop()
  done(await program('store', ['export', third], moved))
  const elsewhere = { SERVICE_DATA_DIR: join(place.directory, 'elsewhere') }
  done(await program('store', ['import', third], elsewhere))
  done(await program('store', ['compare', third], elsewhere))
  expect(existsSync(join(elsewhere.SERVICE_DATA_DIR, 'sqlite', 'store.db'))).toBe(true)
})
