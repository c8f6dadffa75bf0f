import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { endedSeconds } from './process.ts'

test('counts the processor time of a program that was started and has ended', () => {
  const before = endedSeconds(process.pid)
  execFileSync(process.execPath, ['--eval', 'while (process.cpuUsage().user < 2e5) {}'])
  expect(endedSeconds(process.pid) - before).toBeGreaterThanOrEqual(0.1)
})
