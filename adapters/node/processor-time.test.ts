import { expect, test } from 'vitest'
import { processorTime } from './processor-time.ts'

test('grows with work and not with time', async () => {
  const begin = processorTime(process.pid)!
  await new Promise((resolve) => setTimeout(resolve, 300))
  const waited = processorTime(process.pid)!
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user - user < 300_000) Math.sqrt(2)
  const worked = processorTime(process.pid)!
  expect(worked - waited).toBeGreaterThanOrEqual(250)
  expect(waited - begin).toBeLessThan(250)
})

test('is unknown of a process that does not exist', () => {
  expect(processorTime(2 ** 30)).toBeUndefined()
})
