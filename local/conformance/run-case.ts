import { isDeepStrictEqual } from 'node:util'
import { parseDotenv } from '../../functions/compose/load/dotenv.ts'
import { interpolate } from '../../functions/compose/load/interpolate.ts'
import { loadWith } from '../../functions/compose/load/load.ts'
import { mergeTrees } from '../../functions/compose/load/merge.ts'
import { normalize } from '../../functions/compose/load/normalize.ts'
import { parsePorts } from '../../functions/compose/load/short-port.ts'
import { parseVolume } from '../../functions/compose/load/short-volume.ts'
import { substitute, TemplateError } from '../../functions/compose/load/template.ts'
import { enforceUnicity } from '../../functions/compose/load/unicity.ts'
import { validate } from '../../functions/compose/load/validate.ts'
import { shownProject } from '../../functions/compose/show/shown-project.ts'
import { Problem } from '../../functions/compose/yaml/problem.ts'
import { mapOf, type Tree, type TreeMap } from '../../functions/compose/yaml/tree.ts'
import { Failure } from '../../functions/core/errors.ts'
import type { Case, Outcome } from './cases.ts'

const directory = '/srv/conformance'

/**
 * Returns undefined if a case passes, else the difference between the result and the expectation.
 */
export function runCase(test: Case): string | undefined {
  const outcome = outcomeOf(test)
  const { expect } = test
  if (expect.error_class !== undefined) {
    if ('result' in outcome) return `accepted, expected ${expect.error_class}: ${expect.error}`
    if (outcome.errorClass === expect.error_class) return undefined
    return `${outcome.errorClass} (${outcome.message}), expected ${expect.error_class}: ${expect.error}`
  }
  if (!('result' in outcome)) return `${outcome.errorClass}: ${outcome.message}`
  const wanted = expect.valid ?? expect.value ?? expect.vars ?? expect.model ?? expect.project
  const expected = JSON.parse(JSON.stringify(wanted).replaceAll('${WD}', directory))
  const actual = JSON.parse(JSON.stringify(outcome.result))
  return isDeepStrictEqual(actual, expected) ? undefined : difference(actual, expected, '')
}

function outcomeOf(test: Case): Outcome {
  try {
    return { result: resultOf(test) }
  } catch (error) {
    const problem = error instanceof Failure ? error.cause : error
    const message = error instanceof Error ? error.message : String(error)
    if (problem instanceof TemplateError) return { errorClass: 'interpolation', message }
    if (problem instanceof Problem) return { errorClass: problem.kind, message }
    throw error
  }
}

function resultOf(test: Case): unknown {
  const variables = new Map(Object.entries(test.env))
  const lookup = (name: string) => variables.get(name)
  if (test.kind === 'dotenv') return dotenv(test, lookup)
  if (test.kind === 'short-syntax') {
    const input = test.input ?? ''
    return test.stage === 'service.ports[]' ? parsePorts(input) : parseVolume(input)
  }
  if (test.kind === 'interpolate') {
    return test.input === undefined
      ? interpolate(tree(test.model), { lookup, warn: () => {} })
      : substitute(test.input, lookup)
  }
  if (test.stage === 'unicity only') return enforceUnicity(tree(test.model))
  if (test.base) return enforceUnicity(mergeTrees(tree(test.base), tree(test.override)))
  if (test.stage === 'schema') return validate(tree(test.model)) ?? true
  if (test.stage === 'normalize') {
    return normalize(tree(test.model), String(test.model?.name), variables)
  }
  return loaded(test)
}

function dotenv(test: Case, lookup: (name: string) => string | undefined) {
  const known = new Map(Object.entries(test.preset ?? {}))
  return Object.fromEntries([
    ...known,
    ...parseDotenv(test.files?.['.env'] ?? '', '.env', lookup, known),
  ])
}

function loaded(test: Case): unknown {
  const options = test.options ?? {}
  const { project } = loadWith(
    {
      name: options.projectName ?? '',
      directory,
      composeFiles: test.compose_files ?? [],
      files: test.files ?? {},
      environment: test.env,
      profiles: options.profiles ?? [],
      reach: 'host',
    },
    {
      name: {
        given: options.projectName,
        rule: options.projectNameImperative ? 'binding' : 'default',
      },
      consistency: options.consistency ?? true,
      normalize: options.normalize ?? true,
      resolvePaths: options.resolvePaths ?? true,
      discardEnvFiles: options.discardEnvFiles ?? false,
      prune: options.prune ?? false,
      services: options.services ?? [],
      ...(test.process_home !== undefined && { home: test.process_home }),
    },
  )
  return shownProject(project)
}

function tree(value: unknown): TreeMap {
  const convert = (node: unknown): Tree => {
    if (Array.isArray(node)) return node.map(convert)
    if (typeof node !== 'object' || node === null) return node as Tree
    return mapOf(Object.entries(node).map(([key, child]) => [key, convert(child)] as const))
  }
  return convert(value ?? {}) as TreeMap
}

/** Returns the first place where two values differ. */
function difference(actual: unknown, expected: unknown, path: string): string {
  const plain = (value: unknown) => typeof value !== 'object' || value === null
  if (plain(actual) || plain(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${path || 'the result'}: got ${short(actual)}, expected ${short(expected)}`
  }
  const left = actual as Record<string, unknown>
  const right = expected as Record<string, unknown>
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (!isDeepStrictEqual(left[key], right[key]))
      return difference(left[key], right[key], `${path}.${key}`)
  }
  return `${path}: differs`
}

const short = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 300)
