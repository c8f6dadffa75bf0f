import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { boundToParent } from '../harness/bound-process.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'

const place = newPlace()
let running: Running
let token: string

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})
afterAll(() => place.remove())

/** Runs the program with the configuration of the place. */
async function reset(words: string[], env: Record<string, string> = {}) {
  const program = fileURLToPath(new URL('../../dist/reset-password.js', import.meta.url))
  const child = spawn(...boundToParent(process.execPath, [program, ...words]), {
    env: { ...process.env, ...place.env, ...env },
  })
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { status, stdout, stderr }
}

const logInWith = (password: string) =>
  api(running, 'POST', '/auth/login', { body: { username: 'admin', password } })

test('the only admin signs in again, after a lock, and the audit log says why', async () => {
  for (let tries = 0; tries < 5; tries += 1) await logInWith('a guess')
  expect((await logInWith(place.password)).status).toBe(423)
  const { status, stdout } = await reset(['Admin'])
  const [, printed] = present(/^admin has a new password:\n\n {2}(\S{20})\n\n$/.exec(stdout))
  expect(status).toBe(0)
  await expect.poll(async () => (await api(running, 'GET', '/me', { token })).status).toBe(401)
  expect((await logInWith(place.password)).status).toBe(401)
  const signedIn = await logInWith(present(printed))
  expect(signedIn.status).toBe(200)
  token = signedIn.json.access_token
  const rows = await api(running, 'GET', '/audit?action=system.reset-password', { token })
  expect(rows.json).toMatchObject([
    {
      actor: 'service',
      subject: { kind: 'user' },
      values: { username: 'admin', second_factor_removed: false },
    },
  ])
  expect((await api(running, 'GET', '/audit/verify', { token })).json).toMatchObject({ ok: true })
})

test('1: nothing changes for a user who is not there, or with another data directory', async () => {
  expect(await reset(['stranger'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Not reset: there is no user stranger\n',
  })
  const elsewhere = join(place.directory, 'elsewhere')
  const { status, stderr } = await reset(['admin'], { SERVICE_DATA_DIR: elsewhere })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^Not reset: .*elsewhere\//)
  const sqlite = { SERVICE_DATA_DIR: elsewhere, SERVICE_DYNAMODB_ENDPOINT: '' }
  expect((await reset(['admin'], sqlite)).stderr).toBe(
    `Not reset: there is no store in ${elsewhere}/dynamodb: set SERVICE_DATA_DIR and SERVICE_STORE as for the service\n`,
  )
  expect((await api(running, 'GET', '/me', { token })).status).toBe(200)
})

test('2: a wrong command line shows the right one', async () => {
  for (const words of [[], ['admin', 'anna'], ['admin', '--remove-factor']]) {
    const { status, stdout, stderr } = await reset(words)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('npm run reset-password -- NAME [--remove-second-factor]')
  }
})
