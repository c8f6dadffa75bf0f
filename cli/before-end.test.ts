import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { beforeEnd } from './before-end.ts'

/** Stands for a process, and records the signals that end it. */
function target() {
  const ended: string[] = []
  const kill = (_pid: number, signal: string) => ended.push(signal)
  const emitter = Object.assign(new EventEmitter(), { pid: 7, kill })
  return { emitter, ended, listen: beforeEnd(emitter as unknown as NodeJS.Process) }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s calls all listeners, and then ends', (signal) => {
  const { emitter, ended, listen } = target()
  const called: string[] = []
  listen(() => called.push(`first, ${ended.length}`))
  listen(() => called.push('second'))
  emitter.emit(signal, signal)
  expect([called, ended]).toEqual([['first, 0', 'second'], [signal]])
  expect(emitter.listenerCount(signal)).toBe(0)
})

test('a listener that is undone is not called, and the last one leaves the signals alone', () => {
  const { emitter, ended, listen } = target()
  const called: string[] = []
  const undo = listen(() => called.push('first'))
  const undoOther = listen(() => called.push('second'))
  undo()
  emitter.emit('SIGINT', 'SIGINT')
  expect([called, ended]).toEqual([['second'], ['SIGINT']])
  undoOther()
  listen(() => {})()
  expect(emitter.listenerCount('SIGINT')).toBe(0)
})

test('a command that listens for an interrupt ends by itself, unless a second one comes', () => {
  const { emitter, ended, listen } = target()
  const called: string[] = []
  listen(() => called.push('removed'))
  emitter.once('SIGINT', () => called.push('own'))
  emitter.emit('SIGINT', 'SIGINT')
  expect([called, ended]).toEqual([['own'], []])
  emitter.emit('SIGINT', 'SIGINT')
  expect([called, ended]).toEqual([['own', 'removed'], ['SIGINT']])
})
