import { expect, test } from 'vitest'
import { stack } from '../../../adapters/testing/contract/samples.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { internalError } from '../errors.ts'
import { LostLease } from '../leases/lease-renewal.ts'
import type { StackRecord } from '../records/stack.ts'
import { recordStack } from './record-stack.ts'

/** Returns a stack `web` with its recorder, and the records that were written. */
async function recorded() {
  const ports = memoryPorts()
  await ports.stacks.create(stack('web'))
  const read = present(await ports.stacks.find('web'))
  const written: StackRecord[] = []
  const trouble = { store: false }
  const { replace } = ports.stacks
  ports.stacks.replace = async (value) => {
    if (trouble.store) throw internalError('The store does not respond')
    written.push(value)
    return replace(value)
  }
  const now = () => ports.stacks.find('web')
  return { ports, written, trouble, now, recorder: recordStack(read, 1, ports) }
}

const count = (record: StackRecord) => ({ contentRevision: record.contentRevision + 1 })

test('writes a queued change together with the next one', async () => {
  const { ports, written, now, recorder } = await recorded()
  recorder.queue(() => ({ deployed: true, updatedAt: 1 }))
  await recorder.change(({ deployed }) => ({ updatedAt: deployed ? 2 : 3 }))
  expect(written).toMatchObject([{ deployed: true, updatedAt: 2 }])
  ports.clock.advance(1000)
  await recorder.flush()
  expect(written).toHaveLength(1)
  expect(await now()).toMatchObject({ deployed: true, updatedAt: 2 })
})

test('writes a queued change alone after a delay, or at once on request', async () => {
  const { ports, written, now, recorder } = await recorded()
  recorder.queue(count)
  ports.clock.advance(199)
  await Promise.resolve()
  expect(written).toEqual([])
  ports.clock.advance(1)
  await expect.poll(now).toMatchObject({ contentRevision: stack('web').contentRevision + 1 })
  recorder.queue(count)
  await recorder.flush()
  expect(await now()).toMatchObject({ contentRevision: stack('web').contentRevision + 2 })
  expect(written).toHaveLength(2)
})

test('writes a failed change together with a later one', async () => {
  const { ports, written, trouble, recorder } = await recorded()
  trouble.store = true
  recorder.queue(count)
  await recorder.flush()
  expect(ports.log.lines).toHaveLength(1)
  await expect(recorder.change(() => ({ adopted: true }))).rejects.toThrow('does not respond')
  trouble.store = false
  recorder.queue(() => ({ updatedAt: 7 }))
  await recorder.change(() => ({ deployed: true }))
  const contentRevision = stack('web').contentRevision + 1
  expect(written).toMatchObject([{ contentRevision, updatedAt: 7, deployed: true, adopted: false }])
})

test('keeps concurrent changes of others', async () => {
  const { ports, now, recorder } = await recorded()
  await ports.stacks.replace({ ...present(await now()), environment: 'prod' })
  await recorder.change(() => ({ deployed: true }))
  expect(await now()).toMatchObject({ environment: 'prod', deployed: true })
})

test('does not recreate a deleted stack', async () => {
  const { ports, now, recorder } = await recorded()
  await ports.stacks.remove('web')
  recorder.queue(count)
  expect(await recorder.change(() => ({ deployed: true }))).toBeUndefined()
  expect(await now()).toBeUndefined()
})

test('rejects a change under an earlier lease', async () => {
  const { ports, now } = await recorded()
  const read = present(await ports.stacks.find('web'))
  const [early, late] = [recordStack(read, 4, ports), recordStack(read, 5, ports)]
  await early.change(() => ({ deployed: true }))
  await late.change(() => ({ updatedAt: 7 }))
  await expect(early.change(() => ({ deployed: false }))).rejects.toThrow(LostLease)
  early.queue(() => ({ deployed: false }))
  await early.flush()
  expect(await now()).toMatchObject({ deployed: true, updatedAt: 7, fence: 5 })
})
