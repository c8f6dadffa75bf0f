import { expect, test } from 'vitest'
import { alertEvent } from '../../../adapters/testing/contract/samples.ts'
import { scopedPorts } from '../../../local/harness/scoped.ts'
import type { Stored } from '../ports/collection.ts'
import type { RuleState } from '../records/alert-state.ts'

test('hides alerts and alert events of hosts out of scope', async () => {
  const { ports, seen } = await scopedPorts('lab')
  const near = { ...alertEvent('e1'), at: ports.clock.now() }
  const far = { ...near, id: 'e2', subject: { ...near.subject, hostId: 'lab' } }
  for (const event of [near, far]) await ports.alertEvents.add(event)
  const ids = (events: { id: string }[]) => events.map(({ id }) => id)
  expect(ids((await ports.alertEvents.list({ limit: 9 })).events).sort()).toEqual(['e1', 'e2'])
  expect(ids((await seen.alertEvents.list({ limit: 9 })).events)).toEqual(['e2'])
  expect(ids(await seen.alertEvents.since(0))).toEqual(['e2'])
  for (const hostId of ['local', 'lab']) {
    const state = { revision: 0, hostId, ruleId: 'busy' } as Stored<RuleState>
    await ports.alertStates.save(state)
  }
  expect(await ports.alertStates.ofHost('local')).toHaveLength(1)
  await expect(seen.alertStates.ofHost('local')).rejects.toMatchObject({ status: 403 })
  expect(await seen.alertStates.ofHost('lab')).toHaveLength(1)
  expect(await seen.alertStates.ofHost('none')).toEqual([])
})

test('403: metrics of a host out of scope', async () => {
  const { metricHistory, usageHistory } = (await scopedPorts('lab')).seen
  const asked = (hostId: string) => [
    metricHistory.ofHost(hostId, 0),
    metricHistory.ofContainer(hostId, 'c1', 0),
    metricHistory.latest(hostId),
    metricHistory.lastAt(hostId),
    usageHistory.list(hostId, 'minute', 0),
  ]
  for (const one of asked('local')) await expect(one).rejects.toMatchObject({ status: 403 })
  await Promise.all(asked('lab'))
})
