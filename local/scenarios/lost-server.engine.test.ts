import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { enrolHost, type RunningAgent, startAgent, untilHostStatus } from '../harness/agent.ts'
import { boundToParent } from '../harness/bound-process.ts'
import { flipBits } from '../harness/flip-bits.ts'
import { freePort } from '../harness/free-port.ts'
import { paced } from '../harness/pace.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'
import { backUpSystem, type MadeBackup } from '../harness/system-backup.ts'
import { unique } from '../harness/unique.ts'

const program = fileURLToPath(new URL('../../dist/restore.js', import.meta.url))
const agentPort = String(await freePort())
const place = newPlace({ SERVICE_AGENT_PORT: agentPort })
/** Where the service is restored: a new data directory with its own store. */
const data = join(place.directory, 'restored')
const env = { ...process.env, ...place.env, SERVICE_DATA_DIR: '', SERVICE_DYNAMODB_ENDPOINT: '' }

let backup: MadeBackup
let first: Running
let apiToken: string
let hostId: string
let agent: RunningAgent

const words = (more: Record<string, string> = {}) => {
  const { directory, identity } = backup
  const given = { from: directory, identity, data, ...more }
  return [program, ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])]
}
const restore = (...argv: string[]) =>
  spawnSync(process.execPath, argv, { env, encoding: 'utf8', timeout: paced(120_000) })

const compose = 'services: {web: {image: "busybox:latest", command: sleep 3600, init: true}}\n'
const stack = unique('lost')

beforeAll(async () => {
  first = await startIn(place)
  const token = await setUpAdmin(place, first)
  const post = (path: string, body: object) => api(first, 'POST', path, { token, body })
  const operator = { username: 'olga', password: 'correct horse battery', role: 'operator' }
  expect((await post('/users', operator)).status).toBe(201)
  apiToken = (await post('/api-tokens', { name: 'ci', expires_in_days: 30 })).json.token
  const host = await enrolHost(place, first, token, { name: 'far', tags: ['lab'] })
  hostId = host.id
  agent = startAgent(place, host.directory)
  await untilHostStatus(first, token, hostId, 'online')
  const env = 'PASSWORD=hunter2\n'
  expect((await post('/stacks', { name: stack, host: hostId, compose, env })).status).toBe(201)
  expect((await post(`/stacks/${stack}/deploy`, {})).json.status).toBe('succeeded')
  expect((await post('/secret-keys', {})).status).toBe(201)
  const registry = { address: 'registry.example.org', username: 'puller', password: 'secret' }
  expect((await post('/registries', registry)).status).toBe(201)
  backup = await backUpSystem(place)
  // While the server is gone its reconnect pauses would grow.
  await agent.end()
  // The machine is lost with all its data.
  first.child.kill('SIGKILL')
  await first.ended
  rmSync(present(place.env.SERVICE_DATA_DIR), { recursive: true })
})

afterAll(async () => {
  await place.remove()
  await removeFromEngine(stack)
})

test('a damaged, truncated or incomplete backup, or one for another key, changes nothing and reports why', () => {
  const spoilt = join(place.directory, 'spoilt')
  const spoil = (name: string, change: (path: string) => void) => {
    rmSync(spoilt, { recursive: true, force: true })
    cpSync(backup.directory, spoilt, { recursive: true })
    change(join(spoilt, name))
  }
  const expectRefusal = (text: string | RegExp, more: Record<string, string> = {}) => {
    const { status, stderr } = restore(...words({ from: spoilt, ...more }))
    expect(stderr).toMatch(text)
    expect(status).toBe(1)
    expect(existsSync(data)).toBe(false)
  }
  const flip = (path: string) => {
    const bytes = readFileSync(path)
    flipBits(bytes, Math.floor(bytes.length * 0.7), 1)
    writeFileSync(path, bytes)
  }
  const cut = (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -100))
  const key = join(place.directory, 'other-key.txt')
  execFileSync('age-keygen', ['-o', key], { stdio: 'ignore' })

  spoil('system.tar.zst.age', flip)
  expectRefusal(/modified|differs/)
  spoil('system.tar.zst.age', cut)
  expectRefusal('cut short')
  spoil('manifest.json.age', flip)
  expectRefusal('modified')
  spoil('manifest.json.age', (path) => rmSync(path))
  expectRefusal('is not a backup')
  spoil('system.tar.zst.age', (path) => rmSync(path))
  expectRefusal('incomplete')
  spoil('system.tar.zst.age', () => {})
  expectRefusal('not configured here', { identity: key })
  expect(restore(program, '--from', spoilt).status).toBe(2)
})

test('restores into an empty directory and store, even after a first attempt was killed', async () => {
  const killed = spawn(...boundToParent(process.execPath, words()), { env, stdio: 'ignore' })
  await until(
    async () => existsSync(join(data, 'restoring.json')),
    (begun) => begun,
  )
  killed.kill('SIGKILL')
  await new Promise((resolve) => killed.once('exit', resolve))
  const half = { ...place.env, SERVICE_DATA_DIR: data, SERVICE_DYNAMODB_ENDPOINT: '' }
  await expect(startIn({ ...place, env: half })).rejects.toThrow('did not finish')
  const again = restore(...words())
  expect([again.status, again.stderr]).toEqual([0, ''])
  expect(again.stdout).toContain('1 API tokens')
  expect(again.stdout).toContain('was interrupted here')
  expect(again.stdout).toContain('audit rows are intact')
  const modes = ['secret-key', 'signing-keys.json', 'agent-authority.pem'].map((name) =>
    (statSync(join(data, name)).mode & 0o777).toString(8),
  )
  expect(modes).toEqual(['600', '600', '400'])
  expect(readdirSync(join(data, 'secret-keys'))).toHaveLength(1)
  expect((statSync(data).mode & 0o777).toString(8)).toBe('700')
})

test('rejects a second restore over the first without changing anything', () => {
  const { status, stderr } = restore(...words())
  expect([status, stderr]).toEqual([1, expect.stringContaining('is not empty')])
})

test('the restored service has its users, tokens, secrets, stacks and hosts, and agents reconnect without enrolment', async () => {
  const restored = { ...place.env, SERVICE_DATA_DIR: data, SERVICE_DYNAMODB_ENDPOINT: '' }
  const second = await startIn({ ...place, env: restored })
  const get = (path: string) => api(second, 'GET', path, { token: apiToken })
  expect((await get('/me')).json).toMatchObject({ username: 'admin', credential: 'api_token' })
  const olga = { username: 'olga', password: 'correct horse battery' }
  expect((await api(second, 'POST', '/auth/login', { body: olga })).status).toBe(200)
  startAgent(place, agent.directory)
  await untilHostStatus(second, apiToken, hostId, 'online')
  const found = (await get(`/stacks/${stack}`)).json
  expect(found).toMatchObject({ host: hostId, compose, env: 'PASSWORD=hunter2\n', drift: [] })
  expect((await get('/registries')).json).toHaveLength(1)
  const verdict = (await get('/audit/verify')).json
  expect(verdict).toMatchObject({ ok: true, problems: [] })
  const rows = (await get('/audit?action=system.restore')).json
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ subject: { kind: 'system' }, outcome: 'succeeded' })
  const path = `/stacks/${stack}/deploy`
  const deployed = (await api(second, 'POST', path, { token: apiToken, body: {} })).json
  expect([deployed.status, deployed.steps]).toEqual(['succeeded', []])
  const users = (await get('/users')).json.map(({ username }: Json) => username)
  expect(users).toEqual(expect.arrayContaining(['admin', 'olga']))
  second.child.kill('SIGTERM')
  await second.ended
})

test('--force keeps the existing data aside and reports lost rows', async () => {
  writeFileSync(join(data, 'config.yaml'), 'auth.lockout_max_attempts: 7\n')
  const { status, stdout, stderr } = restore(...words(), '--force')
  expect([status, stderr]).toEqual([0, ''])
  const [aside] = readdirSync(data).filter((name) => name.startsWith('before-restore-'))
  expect(readdirSync(join(data, present(aside)))).toEqual(
    expect.arrayContaining(['dynamodb', 'secret-key', 'agent-authority.pem']),
  )
  expect(stdout).toContain(aside)
  expect(readFileSync(join(data, 'config.yaml'), 'utf8')).toContain('7')
  const env = { ...place.env, SERVICE_DATA_DIR: data, SERVICE_DYNAMODB_ENDPOINT: '' }
  const third = await startIn({ ...place, env })
  const [row] = (await api(third, 'GET', '/audit?action=system.restore', { token: apiToken })).json
  expect(row.values.newest_row_known).toBeGreaterThan(row.values.newest_row)
  expect((await api(third, 'GET', '/audit/verify', { token: apiToken })).json.ok).toBe(true)
})
