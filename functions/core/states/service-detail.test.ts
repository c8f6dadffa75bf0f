import { expect, test } from 'vitest'
import type { ContainerSummary } from '../records/container.ts'
import { detailOf } from './service-detail.ts'
import { type ContainerFacts, serviceState } from './service-state.ts'
import type { StackService } from './stack-state.ts'
import {
  type ContainerSampleOptions,
  containerSample,
  endedSample,
  serviceSample,
  stopSample,
  youngEngine,
} from './testing/samples.ts'

const now = Date.parse('2026-11-23T20:00:00Z')

function detail(facts: ContainerFacts, more: Partial<StackService> = {}): string | null {
  const container = { ...facts, summary: {} as ContainerSummary, number: 1 }
  const service = serviceSample([facts], more)
  const inFile = { containers: 1, job: service.isJob, image: 'app:1' }
  const whole: StackService = {
    ...service,
    name: 'web',
    verb: undefined,
    inFile,
    existing: [container],
    state: serviceState(service),
    ...more,
  }
  return detailOf(whole, container, now)
}

const ended = (code: number, options?: ContainerSampleOptions) => detail(endedSample(code, options))

test('says who stopped a container, and when', () => {
  expect(ended(0, { stop: stopSample() })).toBe('stopped by mia 14:02 UTC')
  expect(ended(0, { stop: stopSample(null) })).toBe('stopped on the host 14:02 UTC')
  const earlier = { ...stopSample(), at: Date.parse('2026-11-22T14:02:00Z') }
  expect(ended(0, { stop: earlier })).toBe('stopped by mia 2026-11-22 14:02 UTC')
  expect(ended(1, { policy: 'always' })).toBe('stopped on the host')
})

test('says how a container ended', () => {
  expect(ended(3)).toBe('ended with exit code 3')
  expect(ended(0)).toBe('ended with exit code 0')
  expect(ended(143)).toBe('ended by a signal (exit code 143)')
  expect(ended(137, { outOfMemory: true })).toBe('ran out of memory')
  expect(ended(128, { startError: 'a port is taken' })).toBe(
    'could not be started: a port is taken',
  )
  expect(detail(endedSample(0), { isJob: true })).toBeNull()
  const policy = endedSample(143, { policy: 'always' })
  expect(detail(policy, { engine: youngEngine })).toBe('its restart policy is about to start it')
})

test('says what is wrong with a container that has not ended', () => {
  expect(detail(containerSample())).toBeNull()
  expect(detail(containerSample({ health: 'unhealthy' }))).toBe('its health check fails')
  const healthOutput = 'curl: (7) Failed to connect'
  expect(detail(containerSample({ health: 'unhealthy', healthOutput }))).toBe(
    'its health check fails: curl: (7) Failed to connect',
  )
  expect(detail(containerSample({ state: 'created' }))).toBe('not started')
  expect(detail(containerSample({ state: 'dead' }))).toBe('the Engine could not remove it')
  expect(detail(containerSample({ restarts: 3, upSeconds: 2 }))).toBe(
    'restarted 3 times by its restart policy',
  )
  expect(detail(containerSample({ state: 'restarting', restarts: 1 }))).toBe(
    'restarted once by its restart policy',
  )
  expect(detail(containerSample({ state: 'created', startError: 'no such file' }))).toBe(
    'could not be started: no such file',
  )
})
