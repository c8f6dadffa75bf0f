import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { enrolHost, startAgent, untilHostStatus } from '../harness/agent.ts'
import { freePort } from '../harness/free-port.ts'
import { paced } from '../harness/pace.ts'
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
import { backUpSystem, type MadeBackup } from '../harness/system-backup.ts'

const newKey = () => randomBytes(32).toString('base64')
/** Returns the variables of a process with its keys in the store; with `''`, in files. */
const keysWith = (key: string) => ({
  SERVICE_SECRET_KEY: key,
  SERVICE_KEYS: key === '' ? '' : 'store',
})
const authority = 'agent-authority.pem'
const places: Place[] = []

afterAll(async () => {
  for (const place of places) await place.remove()
})

/** Returns a place; with `beside`, one with its own data directory on the same table. */
function placeOn(env: Record<string, string>, beside?: Place): Place {
  const place = newPlace(env)
  if (beside) {
    const { SERVICE_DYNAMODB_TABLE, SERVICE_SETUP_SECRET = '' } = beside.env
    Object.assign(place.env, { SERVICE_DYNAMODB_TABLE, SERVICE_SETUP_SECRET })
    place.password = beside.password
  }
  places.push(place)
  return place
}

/** Returns the service that was started last in a place, which may have agents too. */
const current = (place: Place) => present([...place.processes].findLast(({ url }) => url !== ''))
const dataOf = ({ env }: Place) => String(env.SERVICE_DATA_DIR)
const namesIn = (place: Place) => readdirSync(dataOf(place)).sort()
/** Returns the names without endings. A file that is being replaced is there twice. */
const kindsIn = (place: Place) => [...new Set(namesIn(place).map((name) => name.split('.')[0]))]

async function stop(place: Place): Promise<void> {
  for (const running of place.processes) {
    running.child.kill('SIGTERM')
    await running.ended
  }
}

describe('processes with a data directory each', async () => {
  const key = newKey()
  const one = placeOn({ ...keysWith(key), SERVICE_AGENT_PORT: String(await freePort()) })
  const other = placeOn({ ...keysWith(key), SERVICE_ROLE: 'api' }, one)

  test('start at once on an empty store, and accept what the other one issued', async () => {
    const [first, second] = await Promise.all([startIn(one), startIn(other)])
    const token = await setUpAdmin(one, first)
    expect((await api(second, 'GET', '/users', { token })).status).toBe(200)
    const later = await logIn(one, second)
    expect((await api(first, 'GET', '/users', { token: later })).status).toBe(200)
    const stack = { name: 'shared', host: 'local', compose: 'services: {}\n', env: 'A=secret\n' }
    expect((await api(first, 'POST', '/stacks', { token, body: stack })).status).toBe(201)
    const read = await api(second, 'GET', '/stacks/shared', { token })
    expect(JSON.stringify(read.json)).toContain('A=secret')
    const { json } = await api(second, 'GET', '/audit/verify', { token })
    expect(json).toMatchObject({ ok: true })
    const own = ['audit-head', 'installation']
    expect(kindsIn(one)).toEqual(['agent-authority', ...own])
    expect(kindsIn(other)).toEqual(own)
  })

  test('a process without the authority reaches hosts, and enrols none', async () => {
    const [first, second] = [current(one), current(other)]
    const token = await logIn(one, first)
    const body = { name: 'near' }
    const refused = await api(second, 'POST', '/hosts', { token, body })
    expect([refused.status, refused.json.error]).toEqual([409, expect.stringContaining(authority)])
    const host = await enrolHost(one, first, token, { name: 'far' })
    startAgent(one, host.directory)
    await untilHostStatus(second, token, host.id, 'online')
    const found = await api(second, 'GET', `/containers?host=${host.id}`, { token })
    expect([found.status, Array.isArray(found.json)]).toEqual([200, true])
    expect(existsSync(join(dataOf(other), authority))).toBe(false)
  })

  test('a system backup says that the authority for agents is not in it', async () => {
    const running = current(other)
    const token = await logIn(one, running)
    const target = { kind: 'local', path: 'service' }
    const body = { name: 'service', sources: [{ kind: 'system' }], target }
    const job = await api(running, 'POST', '/backup-jobs', { token, body })
    const begun = await api(running, 'POST', `/backup-jobs/${job.json.id}/run`, { token })
    const { json } = await until(
      () => api(running, 'GET', `/backup-runs/${begun.json.id}`, { token }),
      (run) => run.json.status !== 'running',
    )
    expect(json).toMatchObject({ error: null, warnings: [expect.stringContaining(authority)] })
  })

  test('another process that agents connect to needs a copy of that authority', async () => {
    const third = placeOn(keysWith(key), one)
    await expect(startIn(third)).rejects.toThrow(`${authority}: it is missing`)
    cpSync(join(dataOf(one), authority), join(dataOf(third), authority))
    expect((await startIn(third)).url).toBeTruthy()
    await stop(third)
    const stranger = placeOn({})
    await startIn(stranger)
    await stop(stranger)
    rmSync(join(dataOf(third), authority))
    cpSync(join(dataOf(stranger), authority), join(dataOf(third), authority))
    await expect(startIn(third)).rejects.toThrow('it is not the authority for agents')
  })

  test('a process that lost its data directory goes on', async () => {
    await stop(other)
    rmSync(dataOf(other), { recursive: true })
    const again = await startIn(other)
    const token = await logIn(one, again)
    expect((await api(again, 'GET', '/stacks/shared', { token })).status).toBe(200)
  })

  test('the outside key is rotated one process after the other', async () => {
    const next = newKey()
    const restart = async (value: string) => {
      for (const place of [one, other]) {
        await stop(place)
        place.env.SERVICE_SECRET_KEY = value
        const running = await startIn(place)
        const token = await logIn(one, running)
        expect((await api(running, 'GET', '/stacks/shared', { token })).status).toBe(200)
      }
    }
    await restart(`${key},${next}`)
    await stop(one)
    one.env.SERVICE_SECRET_KEY = `${next},${key}`
    const running = await startIn(one)
    const token = await logIn(one, running)
    const list = (at: Running) => api(at, 'GET', '/secret-keys', { token })
    // The other process goes on with the former order, and follows.
    const { json: keys } = await list(running)
    expect((await list(current(other))).json[0].id).toBe(keys[0].id)
    await restart(`${next},${key}`)
    await until(
      () => list(current(one)),
      ({ json }) => json[1]?.in_use === false,
    )
    expect((await list(current(other))).json[0].id).toBe(keys[0].id)
    await restart(next)
    await stop(one)
    one.env.SERVICE_SECRET_KEY = key
    await expect(startIn(one)).rejects.toThrow('cannot be used again')
  })
})

describe('an installation with key files', () => {
  const place = placeOn({})
  const key = newKey()
  let token: string
  let backup: MadeBackup

  test('stays with its files until the store is named', async () => {
    token = await setUpAdmin(place, await startIn(place))
    await stop(place)
    place.env.SERVICE_SECRET_KEY = key
    const running = await startIn(place)
    const { json } = await api(running, 'GET', '/secret-keys', { token })
    expect(json.map(({ source }: { source: string }) => source)).toEqual(['environment', 'file'])
    await stop(place)
    const elsewhere = placeOn(keysWith(key), place)
    await expect(startIn(elsewhere)).rejects.toThrow('Start the process that has the key files')
  })

  test('goes on with the keys in the store, and keeps its files', async () => {
    const files = ['audit-key', 'signing-keys.json', 'secret-key', 'backup-identity.txt']
    const before = files.map((name) => readFileSync(join(dataOf(place), name), 'utf8'))
    place.env.SERVICE_KEYS = 'store'
    const running = await startIn(place)
    expect(running.lines.filter((line) => line.includes('were copied to the store'))).toHaveLength(
      1,
    )
    expect((await api(running, 'GET', '/users', { token })).status).toBe(200)
    expect((await api(running, 'GET', '/audit/verify', { token })).json).toMatchObject({ ok: true })
    expect(files.map((name) => readFileSync(join(dataOf(place), name), 'utf8'))).toEqual(before)
    expect(running.lines.join('\n')).toContain('Set SERVICE_BACKUP_RECIPIENTS')
    const second = placeOn({ ...keysWith(key), SERVICE_ROLE: 'api' }, place)
    expect((await api(await startIn(second), 'GET', '/users', { token })).status).toBe(200)
    await stop(second)
    backup = await backUpSystem(place)
  })

  test('without the variables, or with another key, it refuses to start', async () => {
    await stop(place)
    place.env.SERVICE_KEYS = ''
    await expect(startIn(place)).rejects.toThrow('Set SERVICE_KEYS=store')
    place.env.SERVICE_KEYS = 'store'
    place.env.SERVICE_SECRET_KEY = ''
    await expect(startIn(place)).rejects.toThrow('store requires SERVICE_SECRET_KEY')
    place.env.SERVICE_SECRET_KEY = newKey()
    await expect(startIn(place)).rejects.toThrow('is not the key that sealed the keys in the store')
    place.env.SERVICE_SECRET_KEY = newKey().slice(0, 22)
    await expect(startIn(place)).rejects.toThrow('must be 32 random bytes in base64 or hex')
    place.env.SERVICE_SECRET_KEY = key
    expect((await api(await startIn(place), 'GET', '/users', { token })).status).toBe(200)
  })

  test.each([
    ['files', ''],
    ['the store', key],
    ['the store with another outside key', newKey()],
  ])('its system backup is restored to %s', async (_where, secretKey) => {
    const restored = placeOn(keysWith(secretKey))
    restored.password = place.password
    const program = fileURLToPath(new URL('../../dist/restore.js', import.meta.url))
    const words = ['--from', backup.directory, '--identity', backup.identity]
    const env = { ...process.env, ...restored.env }
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
      env,
      encoding: 'utf8',
      timeout: paced(120_000),
    })
    expect([status, stderr]).toEqual([0, ''])
    const running = await startIn(restored)
    const fresh = await logIn(restored, running)
    const verdict = await api(running, 'GET', '/audit/verify', { token: fresh })
    expect(verdict.json).toMatchObject({ ok: true })
    expect(existsSync(join(dataOf(restored), 'audit-key'))).toBe(true)
    await stop(restored)
    const refused = { ...restored, env: { ...restored.env, ...keysWith('') } }
    if (secretKey === '') expect((await startIn(refused)).url).toBeTruthy()
    else await expect(startIn(refused)).rejects.toThrow('Set SERVICE_KEYS=store')
  })
})
