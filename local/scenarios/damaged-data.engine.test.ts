import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { paced } from '../harness/pace.ts'
import { onlyInSecondRing, rowsNamed } from '../harness/rings.ts'
import { api, logIn, newPlace, setUpAdmin, startIn, until } from '../harness/service.ts'

const program = fileURLToPath(new URL('../../dist/service.js', import.meta.url))
// A store of its own, because the tests damage its files too.
const place = newPlace({ SERVICE_DYNAMODB_ENDPOINT: '', SERVICE_SETUP_SECRET: '' })
const data = present(place.env.SERVICE_DATA_DIR)
const sound = join(place.directory, 'sound')
const env = { ...process.env, ...place.env }

const run = (...words: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [program, ...words], {
    env,
    encoding: 'utf8',
    timeout: paced(60_000),
  })

beforeAll(async () => {
  const secret = 'a secret that is long enough'
  const running = await startIn({ ...place, env: { ...place.env, SERVICE_SETUP_SECRET: secret } })
  const set = { ...place, env: { ...place.env, SERVICE_SETUP_SECRET: secret } }
  const token = await setUpAdmin(set, running)
  const registry = { address: 'registry.example.org', username: 'puller', password: 'secret' }
  const made = await api(running, 'POST', '/registries', { token, body: registry })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
  cpSync(data, sound, { recursive: true })
})

afterAll(() => place.remove())

/** Restores the data directory, then damages it. */
function damaged(damage: () => void): void {
  rmSync(data, { recursive: true })
  cpSync(sound, data, { recursive: true })
  damage()
}

test('--check prints ok and does not listen if all is well', () => {
  damaged(() => {})
  expect(run('--check')).toMatchObject({ status: 0, stdout: 'ok\n', stderr: '' })
})

/** Files of the data directory that may not be empty. */
const files = [
  'backup-identity.txt',
  'internal-secret',
  'signing-keys.json',
  'secret-key',
  'installation',
  `audit-head.${place.env.SERVICE_DYNAMODB_TABLE}`,
  'dynamodb/access-key',
]

test.each(rowsNamed(files, ['secret-key'], (file) => file))(
  'an empty %s prevents the start with one line, exit code 1 and a remedy',
  (file) => {
    damaged(() => writeFileSync(join(data, file), ''))
    for (const words of [[], ['--check']]) {
      const { status, stderr } = run(...words)
      expect(status).toBe(1)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr).toContain(`${join(data, file)}: it is empty. `)
    }
  },
)

const databases = () => readdirSync(join(data, 'dynamodb')).filter((name) => name.includes('.db'))
const removeDatabases = () => {
  for (const name of databases()) rmSync(join(data, 'dynamodb', name))
}

const losses: [name: string, damage: () => void, expected: string][] = [
  ['an access key that is gone', () => rmSync(join(data, 'dynamodb/access-key')), 'it is missing'],
  ['a database that is gone', removeDatabases, 'the store is empty'],
  [
    'another access key',
    () => writeFileSync(join(data, 'dynamodb/access-key'), 'f'.repeat(32)),
    'the store is empty',
  ],
  [
    'a new data directory on an old store',
    () => {
      for (const name of readdirSync(data)) {
        if (name !== 'dynamodb') rmSync(join(data, name), { recursive: true })
      }
    },
    'does not hold its keys',
  ],
]

const first = ['a database that is gone', 'a new data directory on an old store']

test.each(rowsNamed(losses, first, ([name]) => name))(
  '%s is not mistaken for a first start',
  (_name, damage, expected) => {
    damaged(damage)
    const { status, stdout, stderr } = run()
    expect(status).toBe(1)
    expect(stderr).toContain(expected)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stdout).not.toContain('the service listens')
    expect(stderr).not.toContain('one-time secret')
    expect(run('--check')).toMatchObject({ status: 1 })
  },
)

const keys: [file: string, why: string][] = [
  ['secret-key', 'values in the store are encrypted with key '],
  ['audit-key', 'audit rows are signed with key '],
]

test.each(rowsNamed(keys, ['audit-key'], ([file]) => file))(
  'a lost %s is not recreated silently',
  async (file, why) => {
    damaged(() => rmSync(join(data, file)))
    for (const words of [[], ['--check']]) {
      const { status, stdout, stderr } = run(...words)
      expect(status).toBe(1)
      expect(stderr).toContain(`${join(data, file)}: ${why}`)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr).toContain('--accept-lost-keys')
      expect(stdout).not.toContain('the service listens')
      expect(existsSync(join(data, file))).toBe(false)
    }
  },
)

test('accepts permanently lost keys once, and records that in the audit', async () => {
  damaged(() => {
    for (const file of ['secret-key', 'audit-key', 'signing-keys.json']) rmSync(join(data, file))
  })
  const first = await startIn(place, ['--accept-lost-keys'])
  for (const file of ['secret-key', 'audit-key', 'signing-keys.json']) {
    expect(first.lines.find((line) => line.includes(`"file":"${file}"`))).toContain('"WARN"')
  }
  const token = await logIn(place, first)
  const path = '/audit?action=system.accept-lost-keys'
  const { json } = await api(first, 'GET', path, { token })
  expect(json).toMatchObject([{ values: { files: ['secret-key', 'audit-key'] } }])
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  // A schedule, which runs at each start, records that no value is under an older key. The new key
  // must have an age of 5 s by then.
  const checked = async () => {
    const again = await startIn(place, ['--accept-lost-keys'])
    again.child.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    return run('--check')
  }
  const { stdout } = await until(checked, ({ status }) => status === 0)
  expect(stdout).toBe('ok\n')
  const last = await startIn(place)
  expect((await api(last, 'GET', path, { token: await logIn(place, last) })).json).toEqual(json)
  last.child.kill('SIGTERM')
  expect(await last.ended).toBe(0)
})

onlyInSecondRing(() => {
  test('a restored directory with keys but no ID takes the ID of its store', async () => {
    damaged(() => rmSync(join(data, 'installation')))
    const running = await startIn(place)
    expect((await api(running, 'GET', '/health')).status).toBe(200)
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    expect(run('--check')).toMatchObject({ status: 0, stdout: 'ok\n' })
  })

  test('recreates lost signing keys with a warning', async () => {
    damaged(() => rmSync(join(data, 'signing-keys.json')))
    expect(run('--check')).toMatchObject({ status: 0, stdout: 'ok\n' })
    const running = await startIn(place)
    const warning = running.lines.find((line) => line.includes('"a key is lost"'))
    expect(warning).toContain('signing-keys.json')
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(0)
  })
})
