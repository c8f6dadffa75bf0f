import { expect, test } from 'vitest'
import { peerProjects, statusOf } from './peer-projects.ts'

test.each([
  [[], 'never-started'],
  [['created', 'created'], 'never-started'],
  [['running', 'paused'], 'running'],
  [['running', 'exited'], 'partial'],
  [['exited', 'created'], 'stopped'],
] as const)('containers that are %j make a stack %s', (states, status) => {
  expect(statusOf(states)).toBe(status)
})

const container = (service: string, more: Record<string, string>, created_at: string) => ({
  stack: 'shop' as string | null,
  service,
  state: 'running' as const,
  owner: 'foreign' as 'foreign' | 'installation',
  created_at,
  labels: {
    'com.docker.compose.project.working_dir': '/srv/shop',
    'com.docker.compose.project.config_files': '/srv/shop/a.yaml,/srv/shop/b.yaml',
    ...more,
  },
})

test('a project is what the labels of its newest container say, without one-off commands', () => {
  const old = { 'com.docker.compose.project.working_dir': '/old' }
  const found = peerProjects([
    container('web', {}, '2026-11-02T00:00:00Z'),
    container('db', old, '2026-11-01T00:00:00Z'),
    container('db', { 'com.docker.compose.oneoff': 'True' }, '2026-11-03T00:00:00Z'),
    { ...container('web', {}, '2026-11-03T00:00:00Z'), stack: null },
    { ...container('web', {}, '2026-11-03T00:00:00Z'), owner: 'installation' as const },
  ])
  expect(found).toEqual([
    {
      name: 'shop',
      directory: '/srv/shop',
      configFiles: ['/srv/shop/a.yaml', '/srv/shop/b.yaml'],
      states: ['running', 'running'],
    },
  ])
})
