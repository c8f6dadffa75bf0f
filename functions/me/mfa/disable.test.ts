import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { annaWorld, step } from '../../../local/harness/second-factor.ts'
import createToken from '../../api-tokens/create.ts'
import disable from './disable.ts'

async function world() {
  const anna = await annaWorld()
  const factor = await anna.enable()
  const { ports, password } = anna
  const off = (given: object, as = { token: anna.token }) =>
    call(disable, { ports, body: { password, totp_code: factor.code(), ...given }, as })
  return { ...anna, factor, off }
}

test('204: logins need only the password again, and the seed is deleted', async () => {
  const { ports, attempt, off } = await world()
  expect((await off({})).status).toBe(204)
  expect((await attempt()).status).toBe(200)
  expect(await ports.secondFactors.list()).toEqual([])
})

test('204: accepts a recovery code', async () => {
  const { attempt, factor, off } = await world()
  expect((await attempt()).status).toBe(401)
  expect((await off({ totp_code: factor.recovery[3] })).status).toBe(204)
  expect((await attempt()).status).toBe(200)
})

test('400: a wrong password and a wrong code get the same error and do not use up the code', async () => {
  const { factor, attempt, off } = await world()
  const answers = [await off({ password: 'a guess' }), await off({ totp_code: '000000' })]
  expect(answers.map(({ status }) => status)).toEqual([400, 400])
  expect(answers[0]?.json).toEqual(answers[1]?.json)
  expect((await attempt({ totp_code: factor.code() })).status).toBe(200)
  expect((await off({})).status).toBe(400)
})

test('403: an API token cannot disable the second factor', async () => {
  const { ports, token, off } = await world()
  const made = await call(createToken, { ports, body: { name: 'ci' }, as: { token } })
  expect((await off({}, { token: made.json.token })).status).toBe(403)
})

test('409: the second factor is not enabled', async () => {
  const { ports, off } = await world()
  await off({})
  ports.clock.advance(step)
  expect((await off({})).status).toBe(409)
})

test('423: counts guesses like failed logins', async () => {
  const { off } = await world()
  const statuses = []
  for (let tries = 0; tries < 6; tries += 1) {
    statuses.push((await off({ totp_code: `00000${tries}` })).status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 423])
})
