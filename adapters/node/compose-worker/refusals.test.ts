import { expect, test } from 'vitest'
import { composeInput } from '../../../functions/compose/testing/compose-input.ts'
import { memoryClock } from '../../testing/memory/clock.ts'
import type { ComposerQuestion } from './messages.ts'
import { Refusals } from './refusals.ts'

const loading = (text: string): ComposerQuestion => ({
  kind: 'load',
  input: composeInput({ 'compose.yaml': text }, { reach: 'host' }),
})

test('remembers a refused question for a minute', () => {
  const clock = memoryClock()
  const refusals = new Refusals(clock.now)
  refusals.add(loading('slow'), 4, 'compose.yaml took too long to read')
  clock.advance(60_000)
  expect(refusals.find(loading('slow'), 4)).toMatchObject({
    status: 422,
    message:
      'compose.yaml took too long to read less than a minute ago; change the file, or wait a minute',
  })
  clock.advance(1)
  expect(refusals.find(loading('slow'), 4)).toBeUndefined()
})

test('does not refuse another question of the same size', () => {
  const refusals = new Refusals()
  refusals.add(loading('slow'), 4, 'compose.yaml took too long to read')
  expect(refusals.find(loading('fast'), 4)).toBeUndefined()
})
