import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { storedHostConnections } from './host-connections.ts'
import { storedProcesses } from './processes.ts'

const processOf = (id: string, reads = 1) => ({
  id,
  version: '0.1.0',
  machine: 'nas',
  reads,
  writes: 1,
})

test('shows the other processes until they leave', async () => {
  const processes = storedProcesses(await newTable(), memoryClock())
  for (const id of ['a', 'b', 'c']) await processes.announce(processOf(id))
  expect(await processes.othersOf('a')).toEqual([processOf('b'), processOf('c')])
  await processes.leave('b')
  expect(await processes.othersOf('a')).toEqual([processOf('c')])
})

test('a process is dead once it was seen to be silent for 20 s, whatever the clock shows', async () => {
  const clock = memoryClock()
  const processes = storedProcesses(await newTable(), clock)
  await processes.announce(processOf('silent'))
  await processes.announce(processOf('busy'))
  const alive = async () => (await processes.othersOf('own')).map(({ id }) => id)
  // A jump of the wall clock is no silence, and neither is the time before the first look.
  clock.jump(3_600_000)
  clock.advance(60_000)
  expect(await alive()).toEqual(['busy', 'silent'])
  for (let seconds = 5; seconds < 20; seconds += 5) {
    clock.advance(5000)
    await processes.announce(processOf('busy'))
    expect(await alive()).toEqual(['busy', 'silent'])
  }
  clock.advance(5000)
  await processes.announce(processOf('busy'))
  expect(await alive()).toEqual(['busy'])
  await processes.announce(processOf('silent'))
  expect(await alive()).toEqual(['busy', 'silent'])
})

test('a process that only sends heartbeats for its agents reads the first format', async () => {
  const clock = memoryClock()
  const table = await newTable()
  const processes = storedProcesses(table, clock)
  const connections = storedHostConnections(table, clock)
  await connections.beat('earlier', clock.now() + 5000)
  await connections.beat('own', clock.now() + 5000)
  await connections.beat('known', clock.now() + 5000)
  await processes.announce(processOf('known', 2))
  expect(await processes.othersOf('own')).toEqual([
    processOf('known', 2),
    { ...processOf('earlier'), machine: 'unknown' },
  ])
  clock.advance(20_000)
  expect(await processes.othersOf('own')).toEqual([])
})

test('a damaged row counts as a process that reads nothing', async () => {
  const table = await newTable()
  await table.put({ pk: 'processes', sk: 'odd', reads: 'all', rev: 1 })
  const [odd] = await storedProcesses(table, memoryClock()).othersOf('own')
  expect(odd).toMatchObject({ id: 'odd', reads: 0, writes: 1 })
})
