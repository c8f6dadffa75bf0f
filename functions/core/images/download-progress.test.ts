import { expect, test } from 'vitest'
import type { StepProgress } from '../records/deployment.ts'
import type { PulledLayer } from '../records/host-engine.ts'
import { downloadProgress } from './download-progress.ts'

/** Returns what is reported of changes that come `gap` milliseconds after each other. */
function reported(gap: number, ...changes: [string, PulledLayer['state'], number?, number?][]) {
  const reports: StepProgress[] = []
  let now = 0
  const take = downloadProgress({ monotonic: () => now }, (progress) => reports.push(progress))
  for (const [id, state, current = null, total = null] of changes) {
    take({ id, state, current, total })
    now += gap
  }
  return reports.map(({ current, total }) => `${current}/${total}`)
}

test('the layers of an image are added up', () => {
  const reports = reported(
    2000,
    ['a', 'waiting'],
    ['a', 'downloading', 10, 100],
    ['b', 'downloading', 5, 50],
    ['a', 'downloaded'],
    ['a', 'extracting', 3, 100],
    ['b', 'done'],
  )
  expect(reports).toEqual(['10/100', '15/150', '105/150', '105/150', '150/150'])
})

test('nothing is reported of layers whose size is not known', () => {
  expect(reported(2000, ['a', 'exists'], ['b', 'downloading', 7], ['b', 'done'])).toEqual([])
})

test('reports come at a limited rate', () => {
  const many = Array.from({ length: 41 }, (_, at): [string, 'downloading', number, number] => [
    'a',
    'downloading',
    at,
    40,
  ])
  expect(reported(100, ...many)).toEqual(['0/40', '20/40', '40/40'])
})
