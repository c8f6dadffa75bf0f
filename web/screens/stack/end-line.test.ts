import { expect, test } from 'vitest'
import type { Deployment } from '../../data/stack-operations.ts'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { endWords, unchangedCount } from './end-line.ts'

setTexts(en)

const ended = (more: Partial<Deployment> = {}) =>
  ({
    kind: 'deploy',
    status: 'succeeded',
    services: [],
    steps: [{ action: 'create', kind: 'container', name: 'shop-web-1', reason: '' }],
    ...more,
  }) as Deployment
const rows = [{ name: 'shop-web-1' }, { name: 'shop-db-1' }, { name: null }]

test.each([
  [{}, 'Deployed in 4.2 s'],
  [{ kind: 'rollback' }, 'Rolled back in 4.2 s'],
  [{ status: 'failed' }, 'Deploy failed'],
  [{ status: 'failed', kind: 'pull' }, 'Pull failed'],
  [{ status: 'interrupted' }, 'Interrupted'],
] as const)('%o: %s', (more, words) => {
  expect(endWords(ended(more), '4.2 s')).toBe(words)
})

test('containers that a deploy left as they were are counted', () => {
  expect(unchangedCount(ended(), rows)).toBe(1)
})

test.each([{ services: ['web'] }, { kind: 'restart' as const }, { status: 'failed' as const }])(
  'nothing is said of others for %o',
  (more) => {
    expect(unchangedCount(ended(more), rows)).toBe(0)
  },
)
