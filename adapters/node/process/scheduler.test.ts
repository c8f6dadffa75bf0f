import { expect, test } from 'vitest'
import { schedule } from '../../../functions/kit/schedule.ts'
import { systemClock } from './clock.ts'
import { runSchedules } from './scheduler.ts'

test('many schedules wait without a warning of Node, and end when they are stopped', async () => {
  const warnings: string[] = []
  const note = (warning: Error) => warnings.push(warning.name)
  process.on('warning', note)
  let runs = 0
  const one = schedule({
    summary: 'Count',
    everySeconds: 3600,
    async run() {
      runs += 1
    },
  })
  const lines = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`count ${index}`, async () => ({ default: one })]),
  )
  const log = { info() {}, warn() {}, error() {}, debug() {} }
  const running = runSchedules(lines, {}, { clock: systemClock, log: log as never })
  await systemClock.sleep(50)
  await running.stop()
  process.off('warning', note)
  expect(runs).toBe(20)
  expect(warnings).toEqual([])
})
