import { expect, test } from 'vitest'
import { stateOf, stateWord } from './state-word.ts'

const running = { state: 'running', health: null, status: 'Up 3 minutes' } as const

test('health is part of the state while a container runs', () => {
  expect(stateWord(running)).toBe('running')
  expect(stateWord({ ...running, health: 'unhealthy' })).toBe('unhealthy')
  expect(stateOf({ ...running, health: 'starting' })).toBe('working')
})

test('a container that was stopped has not failed, one with another code has', () => {
  const ended = { state: 'exited', health: null, status: 'Exited (137) 2 hours ago' } as const
  expect(stateOf(ended)).toBe('stopped')
  expect(stateOf({ ...ended, status: 'Exited (1) 2 hours ago' })).toBe('failed')
  expect(stateOf({ ...ended, exit_code: 2 })).toBe('failed')
})
