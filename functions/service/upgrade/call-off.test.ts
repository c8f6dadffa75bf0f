import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { backupWorld } from '../../../local/harness/backups.ts'
import { call } from '../../../local/harness/call.ts'
import {
  installService,
  nextImageId,
  nextVersion,
} from '../../../local/harness/installed-service.ts'
import { pauseLease } from '../../core/leases/pause.ts'
import cancel from '../../operations/cancel.ts'
import getOperation from '../../operations/get.ts'
import create from './create.ts'

// A request to cancel can meet the moment at which the helper container takes over.

/** Begins an upgrade that waits for a deployment. `goOn` ends that. */
async function waiting() {
  const here = await backupWorld()
  await installService(here)
  const { ports } = here
  const held = present(await ports.leases.acquire('stack:shop', 'other/d1', 60_000))
  const { json } = await call(create, {
    ports,
    as: 'admin',
    route: 'POST /service/upgrade',
    body: { version: nextVersion, image_id: nextImageId, without_backup: true },
  })
  const path = { id: String(json.id) }
  const operation = async () => (await call(getOperation, { ports, as: 'admin', path })).json
  await expect.poll(async () => (await operation()).result?.step).toBe('waiting')
  return {
    ports,
    operation,
    isReplacing: async () => (await operation()).result?.step === 'replacing',
    calledOff: () => call(cancel, { ports, as: 'admin', path }),
    async goOn() {
      await ports.leases.release(held)
      ports.clock.advance(1_000)
    },
  }
}

test('202: called off just before the container is replaced, and it is not', async () => {
  const { ports, operation, calledOff, goOn } = await waiting()
  const { save } = ports.operations
  let answer: number | undefined
  ports.operations.save = async (saved) => {
    // The last moment at which the request finds it cancellable.
    if (saved.result?.step === 'replacing' && answer === undefined) {
      answer = (await calledOff()).status
    }
    return save(saved)
  }
  await goOn()
  await ports.background.settled()
  expect(answer).toBe(202)
  expect(ports.serviceUpgrades.started).toEqual([])
  expect(await operation()).toMatchObject({ status: 'interrupted', error: 'cancelled by admin' })
  expect((await ports.leases.peek(pauseLease)).held).toBe(false)
})

test('409: called off a moment too late, and the upgrade goes on', async () => {
  const { ports, operation, isReplacing, calledOff, goOn } = await waiting()
  const { requestCancel } = ports.operations
  ports.operations.requestCancel = async (...request) => {
    await goOn()
    await expect.poll(() => ports.serviceUpgrades.started.length).toBe(1)
    await requestCancel(...request)
  }
  const { status, json } = await calledOff()
  expect([status, json.error]).toEqual([409, expect.stringContaining('being replaced')])
  ports.clock.advance(5_000)
  expect(await isReplacing()).toBe(true)
  expect((await operation()).status).toBe('running')
  expect((await ports.leases.peek(pauseLease)).held).toBe(true)
  ports.serviceUpgrades.change({ outcome: 'upgraded', endedAt: ports.clock.now() })
  ports.clock.advance(1_000)
  await ports.background.settled()
})
