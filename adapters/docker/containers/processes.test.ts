import { expect, test } from 'vitest'
import { processesIn } from './processes.ts'

test('reads the columns of the usual ps', () => {
  const Titles = ['UID', 'PID', 'PPID', 'C', 'STIME', 'TTY', 'TIME', 'CMD']
  const Processes = [['root', '41', '7', '0', '10:02', '?', '00:00:04', 'nginx: master process']]
  expect(processesIn({ Titles, Processes })).toEqual([
    {
      pid: 41,
      parentPid: 7,
      user: 'root',
      started: '10:02',
      cpuTime: '00:00:04',
      command: 'nginx: master process',
    },
  ])
})

test('reads the columns of busybox', () => {
  const Titles = ['PID', 'USER', 'TIME', 'COMMAND']
  expect(processesIn({ Titles, Processes: [['41', 'root', '0:00', 'sleep 9']] })).toEqual([
    {
      pid: 41,
      parentPid: null,
      user: 'root',
      started: null,
      cpuTime: '0:00',
      command: 'sleep 9',
    },
  ])
})

test('keeps the beginning of very long command lines, and a thousand processes', () => {
  const Processes = Array.from({ length: 1_500 }, (_, at) => [`${at}`, 'x'.repeat(5_000)])
  const found = processesIn({ Titles: ['PID', 'CMD'], Processes })
  expect([found.length, found[0]?.command.length]).toEqual([1_000, 4_096])
  expect(processesIn({ Titles: ['PID', 'CMD'], Processes: null })).toEqual([])
})
