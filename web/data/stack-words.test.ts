import { expect, test } from 'vitest'
import { servicesText, servicesUp, stackWord } from './stack-words.ts'

const stack = (
  status: Parameters<typeof stackWord>[0]['status'],
  running: number,
  unhealthy: number,
) => ({ status, services: { total: 3, running, unhealthy } })

test('a service whose health check fails counts as running', () => {
  expect(servicesUp({ total: 3, running: 1, unhealthy: 2 })).toBe(3)
  expect(servicesText({ total: 3, running: 0, unhealthy: 2 })).toBe('2/3')
})

test.each([
  [stack('partial', 2, 1), 'unhealthy'],
  [stack('partial', 0, 3), 'unhealthy'],
  // Something else is wrong, too.
  [stack('partial', 1, 1), 'partial'],
  [stack('partial', 2, 0), 'partial'],
  [stack('deploying', 2, 1), 'deploying'],
  [stack('running', 3, 0), 'running'],
  [stack('failed', 2, 1), 'failed'],
] as const)('%o is called %s', (one, word) => {
  expect(stackWord(one)).toBe(word)
})
