import { expect, test } from 'vitest'
import { joinedSeconds, processorLines, processorSecondsOf } from './processor-report.mjs'
import { kindOf } from './processor-time.mjs'

const file = (path: string, processorSeconds: number, project = 'engine') => ({
  path,
  project,
  state: 'passed',
  milliseconds: 1,
  processorSeconds,
  tests: [],
})

test('a run names its dearest files, each with the sum of its projects', () => {
  const files = [file('a', 30), file('b', 70), file('a', 50, 'engine-executable'), file('c', 9)]
  const now = processorSecondsOf({ files, processorSeconds: { services: 90, store: 30 } })
  expect(now).toEqual({ kinds: { services: 90, store: 30 }, files: { a: 80, b: 70 } })
  const recorded = { kinds: { services: 180 }, files: { b: 60 } }
  expect(processorLines(now, recorded)).toEqual([
    'processor time: 2.0 min, 3.0 when last recorded (services 1.5, store 0.5)',
    '  80 s: a',
    '  70 s, recorded 60 s: b',
  ])
})

test('the seconds of the tiers are added', () => {
  expect(joinedSeconds([{ a: 1, b: 2 }, undefined, { b: 3 }])).toEqual({ a: 1, b: 5 })
})

test('a system that counts no processor time is told nothing', () => {
  expect(processorLines(processorSecondsOf({ files: [file('a', 0)] }), undefined)).toEqual([])
})

test.each([
  ['node (vitest 3)', 'test workers'],
  ['/usr/bin/node /work/dist/service.js --check', 'services'],
  ['/usr/bin/node /work/dist/compose-worker.js', 'services'],
  ['node /work/dist/cli.js stacks list', 'clients'],
  ['/tmp/place/cli stacks list', 'clients'],
  ['java -jar /work/node_modules/x/DynamoDBLocal.jar', 'store'],
  ['/usr/lib/chromium/chromium-headless-shell --type=renderer', 'browsers'],
  ['/usr/bin/dockerd --default-address-pool', 'Engine'],
  ['docker compose up', 'docker client'],
  ['/usr/bin/node --import tsx x.ts', 'other Node programs'],
  ['sleep 60', 'other'],
])('%s counts as %s', (line, kind) => expect(kindOf(line)).toBe(kind))
