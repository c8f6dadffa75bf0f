import { basename, join } from 'node:path'
import { ownEntry } from '../../../functions/compose/lookup.ts'
import { Problem } from '../../../functions/compose/yaml/problem.ts'
import { parseYaml } from '../../../functions/compose/yaml/yaml.ts'
import { readProject } from '../project-files.ts'
import { projectsIn } from '../projects.ts'

/** A service of a compose file, as far as edits look at it. */
export interface ServiceModel {
  image?: string
  environment?: unknown[] | Record<string, unknown>
  labels?: unknown[] | Record<string, unknown>
  volumes?: unknown[]
  ports?: unknown[]
  networks?: unknown
  network_mode?: string
  depends_on?: unknown[] | Record<string, unknown>
  [attribute: string]: unknown
}

/** A compose file as a tree. */
export interface ComposeModel {
  services: Record<string, ServiceModel>
  volumes?: Record<string, unknown>
  networks?: Record<string, unknown>
  [attribute: string]: unknown
}

/** A project of the conformance projects, in the parts of a request that creates a stack. */
export interface Sample {
  project: string
  model: ComposeModel
  env: string | undefined
  /** The other files: path → content. */
  files: Record<string, string>
}

/** Returns the projects whose compose file is one document with services. */
export const samplesIn = (parent: string): Sample[] =>
  projectsIn(parent).flatMap(({ directory }) => sampleOf(directory) ?? [])

function sampleOf(directory: string): Sample | undefined {
  const input = inputOf(directory)
  if (!input) return undefined
  const [main = ''] = input.composeFiles
  const text = ownEntry(input.files, main)
  if (text === undefined) return undefined
  const model = modelOf(text)
  if (!model) return undefined
  const apart = new Set([main, '.env'])
  const others = Object.entries(input.files).filter(
    ([path]) => !apart.has(path) && !path.startsWith('/') && !path.startsWith('..'),
  )
  const env = ownEntry(input.files, '.env')
  const files = { ...standIns(model), ...Object.fromEntries(others) }
  return { project: basename(directory), model, env, files }
}

/**
 * Returns files for the builds, configs and secrets of a project, of which the conformance projects
 * have few: their models are compared, and nothing is built.
 */
function standIns({ services, ...model }: ComposeModel): Record<string, string> {
  const files: Record<string, string> = {}
  const add = (path: unknown, content: string) => {
    if (typeof path === 'string' && path.startsWith('./')) files[path.slice(2)] = content
  }
  for (const { build } of Object.values(services).map((service) => service ?? {})) {
    const given = typeof build === 'string' ? { context: build } : (build as Build | undefined)
    if (!given) continue
    const { context = '.', dockerfile = 'Dockerfile' } = given
    add(`./${join(context, dockerfile)}`, 'FROM busybox:latest\n')
  }
  for (const kind of ['configs', 'secrets']) {
    for (const one of Object.values((model[kind] ?? {}) as Record<string, { file?: unknown }>)) {
      add(one?.file, 'stand-in\n')
    }
  }
  return files
}

interface Build {
  context?: string
  dockerfile?: string
}

/** Returns what docker compose reads in a directory, or undefined if `.env` is not valid. */
function inputOf(directory: string) {
  try {
    return readProject(directory).input
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/**
 * Returns the tree of a text, or undefined if it is not one document with services. Trees have no
 * tags such as `!reset`.
 */
function modelOf(text: string): ComposeModel | undefined {
  try {
    const [document, ...more] = parseYaml(text, 'compose.yaml')
    if (!document || more.length > 0 || document.tags.length > 0) return undefined
    const model = document.value as ComposeModel | null
    return typeof model?.services === 'object' && model.services !== null ? model : undefined
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
