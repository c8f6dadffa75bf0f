import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { api, logIn, newPlace, type Place, setUpAdmin, startIn, until } from '../harness/service.ts'
import { backUpSystem, type MadeBackup } from '../harness/system-backup.ts'

const newKey = () => randomBytes(32).toString('base64')
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

const dataOf = ({ env }: Place) => String(env.SERVICE_DATA_DIR)
const namesIn = (place: Place) => readdirSync(dataOf(place)).sort()

async function stop(place: Place): Promise<void> {
  for (const running of place.processes) {
    running.child.kill('SIGTERM')
    await running.ended
  }
}

describe('processes with a data directory each', () => {
  const key = newKey()
  const one = placeOn({ SERVICE_SECRET_KEY: key })
  const other = placeOn({ SERVICE_SECRET_KEY: key }, one)

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
    const keys = ['agent-authority.pem', 'installation', 'audit-head']
    for (const place of [one, other]) {
      const left = namesIn(place).filter((name) => !keys.some((known) => name.startsWith(known)))
      expect(left).toEqual([])
    }
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
    await restart(`${next},${key}`)
    const running = [...one.processes].at(-1)
    if (!running) throw new Error('no process')
    const token = await logIn(one, running)
    const list = () => api(running, 'GET', '/secret-keys', { token })
    await until(list, ({ json }) => json[1]?.in_use === false)
    await restart(next)
  })
})

describe('an installation with key files', () => {
  const place = placeOn({})
  const key = newKey()
  let token: string
  let backup: MadeBackup

  test('goes on with the variable, and keeps its files', async () => {
    token = await setUpAdmin(place, await startIn(place))
    await stop(place)
    const files = ['audit-key', 'signing-keys.json', 'secret-key', 'backup-identity.txt']
    const before = files.map((name) => readFileSync(join(dataOf(place), name), 'utf8'))
    place.env.SERVICE_SECRET_KEY = key
    const running = await startIn(place)
    expect(running.lines.filter((line) => line.includes('were copied to the store'))).toHaveLength(
      1,
    )
    expect((await api(running, 'GET', '/users', { token })).status).toBe(200)
    expect((await api(running, 'GET', '/audit/verify', { token })).json).toMatchObject({ ok: true })
    expect(files.map((name) => readFileSync(join(dataOf(place), name), 'utf8'))).toEqual(before)
    const second = placeOn({ SERVICE_SECRET_KEY: key }, place)
    expect((await api(await startIn(second), 'GET', '/users', { token })).status).toBe(200)
    await stop(second)
    backup = await backUpSystem(place)
  })

  test('without the variable, or with another one, it refuses to start', async () => {
    await stop(place)
    place.env.SERVICE_SECRET_KEY = ''
    await expect(startIn(place)).rejects.toThrow('SERVICE_SECRET_KEY, which is not set')
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
    const restored = placeOn({ SERVICE_SECRET_KEY: secretKey })
    restored.password = place.password
    const program = fileURLToPath(new URL('../../dist/restore.js', import.meta.url))
    const words = ['--from', backup.directory, '--identity', backup.identity]
    const env = { ...process.env, ...restored.env }
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
      env,
      encoding: 'utf8',
      timeout: 120_000,
    })
    expect([status, stderr]).toEqual([0, ''])
    const running = await startIn(restored)
    const fresh = await logIn(restored, running)
    const verdict = await api(running, 'GET', '/audit/verify', { token: fresh })
    expect(verdict.json).toMatchObject({ ok: true })
    expect(existsSync(join(dataOf(restored), 'audit-key'))).toBe(true)
    await stop(restored)
    const refused = { ...restored, env: { ...restored.env, SERVICE_SECRET_KEY: '' } }
    if (secretKey === '') expect((await startIn(refused)).url).toBeTruthy()
    else await expect(startIn(refused)).rejects.toThrow('which is not set')
  })
})
