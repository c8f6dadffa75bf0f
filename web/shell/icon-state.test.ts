import { expect, test } from 'vitest'
import { iconStateOf } from './icon-state.ts'

const firing = { state: 'firing', muted: false } as const
const pending = { state: 'pending', muted: false } as const
const muted = { state: 'firing', muted: true } as const

test('the icon has no mark while all is well, nor before that is known', () => {
  expect(iconStateOf({ connection: 'live', alerts: [] })).toBe('usual')
  expect(iconStateOf({ connection: 'live', alerts: undefined })).toBe('usual')
})

test.each(['reconnecting', 'offline'] as const)('it has a mark while the page is %s', (state) => {
  expect(iconStateOf({ connection: state, alerts: [] })).toBe('trouble')
  expect(iconStateOf({ connection: state, alerts: undefined })).toBe('trouble')
})

test('it has a mark while an alert fires, and loses it when that ends', () => {
  expect(iconStateOf({ connection: 'live', alerts: [pending, firing] })).toBe('trouble')
  expect(iconStateOf({ connection: 'live', alerts: [pending] })).toBe('usual')
})

test('an alert of a muted rule leaves it without a mark, but not one beside it', () => {
  expect(iconStateOf({ connection: 'live', alerts: [muted] })).toBe('usual')
  expect(iconStateOf({ connection: 'live', alerts: [muted, firing] })).toBe('trouble')
})
