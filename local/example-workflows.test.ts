import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { unknownCommands } from './documents/quoted-commands.ts'

const room = resolve(import.meta.dirname, '../examples/ci')
const textOf = (name: string) => readFileSync(join(room, name), 'utf8')
const workflows = readdirSync(room).filter((name) => name.endsWith('.yaml'))

interface Workflow {
  jobs: Record<string, { steps: { run?: string }[] }>
}

/** Returns what the steps of a workflow run, also in substitutions, as a page of documentation. */
function scriptOf(name: string) {
  const { jobs }: Workflow = parse(textOf(name))
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
  const lines = runs.join('\n').replace(/\w+=\$\((.*)\)/g, '$1')
  return { path: name, text: `\`\`\`sh\n${lines}\n\`\`\`` }
}

test.each(workflows)('%s uses commands and flags that exist', async (name) => {
  const script = scriptOf(name)
  expect(script.text).toMatch(/^cli stacks deploy /m)
  expect(await unknownCommands([script])).toEqual([])
})

test('finds a flag that does not exist', async () => {
  const { path, text } = scriptOf('deploy-commit.yaml')
  const wrong = { path, text: text.replace('--commit', '--comit') }
  expect(await unknownCommands([wrong])).toEqual([`${path}: cli stacks deploy: no flag --comit`])
})

test('the page beside them names all of them, and commands that exist', async () => {
  const text = textOf('README.md')
  for (const name of workflows) expect(text).toContain(`(${name})`)
  expect(await unknownCommands([{ path: 'README.md', text }])).toEqual([])
})

test('the workflow of a commit is short', () => {
  expect(textOf('deploy-commit.yaml').trim().split('\n').length).toBeLessThanOrEqual(20)
})
