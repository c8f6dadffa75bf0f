import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { lint, lintFromString, loadConfig } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'

const path = fileURLToPath(new URL('openapi.json', import.meta.url))
const json = await readFile(path, 'utf8')
/** The recommended rules, without the exceptions in `.redocly.lint-ignore.yaml`. */
const config = await loadConfig()

/** Returns what Spectral says about a description, with the rules `spectral:oas`. */
async function spectral(text: string): Promise<string[]> {
  const linter = new spectralCore.Spectral()
  linter.setRuleset(rulesets.oas as unknown as RulesetDefinition)
  const found = await linter.run(new spectralCore.Document(text, parsers.Json, 'openapi.json'))
  return found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)
}

type Found = Awaited<ReturnType<typeof lint>>[number]
const shown = ({ ruleId, location: [place], message }: Found) =>
  `${ruleId} ${place?.pointer}: ${message}`

test('Spectral finds no error and no warning', async () => {
  expect(await spectral(json)).toEqual([])
})

test('Redocly finds no error and no warning', async () => {
  const found = await lint({ ref: path, config })
  expect(found.filter(({ ignored }) => !ignored).map(shown)).toEqual([])
  const ignored = found.map(({ ruleId }) => ruleId)
  expect([...new Set(ignored)]).toEqual(['no-ambiguous-paths', 'no-unused-components'])
})

test('both find what is wrong', async () => {
  const document = JSON.parse(json)
  const { '/health': health, '/version': version } = document.paths
  health.get.operationId = version.get.operationId
  document.paths = { '/health': health, '/version': version }
  document.components.schemas.Unused = { type: 'object' }
  const source = JSON.stringify(document)
  expect((await spectral(source)).join('\n')).toContain('operation-operationId-unique')
  const found = await lintFromString({ source, absoluteRef: path, config })
  expect(found.map(shown).join('\n')).toContain('no-unused-components')
})
