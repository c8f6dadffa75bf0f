import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import type { UsageBlock, UsageStep } from '../records/usage-history.ts'
import { missingBlocks, thinnedMark, thinUsage } from './thin-usage.ts'

const minute = 60_000
const hour = 60 * minute
const days = 31

/** Returns a block with one point of a container for each of these times. */
const block = (
  step: UsageStep,
  from: number,
  times: readonly number[],
  mark = 'm',
): UsageBlock => ({
  step,
  from,
  mark,
  series: [
    {
      key: 'web',
      name: 'web',
      id: 'w',
      points: times.map((at) => ({ at, minutes: 1, levels: [[at / minute, at / minute]] })),
    },
  ],
  leftOut: [],
})

const timesOf = (blocks: readonly UsageBlock[]) =>
  blocks.flatMap(({ series }) =>
    series.flatMap(({ points }) => points.map(({ at }) => at / minute)),
  )

test.each([
  ['nothing', [], [], { from: 0, to: hour }, []],
  ['one ten minutes', [1, 2, 9], [], { from: 0, to: hour }, [0]],
  ['not what is known', [1, 12], [0], { from: 0, to: hour }, [0, 10]],
  ['not what is not over', [1, 12], [], { from: 0, to: 10 * minute }, [0]],
  ['not what is before', [1, 12], [], { from: 10 * minute, to: hour }, [10]],
  ['no times without a sample', [1, 45], [], { from: 0, to: hour }, [0, 40]],
])('thins %s', (_, fine, known, span, wanted) => {
  const finer = [
    block(
      'minute',
      0,
      fine.map((at) => at * minute),
    ),
  ]
  const before = known.map((at) => block('ten_minutes', 0, [at * minute], thinnedMark))
  expect(timesOf(missingBlocks('ten_minutes', finer, before, span))).toEqual(wanted)
})

test('what was thinned before stays as it is', () => {
  const before = block('ten_minutes', 0, [0], thinnedMark)
  const finer = [block('minute', 0, [5 * minute, 15 * minute])]
  const [changed] = missingBlocks('ten_minutes', finer, [before], { from: 0, to: hour })
  expect(changed?.series[0]?.points[0]).toEqual(before.series[0]?.points[0])
})

/** Returns ports with the minutes of a container that ran for some hours until now. */
async function minutesOf(hours: number) {
  const ports = memoryPorts()
  const { clock, usageHistory } = ports
  const begin = clock.now()
  const thinned = async (step: UsageStep) =>
    timesOf(await usageHistory.list('h', step, 0)).map((at) => at - begin / minute)
  let thinnedTo: number | undefined
  for (let passed = 0; passed < hours * 60; passed += 10) {
    const times = Array.from({ length: 10 }, (_, at) => clock.now() + at * minute)
    const one = block('minute', clock.now(), times)
    await usageHistory.put('h', one, clock.now() + 130 * minute)
    clock.advance(10 * minute)
    thinnedTo = await thinUsage('h', thinnedTo, days, ports)
  }
  return { ports, clock, usageHistory, thinned, thinnedTo }
}

test('minutes become ten minutes, and these hours, as soon as they are over', async () => {
  const { thinned, usageHistory } = await minutesOf(5)
  expect(await thinned('ten_minutes')).toEqual(Array.from({ length: 30 }, (_, at) => at * 10))
  expect(await thinned('hour')).toEqual([0, 60, 120, 180, 240])
  const [hours] = await usageHistory.list('h', 'hour', 0)
  expect(hours?.series[0]?.points.map(({ minutes }) => minutes)).toEqual([60, 60, 60, 60, 60])
})

test('another process takes up what is left, and repeats nothing', async () => {
  const { ports, clock, usageHistory, thinned } = await minutesOf(1)
  const times = Array.from({ length: 10 }, (_, at) => clock.now() + at * minute)
  await usageHistory.put('h', block('minute', clock.now(), times), clock.now() + 2 * hour)
  clock.advance(25 * minute)
  const put: UsageBlock[] = []
  const watched = {
    ...ports,
    usageHistory: {
      ...usageHistory,
      put: async (host: string, one: UsageBlock, expiresAt: number) => {
        put.push(one)
        await usageHistory.put(host, one, expiresAt)
      },
    },
  }
  await thinUsage('h', undefined, days, watched)
  expect(await thinned('ten_minutes')).toEqual([0, 10, 20, 30, 40, 50, 60])
  expect(put).toHaveLength(1)
  await thinUsage('h', undefined, days, watched)
  expect(put).toHaveLength(1)
})

test('a clock that was ahead and is right again loses nothing', async () => {
  const { ports, clock, usageHistory, thinned, thinnedTo } = await minutesOf(1)
  clock.jump(48 * hour)
  const ahead = await thinUsage('h', thinnedTo, days, ports)
  clock.jump(-48 * hour)
  const times = Array.from({ length: 10 }, (_, at) => clock.now() + at * minute)
  await usageHistory.put('h', block('minute', clock.now(), times), clock.now() + 2 * hour)
  clock.advance(10 * minute)
  await thinUsage('h', ahead, days, ports)
  expect(await thinned('ten_minutes')).toContain(60)
})
