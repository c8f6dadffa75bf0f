import { expect, test } from 'vitest'
import { upSecondsIn } from './containers.ts'

test.each([
  ['Up Less than a second', 0],
  ['Up 1 second', 1],
  ['Up 9 seconds (health: starting)', 9],
  ['Up 59 seconds', 59],
  ['Up About a minute (unhealthy)', 60],
  ['Up 2 minutes', 120],
  ['Up 59 minutes (healthy)', 3540],
  ['Up About an hour', 3600],
  ['Up 5 hours', 3600],
  ['Up 3 weeks', 3600],
  ['something else', 3600],
])('%s: a container has been up for %i s', (Status, seconds) => {
  expect(upSecondsIn({ State: 'running', Status })).toBe(seconds)
})

test('a container that does not run is not up', () => {
  const states = ['created', 'restarting', 'exited', 'dead']
  for (const State of states) expect(upSecondsIn({ State, Status: 'Up 5 seconds' })).toBeNull()
  expect(upSecondsIn({ State: 'paused', Status: 'Up 5 seconds (Paused)' })).toBe(5)
})
