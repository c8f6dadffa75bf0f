import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { type BackupWorld, backupWorld, givenJob, runJob } from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenStack, shop } from '../../local/harness/world.ts'
import deploy from '../stacks/deploy.ts'
import update from '../stacks/update.ts'
import restore from './restore.ts'

const data = { kind: 'volume', name: 'shop_data' }
const path = { name: 'shop' }

/** Backs up the source, then has an admin deploy the stack `shop` with this attribute of `db`. */
async function ranBefore(here: BackupWorld, source: object, attribute: string) {
  const { ports } = here
  const run = await runJob(here, await givenJob(here, { sources: [source] }))
  const compose = shop.replace('command: sleep $', `${attribute}\n    command: sleep $`)
  await call(update, { ports, as: 'admin', path, body: { compose } })
  const { json } = await call(deploy, { ports, as: 'admin', path, body: {} })
  expect(json.status).toBe('succeeded')
  return run
}

/** Restores to the end. A restore that was begun must succeed. */
async function restored({ ports }: BackupWorld, id: string, body: object, as: TestCaller) {
  const answer = await call(restore, { ports, as, path: { id }, body })
  await ports.background.settled()
  if (answer.status !== 202) return answer
  expect(await ports.backupRuns.find(answer.json.id)).toMatchObject({ status: 'succeeded' })
  return answer
}

test('403: an operator replaces no stack whose container controls the host', async () => {
  const here = await backupWorld()
  await givenStack(here, 'decoy')
  const decoy = { kind: 'stack', name: 'decoy' }
  const { id } = await ranBefore(here, decoy, 'privileged: true')
  const body = { stack_name: 'shop', overwrite: true }
  const { status, text } = await restored(here, id, body, 'operator')
  expect([status, text]).toEqual([403, expect.stringContaining('container shop-db-1: entering it')])
  expect((await restored(here, id, body, 'admin')).status).toBe(202)
})

test('403: nor a volume that such a container has', async () => {
  const here = await backupWorld()
  const { id } = await ranBefore(here, data, 'privileged: true')
  const body = { overwrite: true }
  const { status, text } = await restored(here, id, body, 'operator')
  expect([status, text]).toEqual([
    403,
    expect.stringContaining('volume shop_data: container shop-db-1, which has it, controls'),
  ])
  expect((await restored(here, id, body, 'admin')).status).toBe(202)
})

test('202: replaces those of an ordinary container', async () => {
  const here = await backupWorld()
  await givenStack(here, 'decoy')
  const decoy = { kind: 'stack', name: 'decoy' }
  const ofStack = await ranBefore(here, decoy, 'init: true')
  const body = { stack_name: 'shop', overwrite: true }
  expect((await restored(here, ofStack.id, body, 'operator')).status).toBe(202)
  const there = await backupWorld()
  const ofVolume = await ranBefore(there, data, 'init: true')
  expect((await restored(there, ofVolume.id, { overwrite: true }, 'operator')).status).toBe(202)
})

test('409: restores no stack into the directory of another one', async () => {
  const here = await backupWorld()
  await givenStack(here, 'grafana')
  const grafana = present(await here.ports.stacks.find('grafana'))
  const directory = '/opt/stacks/metrics'
  await here.ports.stacks.replace({ ...grafana, adopted: true, directory })
  const { id } = await runJob(here, await givenJob(here))
  const { status, text } = await restored(here, id, { stack_name: 'metrics' }, 'admin')
  expect([status, text]).toEqual([
    409,
    expect.stringContaining('/opt/stacks/metrics is the directory of stack grafana'),
  ])
  expect((await restored(here, id, { stack_name: 'other' }, 'admin')).status).toBe(202)
})
