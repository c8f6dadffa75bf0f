import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { groupOf } from '../../adapters/lambda/groups.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { routes } from '../../serverless.ts'
import { chancesOf } from '../harness/lagging-store/chances.ts'
import { changesByGroup } from '../harness/lambda/changes/by-group.ts'
import type { NewChange } from '../harness/lambda/changes/change.ts'
import { type Cloud, startCloud } from '../harness/lambda/cloud.ts'
import {
  type Answer,
  askCloud,
  logInto,
  requestSetUp,
  type Sent,
} from '../harness/lambda/cloud-client.ts'
import { paced } from '../harness/pace.ts'
import { hasSecondRing } from '../harness/rings.ts'

/** How many functions are killed while they change something. */
const kills = Number(process.env.FUNCTION_KILLS ?? (hasSecondRing ? 20 : 6))
/** Chooses which ones, and when. Another one each time, so that all groups have their turn. */
const seed = Number(process.env.FUNCTION_SEED ?? randomInt(2 ** 31))
const { next } = chancesOf(seed)

const sayHowToRepeat = () => {
  console.error(`To kill the same functions again: FUNCTION_SEED=${seed} FUNCTION_KILLS=${kills}`)
}

/** Groups of functions that change something, and that the list of changes cannot have. */
const others = {
  setup: 'It works once, and is killed below in a test of its own.',
  'secret-keys': 'The environment of functions sets the key: a test below.',
  operations: 'A service runs operations. A function only records that one is to end.',
  hooks: 'A service deploys. A function only records that someone asks for it.',
  updates: 'A service asks registries. A function only records that a look is due.',
}

let cloud: Cloud
let token: string
let changes: Record<string, NewChange>

const ask = (path: string, sent?: Sent) => askCloud(cloud, path, sent)
const functionOf = (group: string) => present(cloud.functions.get(group), group)

beforeAll(async () => {
  cloud = await startCloud()
})

afterAll(() => cloud[Symbol.asyncDispose]())

test('a killed set-up has made the first admin, or can be repeated', async () => {
  expect((await ask('/setup')).json).toEqual({ is_done: false })
  onTestFailed(sayHowToRepeat)
  const requested = requestSetUp(cloud)
  await pause(next() * 400)
  await functionOf('setup').end()
  const { status } = await requested
  expect([201, 500]).toContain(status)
  const { json } = await ask('/setup')
  if (status === 201) expect(json.is_done).toBe(true)
  // The killed process may still hold the lock of admin changes, until the service releases it.
  if (!json.is_done) {
    await expect.poll(async () => (await requestSetUp(cloud)).status, waiting).toBe(201)
  }
  const session = (await logInto(cloud, 'anna')).json.access_token
  // It never expires.
  const made = await ask('/api-tokens', { method: 'POST', body: { name: 'kills' }, as: session })
  token = made.json.token
  expect((await ask('/me', { as: token })).json).toMatchObject({ username: 'anna', role: 'admin' })
  changes = changesByGroup(cloud, token)
  // Roles are created under the same lock.
  const body = { name: 'after-set-up', permissions: ['stacks:read'] }
  const created = async () => (await ask('/roles', { method: 'POST', body, as: token })).status
  await expect.poll(created, waiting).toBe(201)
})

test('409: the key for secrets is changed in the environment, not by a function', async () => {
  const response = await ask('/secret-keys', { method: 'POST', as: token })
  expect([response.status, response.json.error]).toEqual([
    409,
    expect.stringContaining('SERVICE_SECRET_KEY sets the key'),
  ])
})

test('the list of changes has every group of functions that changes something', async () => {
  const groups = new Set<string>()
  for (const { method, path, load } of routesOf(routes)) {
    const { facts } = (await load()).default
    const isChange = facts.changes ?? method !== 'GET'
    if (isChange && !facts.atService) groups.add(groupOf(path))
  }
  const listed = [...Object.keys(changesByGroup(cloud, '')), ...Object.keys(others)]
  expect(listed.sort()).toEqual([...groups].sort())
})

/** An index of the store may lag. */
const waiting = { timeout: paced(60_000) }

/**
 * Makes the change of a group with this number, and kills the function when `moment` resolves.
 * Then a new process must find the change and its audit row if the change was acknowledged, and
 * otherwise the state before or after it. Returns whether it was acknowledged, and whether there
 * was a process to kill.
 */
async function killDuring(
  group: string,
  number: number,
  moment: (sent: Promise<Answer>) => Promise<unknown>,
) {
  const { send, read, wanted } = await present(changes[group], group)(number)
  await expect.poll(() => read(), waiting).not.toEqual(wanted)
  const before = await read()
  const [id, one] = [`${group}-${number}`, functionOf(group)]
  const sent = send(id)
  await moment(sent)
  const isKilled = one.pid() !== undefined
  await one.end()
  const answer = await sent
  const isAcknowledged = answer.status < 300
  if (isAcknowledged) {
    await expect.poll(() => read(answer), { ...waiting, message: id }).toEqual(wanted)
    await expect.poll(() => isRecorded(id), { ...waiting, message: id }).toBe(true)
  } else {
    // A killed change of roles keeps its lease until the service releases it.
    const isLocked = answer.status === 409 && answer.text.includes('is in progress: try again')
    if (!isLocked) expect([id, answer.status]).toEqual([id, 500])
    expect([before, wanted], id).toContainEqual(await read())
  }
  return { isAcknowledged, isKilled }
}

async function isRecorded(requestId: string): Promise<boolean> {
  const rows = (await ask('/audit', { as: token })).json as Json[]
  return rows.some((row) => row.request_id === requestId && row.outcome === 'succeeded')
}

/** Returns the groups of functions in the order of their turns. */
function inRandomOrder(groups: string[]): string[] {
  const drawn = groups.map((group) => ({ group, at: next() }))
  return drawn.sort((a, b) => a.at - b.at).map(({ group }) => group)
}

const time = { timeout: paced(240_000 + kills * 5000) }

test('killed functions lose no acknowledged change', time, async () => {
  onTestFailed(sayHowToRepeat)
  const groups = inRandomOrder(Object.keys(changes))
  const times = new Map<string, number>()
  for (const group of groups) {
    const { isAcknowledged } = await killDuring(group, 0, async (sent) => {
      const began = performance.now()
      await sent
      times.set(group, performance.now() - began)
    })
    expect([group, isAcknowledged]).toEqual([group, true])
  }
  // Kills at a random moment, each of these groups at least once.
  const chosen = groups.slice(0, kills)
  const killed = new Set<string>()
  let count = 0
  for (let number = 1; count < kills || killed.size < chosen.length; number += 1) {
    const group = present(chosen[number % chosen.length])
    const { isKilled } = await killDuring(group, number, () =>
      pause(next() * present(times.get(group))),
    )
    if (!isKilled) continue
    killed.add(group)
    count += 1
  }
  expect((await ask('/audit/verify', { as: token })).json).toMatchObject({ ok: true, problems: [] })
  expect(cloud.refused()).toEqual([])
})
