import { expect, test } from 'vitest'
import type { ServiceUpdate } from '../updates/list-updates.ts'
import { failureText, newerText } from './update-detail.ts'

const update = (service: string, reason: string | null = null) =>
  ({ service: { service, reference: `${service}:1` }, status: { reason } }) as ServiceUpdate

const services = (count: number, reason?: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => update(`s${index}`, reason?.(index)))

test('names five services with their images, and how many more there are', () => {
  expect(newerText(services(2))).toBe('s0: s0:1, s1: s1:1')
  expect(newerText(services(7))).toBe('s0: s0:1, s1: s1:1, s2: s2:1, s3: s3:1, s4: s4:1 and 2 more')
})

test('names each reason once, with its services', () => {
  const failed = services(9, (index) => (index < 2 ? `reason ${index}` : 'no route'))
  expect(failureText(failed)).toBe(
    'reason 0 (s0); reason 1 (s1); no route (s2, s3, s4, s5, s6 and 2 more)',
  )
})
