import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import type { Needs } from '../ports/ports.ts'
import type { ReportedStop } from '../records/host-engine.ts'
import { stopsMax } from '../records/host-stops.ts'
import { knownStop, recordReportedStops, recordStop, removeStop } from './known-stops.ts'
import { stopSample } from './testing/samples.ts'

const startedAt = '2026-11-23T10:00:00Z'
const run = { startedAt }
const nothing = { reported: new Map<string, ReportedStop>(), stored: {} }
const event = (at: number, isRecent = false) => new Map([['c1', { at, isRecent }]])
const storedIn = async (ports: Needs<'hostStops'>) =>
  (await ports.hostStops.find('local'))?.stops ?? {}

test('a recorded stop counts for the run that it ended, and for no later one', () => {
  const stored = { c1: stopSample() }
  expect(knownStop('c1', run, { ...nothing, stored })).toEqual(stopSample())
  expect(knownStop('c1', { startedAt: '2026-11-23T11:00:00Z' }, { ...nothing, stored })).toBeNull()
  expect(knownStop('c1', null, { ...nothing, stored })).toBeNull()
  expect(knownStop('c2', run, { ...nothing, stored })).toBeNull()
  expect(knownStop('constructor', run, nothing)).toBeNull()
})

test('a user who stopped a container is named, although the Engine reported it too', () => {
  const sources = { reported: event(5), stored: { c1: stopSample() } }
  expect(knownStop('c1', run, sources)?.by).toBe('mia')
  expect(knownStop('c1', run, { reported: event(5), stored: {} })).toEqual({
    startedAt,
    by: null,
    at: 5,
  })
  expect(knownStop('c1', null, { reported: event(5), stored: {} })).toMatchObject({ by: null })
})

test('keeps the stops that the Engine reported, once, and forgets removed containers', async () => {
  const ports = memoryPorts()
  await recordStop('local', 'removed', stopSample(), ports)
  const ended = [{ id: 'c1', state: 'exited', run }]
  const sources = { reported: event(5), stored: await storedIn(ports) }
  await recordReportedStops('local', ended, sources, ports)
  expect(await storedIn(ports)).toEqual({ c1: { startedAt, by: null, at: 5 } })
  const before = await ports.hostStops.find('local')
  await recordReportedStops(
    'local',
    ended,
    { reported: event(5), stored: await storedIn(ports) },
    ports,
  )
  expect((await ports.hostStops.find('local'))?.revision).toBe(before?.revision)
})

test('does not keep a stop that can be part of the end of the Engine', async () => {
  const ports = memoryPorts()
  const ended = [{ id: 'c1', state: 'exited', run }]
  await recordReportedStops('local', ended, { reported: event(5, true), stored: {} }, ports)
  expect(await storedIn(ports)).toEqual({})
})

test('does not keep the stop of a container that runs', async () => {
  const ports = memoryPorts()
  const running = [{ id: 'c1', state: 'running', run }]
  await recordReportedStops('local', running, { reported: event(5), stored: {} }, ports)
  expect(await storedIn(ports)).toEqual({})
})

test('keeps the newest stops of a host, and all of several processes', async () => {
  const ports = memoryPorts()
  const many = Array.from({ length: 20 }, (_, at) =>
    recordStop('local', `c${at}`, { ...stopSample(), at }, ports),
  )
  await Promise.all(many)
  expect(Object.keys(await storedIn(ports))).toHaveLength(20)
  await removeStop('local', 'c7', ports)
  expect(await storedIn(ports)).not.toHaveProperty('c7')
  const known = await ports.hostStops.find('local')
  const full = Array.from({ length: stopsMax }, (_, at) => [
    `d${at}`,
    { ...stopSample(), at: at + 100 },
  ])
  if (known) await ports.hostStops.replace({ ...known, stops: Object.fromEntries(full) })
  await recordStop('local', 'new', { ...stopSample(), at: 1e9 }, ports)
  const kept = await storedIn(ports)
  expect(Object.keys(kept)).toHaveLength(stopsMax)
  expect(kept).toHaveProperty('new')
  expect(kept).not.toHaveProperty('d0')
})
