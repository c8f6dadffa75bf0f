import { unprocessable } from '../errors.ts'
import { findText, stackFiles } from '../load/stack-files.ts'
import { relativeTo } from '../paths.ts'
import type { ComposeInput } from '../project.ts'
import { resolveModel } from '../show/resolve.ts'
import { isMap, mapAt, type Tree, type TreeMap } from '../yaml/tree.ts'
import {
  bindFindings,
  environmentFindings,
  type Finding,
  modelFindings,
  textFindings,
  variablePathFindings,
} from './findings.ts'
import { type PublishedFile, publishedFiles } from './published-files.ts'
import { type VariablePath, variableOptions, variablePaths } from './variable-paths.ts'

/** A project as it is published. */
export interface Publication {
  files: PublishedFile[]
  findings: Finding[]
  /** Paths that the environment of a reader decides on. */
  variablePaths: VariablePath[]
  /** Options with control of the machine that it decides on. */
  variableOptions: VariablePath[]
  /** The image of each service, with variables substituted. */
  images: Record<string, string>
  /** Services with an image of their own build, which is not published with the project. */
  built: string[]
  /** Files of configs and secrets: they are not published, but may show what should not be. */
  contents: string[]
}

/** What to publish. */
export interface PublicationOptions {
  withVariables: boolean
  /** Paths of files that a source encrypts: none of them is published. */
  decrypted?: readonly string[]
}

/**
 * Returns what publishing a project means: its files as they are published, and what a person must
 * accept. All profiles count.
 *
 * @throws 422 if the files are not valid, a service has nothing but a build, or a file includes
 *   another one; UnreadFiles as `load`
 */
export function publication(input: ComposeInput, options: PublicationOptions): Publication {
  const all = { ...input, profiles: ['*'] }
  const written = resolveModel(all, { showsValues: false })
  refuseBuilds(written)
  const files = publishedFiles(stackFiles(input), input.composeFiles, options)
  const resolved = resolveModel(all, { showsValues: true })
  const open = variablePaths(written)
  const findings = [
    ...environmentFindings(written),
    ...bindFindings(resolved, input.directory),
    ...variablePathFindings(open),
    ...sensitiveFindings({ written, resolved, files, input }),
  ]
  return {
    files,
    findings,
    variablePaths: open,
    variableOptions: variableOptions(written),
    images: imagesOf(resolved),
    built: builtIn(written),
    contents: contentsIn(resolved, input.directory),
  }
}

/** @throws 422 that names the services that have a build and no image */
function refuseBuilds(model: TreeMap): void {
  const services = Object.entries(mapAt(model, 'services'))
  const names = services.flatMap(([name, service]) =>
    isMap(service) && service.build !== undefined && !service.image ? [name] : [],
  )
  if (names.length === 0) return
  throw unprocessable(
    `a stack with services that only have a build cannot be published, because others could not run them: ${names.join(', ')}: name an image that is in a registry`,
  )
}

interface Scanned {
  written: TreeMap
  resolved: TreeMap
  files: readonly PublishedFile[]
  input: ComposeInput
}

function sensitiveFindings({ written, resolved, files, input }: Scanned): Finding[] {
  const inModel = modelFindings(resolved, ([kind, service = '', attribute, name]) => {
    // Variables of an env_file are found there.
    if (kind !== 'services' || attribute !== 'environment' || name === undefined) return false
    return !Object.hasOwn(mapAt(mapAt(mapAt(written, 'services'), service), 'environment'), name)
  })
  const known = inModel.map(({ value }) => value ?? '')
  // Comments are published too.
  const inTexts = files
    .filter(({ kind }) => kind !== 'variables')
    .flatMap(({ path, text }) => textFindings(path, text))
    .filter(({ value }) => !known.some((one) => one.includes(value ?? '')))
  const given = stackFiles(input)
  const inVariables = variableFiles(written, input.directory).flatMap((path) =>
    textFindings(path, findText(given, `${input.directory}/${path}`) ?? ''),
  )
  return [...inModel, ...inTexts, ...inVariables]
}

/** Returns the files of variables in the stack, each once. */
function variableFiles(model: TreeMap, directory: string): string[] {
  const paths = Object.values(mapAt(model, 'services')).flatMap((service) =>
    isMap(service) && Array.isArray(service.env_file) ? service.env_file : [],
  )
  return inDirectory(
    paths.map((one) => (isMap(one) ? one.path : undefined)),
    directory,
  )
}

const contentsIn = (model: TreeMap, directory: string): string[] =>
  inDirectory(
    [...Object.values(mapAt(model, 'configs')), ...Object.values(mapAt(model, 'secrets'))].map(
      (one) => (isMap(one) ? one.file : undefined),
    ),
    directory,
  )

const inDirectory = (paths: readonly (Tree | undefined)[], directory: string): string[] => [
  ...new Set(
    paths.flatMap((path) =>
      typeof path === 'string' ? (relativeTo(directory, path.replaceAll('$$', '$')) ?? []) : [],
    ),
  ),
]

function imagesOf(model: TreeMap): Record<string, string> {
  const entries = Object.entries(mapAt(model, 'services')).flatMap(([name, service]) =>
    isMap(service) && typeof service.image === 'string' ? [[name, service.image] as const] : [],
  )
  return Object.fromEntries(entries)
}

const builtIn = (model: TreeMap): string[] =>
  Object.entries(mapAt(model, 'services')).flatMap(([name, service]) =>
    isMap(service) && service.build !== undefined ? [name] : [],
  )
