import { expect, test } from 'vitest'
import { planners } from './planners.ts'
import { listedTool, tools, toolsFor } from './tool.ts'

test('names of tools are those that every assistant allows, each once', () => {
  const names = tools.map(({ name }) => name)
  expect(names.filter((name) => !/^[a-z0-9_]{1,64}$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('stacks_list')
})

test('a server that only reads offers no tool that changes something', () => {
  const reading = toolsFor(false)
  expect(reading.length).toBeGreaterThan(40)
  expect(reading.every((tool) => listedTool(tool).annotations.readOnlyHint)).toBe(true)
  const posts = reading.filter(({ method }) => method !== 'GET').map(({ name }) => name)
  // They check what they are given, and save nothing.
  expect(posts.sort()).toEqual(['stacks_plan', 'stacks_validate'])
})

test('every tool that changes something has a planner, and every planner a tool', () => {
  const changing = toolsFor(true).filter(({ plan }) => plan !== null)
  const named = new Set(changing.map(({ plan }) => plan))
  expect([...named].sort()).toEqual([...planners.keys()].sort())
  for (const { inputSchema } of changing) expect(inputSchema.properties).toHaveProperty('plan')
})

test('no tool asks for a secret', () => {
  const secret = /pass(word|phrase)|secret|token|credential|private|^env$|(^|_)key$/
  const asked = tools.flatMap(({ name, inputSchema }) =>
    Object.keys(inputSchema.properties)
      .filter((input) => secret.test(input))
      .map((input) => `${name}: ${input}`),
  )
  expect(asked).toEqual([])
})

test('the texts of a tool are short', () => {
  const long = tools.filter(({ description }) => description.length > 1000)
  expect(long.map(({ name }) => name)).toEqual([])
})
