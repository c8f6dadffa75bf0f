import { expect, test } from 'vitest'
import { bodyOf, channelsOf, draftOf, withMetric } from './rule-draft.ts'

const [phone, mail] = [{ id: 'c1' }, { id: 'c2' }]
const draft = draftOf(undefined)

test('a new rule notifies the only channel that there is', () => {
  expect(channelsOf(draft, [phone])).toEqual(['c1'])
  expect(bodyOf(draft, [phone]).channels).toEqual(['c1'])
})

test('which of several channels a new rule notifies is left to the reader', () => {
  expect(channelsOf(draft, [phone, mail])).toEqual([])
  expect(channelsOf(draft, [])).toEqual([])
})

test('a channel that was taken away stays away', () => {
  expect(channelsOf({ channels: [] }, [phone])).toEqual([])
})

test('a rule that exists keeps its channels', () => {
  const rule = { channels: [], match: {} } as unknown as Parameters<typeof draftOf>[0]
  expect(channelsOf(draftOf(rule), [phone])).toEqual([])
})

test('a rule for newer images begins with more than none, one for restarts with three', () => {
  expect(withMetric('updates_available')).toMatchObject({ operator: 'gt', threshold: '0' })
  expect(withMetric('restarts')).toMatchObject({ operator: 'gt', threshold: '3' })
})
