import { afterAll, expect, test } from 'vitest'
import { fakedClock } from '../harness/faked-clock.ts'
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

const place: Place = newPlace()

afterAll(() => place.remove())

const startAhead = (seconds: number) =>
  startIn({ ...place, env: { ...place.env, ...fakedClock, FAKETIME: `+${seconds}s` } })

/** Returns the first line that a process logs with this text. */
async function lineWith({ lines }: Running, text: string) {
  const line = await until(async () => lines.find((one) => one.includes(text)), Boolean)
  return JSON.parse(line ?? '{}')
}

test('a process names the difference to the clock that a token was issued by', async () => {
  const right = await startIn(place)
  await setUpAdmin(place, right)
  const near = await startAhead(4)
  const far = await startAhead(20)

  const accepted = await api(right, 'GET', '/hosts', { token: await logIn(place, near) })
  expect(accepted.status).toBe(200)
  const warning = await lineWith(right, 'an access token was issued in the future')
  expect(warning.level).toBe('WARN')
  expect(warning.skew_seconds).toBeGreaterThan(1)
  expect(warning.skew_seconds).toBeLessThanOrEqual(4)

  const refused = await api(right, 'GET', '/hosts', { token: await logIn(place, far) })
  expect(refused.status).toBe(401)
  expect(refused.json).toEqual({ error: 'the credential is invalid, expired or revoked' })
  const request = await lineWith(right, String(refused.headers.get('x-request-id')))
  expect(request.status).toBe(401)
  expect(request.detail).toMatch(/^the access token was issued (1\d|20)(\.\d)? s in the future /)
  // A minute has not passed.
  const warnings = right.lines.filter((line) => line.includes('"level":"WARN"'))
  expect(warnings.filter((line) => line.includes('in the future'))).toHaveLength(1)
})
