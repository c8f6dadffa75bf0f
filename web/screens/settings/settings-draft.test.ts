import { expect, test } from 'vitest'
import type { Settings } from '../../data/settings.ts'
import { changesOf, inputText } from './settings-draft.ts'

const settings = {
  'stack.max_bytes': 64 * 1024 * 1024,
  'retention.days': 90,
  'registry.allow': ['nas:5000'],
} as Settings

test('sizes are typed in MiB, lists with commas', () => {
  expect(inputText('stack.max_bytes', settings['stack.max_bytes'])).toBe('64')
  expect(inputText('registry.allow', ['a:1', 'b'])).toBe('a:1, b')
})

test('sends only changed settings', () => {
  const typed = { 'stack.max_bytes': '64', 'retention.days': '30', 'registry.allow': 'nas:5000, b' }
  expect(changesOf(settings, typed)).toEqual({
    'retention.days': 30,
    'registry.allow': ['nas:5000', 'b'],
  })
  expect(changesOf(settings, { 'stack.max_bytes': '1.5' })).toEqual({ 'stack.max_bytes': 1572864 })
})
