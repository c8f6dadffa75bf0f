import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { api, newPlace, startIn } from '../harness/service.ts'
import { stop } from '../harness/upgrade.ts'
import type { Frozen } from './fill.ts'

const folder = import.meta.dirname
const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
const frozen = names.map((name): Frozen => JSON.parse(readFileSync(join(folder, name), 'utf8')))

/** Starts the service of this commit on a copy of what another one left. */
async function opened({ commit }: Frozen) {
  const place = newPlace({ SERVICE_DYNAMODB_ENDPOINT: '' })
  onTestFinished(() => place.remove())
  delete place.env.SERVICE_DYNAMODB_TABLE
  rmSync(join(place.directory, 'stacks'), { recursive: true })
  execFileSync('tar', ['-xJf', join(folder, `${commit}.tar.xz`), '-C', place.directory])
  return startIn(place)
}

/** Returns the requests of a caller, each of which must succeed. */
const requestsOf =
  (service: { url: string }, token?: string) =>
  async (method: string, path: string, body?: unknown): Promise<Json> => {
    const { status, json } = await api(service, method, path, { token, body })
    expect(status, `${method} ${path}: ${JSON.stringify(json)}`).toBeLessThan(300)
    return json
  }

type Ask = ReturnType<typeof requestsOf>

const named = (list: Json[], name: string): Json => list.find((one) => one.name === name)

test('five commits of different days are frozen', () => {
  expect(new Set(frozen.map(({ date }) => date)).size).toBe(5)
})

test.each(frozen)('this version opens the data of $commit, $date: $subject', async (found) => {
  const service = await opened(found)
  const anyone = requestsOf(service)
  const { access_token: token } = await anyone('POST', '/auth/login', found.admin)
  const ask = requestsOf(service, token)
  await findPeople(ask, anyone, found)
  expect(await requestsOf(service, found.apiToken.token)('GET', '/me')).toMatchObject({
    username: 'admin',
    credential: 'api_token',
  })
  await findStack(ask, found)
  for (const run of found.backup ?? []) await findBackup(ask, run)
  await findRecords(ask, found)
  await findAudit(ask, found)
  expect(service.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  expect(await stop(service)).toBe(0)
})

async function findPeople(ask: Ask, anyone: Ask, { users, role }: Frozen) {
  const listed: Json[] = await ask('GET', '/users')
  const others = listed.filter(({ username }) => username !== 'admin')
  const roles = others.map((one): [string, string] => [one.username, one.role])
  expect(roles.sort()).toEqual(users.map((one) => [one.username, one.role]).sort())
  for (const { username, password } of users) {
    const { user } = await anyone('POST', '/auth/login', { username, password })
    expect(user.username).toBe(username)
  }
  expect(named(await ask('GET', '/roles'), role.name)).toMatchObject(role)
}

async function findStack(ask: Ask, { stack }: Frozen) {
  const { name, compose, env, revision, deployments } = stack
  expect(await ask('GET', `/stacks/${name}`)).toMatchObject({ compose, env, revision })
  expect(await ask('GET', `/stacks/${name}/deployments`)).toHaveLength(deployments)
  const steps: Json[] = await ask('POST', `/stacks/${name}/plan`, {})
  const actions = steps.map((step) => `${step.action} ${step.kind} ${step.name}`)
  expect(actions).toContain(`create container ${name}-web-1`)
}

/** The key that decrypts the backup is in the data directory. */
async function findBackup(ask: Ask, { job, files }: { job: string; files: number }) {
  const { id } = named(await ask('GET', '/backup-jobs'), job)
  const [run, ...more] = await ask('GET', `/backup-runs?job_id=${id}`)
  expect([run, more]).toMatchObject([{ job_name: job, status: 'succeeded' }, []])
  const verified = await ask('POST', `/backup-runs/${run.id}/verify`)
  expect(verified).toMatchObject({ ok: true, files })
}

async function findRecords(ask: Ask, { alerts, registry }: Frozen) {
  expect(await ask('GET', '/registries')).toMatchObject([registry])
  expect(await ask('GET', '/settings')).toMatchObject({ 'auth.lockout_max_attempts': 7 })
  if (alerts === null) return
  const { id } = named(await ask('GET', '/alert-channels'), alerts.channel)
  expect(named(await ask('GET', '/alert-rules'), alerts.rule)).toMatchObject({ channels: [id] })
}

/** What this version does is audited after what was there. */
async function findAudit(ask: Ask, { audit }: Frozen) {
  const rows: Json[] = await ask('GET', '/audit')
  const actions = rows.map(({ action }) => action).reverse()
  expect(actions.slice(0, audit.length)).toEqual(audit)
  expect(await ask('GET', '/audit/verify')).toMatchObject({ ok: true })
}
