import type Docker from 'dockerode'
import { expect, test } from 'vitest'
import { containerSummary, upSecondsIn } from './summary.ts'

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

test('an entry has the names of the volumes and networks that a container uses, each once', () => {
  const listed = {
    Id: 'f'.repeat(64),
    Names: ['/web'],
    Status: 'Exited (0) 2 hours ago',
    State: 'exited',
    Created: 1,
    Ports: [],
    Labels: {},
    Mounts: [
      { Type: 'volume', Name: 'pages' },
      { Type: 'volume', Name: 'pages' },
      { Type: 'bind', Source: '/srv' },
      { Type: 'tmpfs', Name: '' },
    ],
    NetworkSettings: { Networks: { shop_default: {}, bridge: {} } },
  } as unknown as Docker.ContainerInfo
  expect(containerSummary(listed)).toMatchObject({
    volumeNames: ['pages'],
    networkNames: ['bridge', 'shop_default'],
  })
  const { NetworkSettings: _, ...offline } = listed
  expect(containerSummary(offline as Docker.ContainerInfo).networkNames).toEqual([])
})
