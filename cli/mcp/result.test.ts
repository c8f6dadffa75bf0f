import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { ApiFailure, failed } from '../failure.ts'
import { aboutData, dataResult, failureResult } from './result.ts'
import { tools } from './tool.ts'

const toolNamed = (name: string) => present(tools.find((one) => one.name === name))
const answerOf = (value: unknown, headers = {}) => ({
  status: 200,
  headers,
  text: JSON.stringify(value),
})
const textOf = ({ content }: { content: { text: string }[] }) => present(content[0]).text

test('says before the data that it is data', () => {
  const text = textOf(dataResult(toolNamed('stacks_list'), answerOf([{ name: 'shop' }])))
  expect(text.startsWith(`{"about":${JSON.stringify(aboutData)}`)).toBe(true)
  expect(JSON.parse(text)).toEqual({ about: aboutData, data: [{ name: 'shop' }] })
})

test('has no data for a response without a body', () => {
  const none = { status: 204, headers: {}, text: '' }
  expect(JSON.parse(textOf(dataResult(toolNamed('containers_stop'), none))).data).toBeNull()
})

test('escapes characters that a person does not see', () => {
  const hidden = 'a\u202eb\u200b\u{e0041}\u001b[2K'
  const text = textOf(dataResult(toolNamed('containers_logs'), answerOf([{ line: hidden }])))
  expect(text).not.toMatch(/[\u202e\u200b\u001b]|\u{e0041}/u)
  expect(JSON.parse(text).data).toEqual([{ line: hidden }])
})

test('says how to get the next part of a list', () => {
  const link = '</api/v1/stacks?after=shop>; rel="next"'
  const more = { 'x-result-truncated': 'true' }
  const notesOf = (headers: object) =>
    JSON.parse(textOf(dataResult(toolNamed('stacks_list'), answerOf([], headers)))).notes
  expect(notesOf({ ...more, link })).toEqual(['There is more: call again with after = "shop".'])
  expect(notesOf(more)).toEqual([expect.stringContaining('left out the rest')])
  expect(notesOf({})).toBeUndefined()
})

test.each([
  ['stacks_get', { name: 'shop', env: 'A=1' }, { name: 'shop', env: null }, ['env']],
  ['stacks_get', { name: 'shop', env: null }, { name: 'shop', env: null }, []],
  ['stacks_file_get', { secret: true, content: 'x' }, { secret: true, content: null }, ['content']],
  ['stacks_file_get', { secret: false, content: 'x' }, { secret: false, content: 'x' }, []],
])('%s leaves secrets out of %o', (name, value, shown, hidden) => {
  const { data, notes = [] } = JSON.parse(textOf(dataResult(toolNamed(name), answerOf(value))))
  expect(data).toEqual(shown)
  expect(notes).toEqual(hidden.map((field) => expect.stringContaining(field)))
})

test.each([
  [422, 'invalid-compose', 'compose.yaml:3:5: services.web.mem_limit: invalid size hunter2'],
  [422, 'invalid-compose', '.env:2: unexpected character in hunter2:1:1: x'],
  [422, 'invalid-compose', 'a.yaml:9:1: no file x\na.yaml:10:1: no file hunter2'],
  [403, 'policy', 'sub dir/b.yaml:4:7: services.web.volumes.0: hunter2 is a path of the host'],
])('a refusal of files with %i %s shows only the place of %j', (status, reason, message) => {
  const text = textOf(failureResult(new ApiFailure(status, message, 1, { reason })))
  expect(text).not.toContain('hunter2')
  expect(JSON.parse(text)).toMatchObject({
    error: expect.stringMatching(/^\S.*:\d+: what is wrong is not shown .* `cli stacks validate`$/),
    reason,
    status,
  })
  expect(JSON.parse(text).error).toContain(message.slice(0, message.indexOf(': ')))
})

test.each([
  [422, 'limit', 'compose.yaml:1:1: too large'],
  [422, 'invalid-compose', 'the stack has no overlay for the environment prod'],
  [403, 'policy', 'this needs stacks:privileged'],
  [404, undefined, 'image localhost:5000: not found'],
])('a failure with %i %s that quotes no file is shown: %s', (status, reason, message) => {
  const failure = new ApiFailure(status, message, 1, reason === undefined ? {} : { reason })
  expect(JSON.parse(textOf(failureResult(failure))).error).toBe(message)
})

test('a failure has the way out, the reason and the status', () => {
  const failure = new ApiFailure(409, 'it changed', 1, { hint: 'read again', reason: 'stale' })
  expect(failureResult(failure)).toMatchObject({ isError: true })
  expect(JSON.parse(textOf(failureResult(failure)))).toEqual({
    about: aboutData,
    error: 'it changed',
    way_out: 'read again',
    reason: 'stale',
    status: 409,
  })
  expect(JSON.parse(textOf(failureResult(failed('no'))))).toEqual({ about: aboutData, error: 'no' })
})
