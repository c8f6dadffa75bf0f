import { expect, test } from 'vitest'
import type { Container } from '../../data/containers.ts'
import { asHostId, asHostName } from '../../host-ids.ts'
import { isShown } from './filter.ts'

const container: Container = {
  id: '4f6d1b0c9a2e',
  name: 'shop-web-1',
  image: 'nginx:1.29',
  image_id: 'sha256:0d',
  volume_names: [],
  network_names: [],
  state: 'running',
  status: 'Up 3 minutes (unhealthy)',
  health: 'unhealthy',
  created_at: '2026-11-21T10:00:00.000Z',
  ports: [],
  labels: {},
  stack: 'shop',
  owner: 'stack',
  service: 'web',
  host_id: asHostId('h1'),
  host_name: asHostName('nas'),
}
const all = { text: '', state: '', host: '' }

test('every word is looked for in the names, the image and the beginning of the id', () => {
  const found = (text: string) => isShown(container, { ...all, text })
  expect(['', 'SHOP nginx', '4f6d', 'nas'].map(found)).toEqual([true, true, true, true])
  expect(['blog', 'shop blog', '1b0c'].map(found)).toEqual([false, false, false])
})

test('state and host limit the list', () => {
  const found = (state: string, host = '') => isShown(container, { ...all, state, host })
  expect(['running', 'trouble', 'stopped'].map((state) => found(state))).toEqual([
    true,
    true,
    false,
  ])
  expect([found('', 'nas'), found('', 'pi')]).toEqual([true, false])
})
