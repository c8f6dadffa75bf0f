import { expect, test } from 'vitest'
import { deployment } from '../../../adapters/testing/contract/samples.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { serviceRow } from '../audit/row.ts'
import { pastEvents } from './past.ts'

const minute = 60_000

/** Adds deployments of stacks, a minute apart, with the audit row of each. Returns what is sent. */
async function sentAfter(stacks: readonly string[]) {
  const ports = memoryPorts()
  const { clock, random } = ports
  const since = clock.now()
  for (const stack of stacks) {
    const id = random.id()
    const at = clock.now()
    const ended = { status: 'succeeded' as const, startedAt: at, finishedAt: at }
    await ports.deployments.create({ ...deployment(id, stack), ...ended })
    const subject = { kind: 'stacks', id: stack, name: stack }
    const row = { id, at, action: 'stacks.deploy', outcome: 'succeeded', subject } as const
    await ports.audit.append(serviceRow(row))
    clock.advance(minute)
  }
  const sent = await pastEvents(since, [], ports)
  const messages = sent.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString('utf8')))
  const gaps = messages.flatMap(({ gap }) => gap ?? [])
  const begun = messages.filter(({ kind }) => kind === 'stack.deploy.begun')
  const timeOf = (index: number) => new Date(since + index * minute).toISOString()
  return { gaps, begun, timeOf }
}

const gapFrom = (from: string, to: string) => [{ host_id: null, host_name: null, from, to }]

test('sends no gap if the deployments of all stacks were read', async () => {
  const { gaps, begun } = await sentAfter(Array.from({ length: 19 }, () => 'shop'))
  expect([gaps, begun.length]).toEqual([[], 19])
})

test('sends a gap where older deployments of a stack are left out', async () => {
  const { gaps, begun, timeOf } = await sentAfter(Array.from({ length: 25 }, () => 'shop'))
  expect(begun).toHaveLength(20)
  expect(gaps).toEqual(gapFrom(timeOf(0), timeOf(5)))
})

test('sends a gap up to now if stacks are left out', async () => {
  const { gaps, begun, timeOf } = await sentAfter(Array.from({ length: 51 }, (_, at) => `s${at}`))
  expect(begun).toHaveLength(50)
  expect(gaps).toEqual(gapFrom(timeOf(0), timeOf(51)))
})
