import { expect, test } from 'vitest'
import type { ContainerSample } from '../records/container.ts'
import type { UsageBlock } from '../records/usage-history.ts'
import { addSample, noMinutes } from './usage-minutes.ts'

const second = 1000
const minute = 60 * second
const begin = Date.UTC(2026, 5, 1, 12)

const container = (name: string, memory: number): ContainerSample => ({
  id: name,
  name,
  stack: null,
  service: null,
  number: null,
  oneoff: false,
  state: 'running',
  health: null,
  upSeconds: 60,
  exitCode: null,
  createdAt: '2026-01-01T00:00:00Z',
  run: null,
  restarts: 0,
  usage: {
    cpuPercent: 1,
    memory,
    memoryLimit: 1000,
    memoryPercent: 1,
    networkRx: 0,
    networkTx: 0,
    blockRead: 0,
    blockWrite: 0,
    pids: 1,
  },
})

/** What a sample finds: the memory of each container; undefined for a host that is away. */
type Found = Record<string, number> | undefined

/** Adds samples `[seconds after the begin, what they find]`, and returns the blocks to write. */
function written(samples: readonly (readonly [number, Found])[]): UsageBlock[] {
  const blocks: UsageBlock[] = []
  let state = noMinutes
  let marks = 0
  for (const [seconds, found] of samples) {
    const containers = Object.entries(found ?? {}).map(([name, memory]) => container(name, memory))
    const sample = {
      at: begin + seconds * second,
      found: found && { containers, figures: undefined },
      longestGap: minute,
    }
    const { next, closed } = addSample(state, sample, () => `m${marks++}`)
    state = next
    if (closed) blocks.push(closed)
  }
  return blocks
}

/** Returns `[minute after the begin, minutes, mean, max]` of the memory of a container. */
const memoryOf = (block: UsageBlock | undefined, name: string) =>
  block?.series
    .find(({ key }) => key === name)
    ?.points.map(({ at, minutes, levels }) => [
      (at - begin) / minute,
      minutes,
      ...(levels[1] ?? []),
    ])

test('a minute is written once it is over, with the mean and the largest of its samples', () => {
  const blocks = written([
    [0, { web: 10 }],
    [30, { web: 40 }],
    [59, { web: 10 }],
    [60, { web: 70 }],
  ])
  expect(blocks).toHaveLength(1)
  expect(blocks[0]).toMatchObject({ step: 'minute', from: begin, mark: 'm0' })
  expect(memoryOf(blocks[0], 'web')).toEqual([[0, 1, 20, 40]])
})

test('a block has the minutes before too, and a new one begins every ten minutes', () => {
  const each = Array.from({ length: 12 }, (_, at) => [at * 60, { web: at }] as const)
  const blocks = written(each)
  expect(blocks.map(({ from, mark }) => [(from - begin) / minute, mark])).toEqual([
    ...Array.from({ length: 10 }, () => [0, 'm0']),
    [10, 'm1'],
  ])
  expect(memoryOf(blocks[9], 'web')).toHaveLength(10)
  expect(memoryOf(blocks[10], 'web')).toEqual([[10, 1, 10, 10]])
})

test('a host that is away leaves a gap, and its last minute is written', () => {
  const blocks = written([
    [0, { web: 1 }],
    [60, undefined],
    [120, undefined],
    [180, { web: 3 }],
    [240, { web: 4 }],
  ])
  expect(blocks).toHaveLength(2)
  expect(memoryOf(blocks[1], 'web')).toEqual([
    [0, 1, 1, 1],
    [3, 1, 3, 3],
  ])
})

test('a container that went keeps its minutes, and one that came has only its own', () => {
  const [, block] = written([
    [0, { old: 1 }],
    [60, { new: 2 }],
    [120, { new: 3 }],
  ])
  expect(memoryOf(block, 'old')).toEqual([[0, 1, 1, 1]])
  expect(memoryOf(block, 'new')).toEqual([[1, 1, 2, 2]])
})

test('a clock that is set back repeats minutes, which are joined', () => {
  const blocks = written([
    [60, { web: 10 }],
    [120, { web: 20 }],
    [65, { web: 30 }],
    [121, { web: 40 }],
  ])
  expect(memoryOf(blocks.at(-1), 'web')).toEqual([
    [1, 2, 20, 30],
    [2, 1, 20, 20],
  ])
})

test('a clock that jumps to another period and back does not replace what was written', () => {
  const blocks = written([
    [0, { web: 1 }],
    [86_400, { web: 2 }],
    [60, { web: 3 }],
    [120, { web: 4 }],
  ])
  const marks = blocks.map(({ from, mark }) => [(from - begin) / minute, mark])
  expect(marks).toEqual([
    [0, 'm0'],
    [1440, 'm1'],
    [0, 'm2'],
  ])
})

test('the 101st container is left out, and a new one displaces none', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`c${100 + at}`, at]))
  const more = { ...many, a: 1 }
  const blocks = written([
    [0, many],
    [60, more],
    [120, more],
    [600, more],
    [660, more],
  ])
  for (const block of blocks) {
    expect(block.series).toHaveLength(101)
    expect(memoryOf(block, 'a')).toBeUndefined()
  }
  expect(blocks.map(({ leftOut }) => leftOut)).toEqual([[], ['a'], ['a'], ['a']])
})
