import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { fillDisk } from '../harness/full-disk.ts'
import { paced } from '../harness/pace.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'

// The store's files are on the disk that fills up, as in most installations.
const patient = { timeout: paced(120_000) }
const place = newPlace({ SERVICE_DYNAMODB_ENDPOINT: '' })
const data = present(place.env.SERVICE_DATA_DIR)
let running: Running
let token: string

beforeAll(async () => {
  mkdirSync(data)
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=192m', 'tmpfs', data])
  if (status !== 0) throw new Error(`mount: ${stderr}`)
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(async () => {
  for (const { child, ended } of place.processes) {
    child.kill('SIGKILL')
    await ended
  }
  spawnSync('umount', ['-l', data])
  await place.remove()
})

const health = () => api(running, 'GET', '/health')
const newUser = (name: string) =>
  api(running, 'POST', '/users', {
    token,
    body: { username: name, password: 'correct horse battery', role: 'viewer' },
  })

test(
  'reports a full disk in /health and in failed writes, and recovers without a restart',
  patient,
  async () => {
    expect((await health()).status).toBe(200)
    const ballast = fillDisk(data)
    const unwell = await until(health, ({ status }) => status === 500, 20)
    expect(unwell.json).toEqual({ error: 'the data disk of the service is full' })
    const refused = await until(
      () => newUser(`u${Date.now()}`),
      ({ status }) => status !== 201,
      20,
    )
    expect(refused.json).toEqual({
      error: 'The store cannot write: the data disk of the service is full',
    })
    // No path of the server may be revealed.
    expect(JSON.stringify([unwell.json, refused.json])).not.toContain(data)
    rmSync(ballast)
    expect((await until(health, ({ status }) => status === 200, 40)).json.status).toBe('ok')
    await until(
      () => newUser('healed'),
      ({ status }) => status === 201,
      30,
    )
  },
)

test('/health reports a damaged head of the audit chain', patient, async () => {
  const head = join(data, `audit-head.${place.env.SERVICE_DYNAMODB_TABLE}`)
  // A write in progress replaces the file once more.
  const damageAndAsk = () => {
    writeFileSync(head, '')
    return health()
  }
  const unwell = await until(damageAndAsk, ({ status }) => status === 500, 30)
  expect(unwell.json.error).toBe(
    'the file audit-head in the data directory of the service is damaged',
  )
  rmSync(head)
  await until(health, ({ status }) => status === 200, 30)
})
