import { expect, test } from 'vitest'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import type { ShownEvent } from './event-log.ts'
import { factWordsOf, wordsOf } from './event-words.ts'

setTexts(en)

const event = (kind: string, details: Record<string, string | number> = {}) =>
  ({ kind, details, subject: null }) as unknown as ShownEvent

test.each([
  [event('container.die'), 'Container exited'],
  [event('stack.deploy.begun'), 'Deploy begun'],
  [event('stack.deploy.ended', { status: 'failed' }), 'Deploy: Failed'],
  [
    event('stack.deploy.step', { action: 'create', name: 'shop-web-1' }),
    'Deploy: Create shop-web-1',
  ],
  [event('stack.deploy.step', { action: 'other', name: 'x' }), 'Deploy: other x'],
  [event('stack.update'), 'Files saved'],
  [event('stack.deploy'), 'Deploy requested'],
  [event('container.exec_detach'), 'Container exec detach'],
  [event('stack.services.toString'), 'Stack services toString'],
])('%o: %s', (given, words) => {
  expect(wordsOf(given)).toBe(words)
})

test.each([
  [event('container.die', { exit_code: 137, image: 'nginx' }), 'exit code 137 · nginx'],
  [event('stack.update', { outcome: 'succeeded', status: 200 }), ''],
  [event('stack.update', { outcome: 'refused', status: 403 }), 'Refused'],
  [
    event('stack.deploy.step', {
      action: 'create',
      kind: 'x',
      name: 'y',
      status: 'done',
    }),
    'Done',
  ],
  [event('container.a', { some_fact: 'b' }), 'some fact b'],
  [
    event('container.create', { image: `sha256:${'0123456789ab'.padEnd(64, 'c')}` }),
    'sha256:0123456789ab',
  ],
])('%o says also: %s', (given, words) => {
  expect(factWordsOf(given)).toBe(words)
})
