import { expect, test } from 'vitest'
import type { components } from './api.types.ts'
import { latestSample, percentages } from './host-samples.ts'

const sample = (disk_percent: number | null, online = true) =>
  ({
    online,
    disk_percent,
    cpu_percent: 1,
    memory_percent: null,
  }) as components['schemas']['HostMetrics']

test('a figure and the curve over it are of the same samples', () => {
  const samples = [sample(40), sample(41), sample(null)]
  expect(percentages(samples, 'disk')).toEqual([40, 41])
  expect(latestSample(samples, 'disk')?.disk_percent).toBe(41)
  expect(latestSample(samples, 'cpu')).toBe(samples[2])
})

test('there is no figure of what was never measured, or of a host that is offline', () => {
  expect(latestSample(undefined, 'disk')).toBeUndefined()
  expect(latestSample([], 'disk')).toBeUndefined()
  expect(latestSample([sample(null)], 'disk')).toBeUndefined()
  expect(latestSample([sample(40)], 'memory')).toBeUndefined()
  expect(latestSample([sample(40), sample(null, false)], 'disk')).toBeUndefined()
})
