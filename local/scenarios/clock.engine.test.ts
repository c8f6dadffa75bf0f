import { afterAll, expect, onTestFinished, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { enrolAgain, enrolHost, startAgent, untilHostStatus } from '../harness/agent.ts'
import { untilRunEnded } from '../harness/backup-run.ts'
import { fakedClock } from '../harness/faked-clock.ts'
import { freePort } from '../harness/free-port.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { codeAt } from '../harness/second-factor.ts'
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

const day = 86_400_000

const places: Place[] = []
const volume = unique('clock')

afterAll(async () => {
  for (const place of places) await place.remove()
  await removeFromEngine(volume)
})

function aPlace(): Place {
  const place = newPlace()
  places.push(place)
  return place
}

/** Starts the service with its clock set ahead. */
const startAhead = (place: Place, days: number) =>
  startIn({ ...place, env: { ...place.env, ...fakedClock, FAKETIME: `+${days}d` } })

async function stop({ child, ended }: Running) {
  child.kill('SIGTERM')
  await ended
}

const logInAs = (running: Running, body: object) =>
  api(running, 'POST', '/auth/login', { body: { username: 'admin', ...body } })

test('records from a clock 400 days ahead neither let anyone in nor lock anyone out', async () => {
  const place = aPlace()
  const { password } = place
  const first = await startIn(place)
  const token = await setUpAdmin(place, first)
  const body = { username: 'anna', password, role: 'viewer' }
  expect((await api(first, 'POST', '/users', { token, body })).status).toBe(201)
  await stop(first)

  const ahead = await startAhead(place, 400)
  const session = (await logInAs(ahead, { password, remember_me: true })).json
  const made = await api(ahead, 'POST', '/me/mfa', {
    token: session.access_token,
    body: { password },
  })
  expect(made.status, JSON.stringify(made.json)).toBe(200)
  const { secret } = made.json
  const code = codeAt(secret, Date.now() + 400 * day)
  const verified = await api(ahead, 'POST', '/me/mfa/verify', {
    token: session.access_token,
    body: { totp_code: code },
  })
  expect(verified.status, JSON.stringify(verified.json)).toBe(200)
  for (let guess = 0; guess < 5; guess += 1) {
    await logInAs(ahead, { username: 'anna', password: 'wrong password' })
  }
  expect((await logInAs(ahead, { username: 'anna', password })).status).toBe(423)
  await stop(ahead)

  const right = await startIn(place)
  const refreshed = await api(right, 'POST', '/auth/refresh', {
    body: { refresh_token: session.refresh_token },
  })
  expect(refreshed.status).toBe(401)
  expect((await logInAs(right, { username: 'anna', password })).status).toBe(200)
  const again = await logInAs(right, { password, totp_code: codeAt(secret, Date.now()) })
  expect(again.status, JSON.stringify(again.json)).toBe(200)
  const chain = await api(right, 'GET', '/audit/verify', { token: again.json.access_token })
  expect(chain.json).toMatchObject({ ok: true })
  const paused = (line: string) => line.includes('removal of expired records is paused')
  for (const { lines } of [ahead, right]) await until(async () => lines.some(paused), Boolean)
})

test('backups continue after a clock was 400 days ahead, and none is lost', async () => {
  const place = aPlace()
  docker('volume', 'create', volume)
  const first = await startIn(place)
  let token = await setUpAdmin(place, first)
  const newJob = async (name: string, retention: object) => {
    const source = { kind: 'volume', name: volume }
    const body = { name, sources: [source], target: { kind: 'local', path: name }, retention }
    const made = await api(first, 'POST', '/backup-jobs', {
      token,
      body: { ...body, schedule: '* * * * *' },
    })
    expect(made.status, JSON.stringify(made.json)).toBe(201)
    return made.json.id as string
  }
  const [byDays, byCount] = [
    await newJob('days', { keep_days: 7 }),
    await newJob('count', { keep_last: 1 }),
  ]
  const run = async (running: Running, id: string) => {
    const begun = await until(
      () => api(running, 'POST', `/backup-jobs/${id}/run`, { token }),
      ({ status }) => status === 202,
    )
    return untilRunEnded(running, token, begun.json.id)
  }
  const runsOf = async (running: Running, id: string) =>
    (await api(running, 'GET', `/backup-runs?job_id=${id}`, { token })).json as Json[]
  const before = [await run(first, byDays), await run(first, byDays)]
  await run(first, byCount)
  await stop(first)

  const ahead = await startAhead(place, 400)
  token = await logIn(place, ahead)
  const future = (at: Json) => Date.parse(at.started_at) > Date.now() + day
  for (const id of [byDays, byCount]) {
    await until(
      () => runsOf(ahead, id),
      (runs) => runs.some((one) => future(one) && one.status === 'succeeded'),
      60,
    )
  }
  const ids = (await runsOf(ahead, byDays)).map(({ id }) => id)
  await stop(ahead)
  expect(ids).toEqual(expect.arrayContaining(before.map(({ id }) => id)))

  const right = await startIn(place)
  token = await logIn(place, right)
  const now = await run(right, byCount)
  expect((await runsOf(right, byCount)).map(({ id }) => id)).toContain(now.id)
  const jobs = async () => (await api(right, 'GET', '/backup-jobs', { token })).json as Json[]
  const soon = Date.now() + 5 * 60_000
  await until(jobs, (all) => all.every(({ next_run_at: at }) => Date.parse(at) < soon), 30)
  await until(jobs, (all) => all.every(({ last_run: last }) => !future(last)), 90)
})

test('an authority created while the clock was ahead does not lock agents out', async () => {
  const place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
  places.push(place)
  const ahead = await startAhead(place, 400)
  const host = await enrolHost(place, ahead, await setUpAdmin(place, ahead), { name: 'far' })
  await stop(ahead)
  const right = await startIn(place)
  const token = await logIn(place, right)
  await enrolAgain(right, token, host)
  const agent = startAgent(place, host.directory)
  onTestFinished(() => agent.end())
  await untilHostStatus(right, token, host.id, 'online')
})
