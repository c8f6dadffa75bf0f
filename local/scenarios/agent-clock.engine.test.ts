import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import {
  enrolAgain,
  enrolHost,
  type RunningAgent,
  startAgent,
  untilHostStatus,
} from '../harness/agent.ts'
import { fakedClock } from '../harness/faked-clock.ts'
import { freePort } from '../harness/free-port.ts'
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

const place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
const clock = join(place.directory, 'clock')
let running: Running
let token: string
let host: { id: string; directory: string }
let agent: RunningAgent

/** Sets the clock of the running service ahead by this many days. */
async function setAhead(days: number) {
  writeFileSync(clock, `+${days}d`)
  const isThere = Date.now() + (days - 1) * 86_400_000
  // The clock may jump in the middle of a request, which then may fail with 500.
  await until(
    () => logIn(place, running),
    (one) => one !== undefined && claimsOf(one).iat * 1000 > isThere,
  )
  // That session may have started before the jump and be expired.
  token = await logIn(place, running)
}
const claimsOf = (one: string) =>
  JSON.parse(Buffer.from(one.split('.')[1] ?? '', 'base64url').toString())

beforeAll(async () => {
  writeFileSync(clock, '+0d')
  const env = { ...fakedClock, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_CACHE_DURATION: '1' }
  running = await startIn({ ...place, env: { ...place.env, ...env } })
  token = await setUpAdmin(place, running)
  host = await enrolHost(place, running, token, { name: 'far' })
})
afterAll(() => place.remove())

test.each([
  ['two hours behind', '-2h'],
  ['forty days ahead', '+40d'],
  ['400 days ahead', '+400d'],
  ['in 1970', '@1970-01-01 00:00:10'],
])(
  'accepts an agent whose clock is %s, because the service verifies its certificate',
  async (...row) => {
    const [, time] = row
    agent = startAgent(place, host.directory, { ...fakedClock, FAKETIME: time })
    onTestFinished(() => agent.end())
    // The host may still be online from the row before.
    await expect.poll(() => agent.lines).toEqual([expect.stringMatching(/^connected/)])
    await untilHostStatus(running, token, host.id, 'online')
  },
)

test('a jump of the service’s clock disconnects no agent, and due certificates are renewed', async () => {
  agent = startAgent(place, host.directory)
  onTestFinished(() => agent.end())
  await untilHostStatus(running, token, host.id, 'online')
  await setAhead(20)
  const renewed = 'the certificate was renewed'
  await until(
    async () => agent.lines,
    (lines) => lines.includes(renewed),
  )
  // Hosts may be cached for a second.
  const days = async () => {
    const { json } = await api(running, 'GET', `/hosts/${host.id}`, { token })
    const end = Date.parse(json.agent.certificate_expires_at)
    return [json.status, Math.round((end - Date.now()) / 86_400_000)].join()
  }
  await until(days, (text) => text === 'online,50')
  expect(agent.lines).toEqual([expect.stringMatching(/^connected/), renewed])
})

test('rejects an expired certificate with the reason until the next enrolment', async () => {
  await setAhead(60)
  agent = startAgent(place, host.directory)
  const told =
    /^the service rejected the connection: the certificate expired at .*: enrol this host again$/
  await until(
    async () => agent.lines,
    (lines) => lines.some((line) => told.test(line)),
  )
  const logged = await until(
    async () => running.lines.find((line) => line.includes('an agent was rejected')),
    (line) => line !== undefined,
  )
  expect(JSON.parse(present(logged))).toMatchObject({
    host: host.id,
    reason: expect.stringContaining('expired'),
  })
  const { stdout } = await cli(place, ['hosts', 'list', '--server', running.url, '--token', token])
  expect(stdout).toMatch(/far .*offline .*certificate of its agent expired at .*: enrol it again/)
  await enrolAgain(running, token, host)
  await untilHostStatus(running, token, host.id, 'online')
})
