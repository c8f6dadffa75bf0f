import { expect, test } from 'vitest'
import { present } from '../../../local/harness/present.ts'
import { processorTime } from './processor-time.ts'

test('grows with work, not with time', async () => {
  const begin = present(processorTime(process.pid))
  await new Promise((resolve) => setTimeout(resolve, 300))
  const waited = present(processorTime(process.pid))
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user - user < 300_000) Math.sqrt(2)
  const worked = present(processorTime(process.pid))
  expect(worked - waited).toBeGreaterThanOrEqual(250)
  expect(waited - begin).toBeLessThan(250)
})

test('returns undefined for a process that does not exist', () => {
  expect(processorTime(2 ** 30)).toBeUndefined()
})
