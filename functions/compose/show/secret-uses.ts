import { seccompFile } from '../create/security.ts'
import { parseDotenv } from '../load/dotenv.ts'
import type { LoadContext } from '../load/load-file.ts'
import { Placeholders } from '../load/placeholders.ts'
import { findText, isSecret, shownPath } from '../load/stack-files.ts'
import { joinPath } from '../paths.ts'
import type { ComposeInput, Project } from '../project.ts'
import type { Service } from '../service.ts'
import { isMap, type Path, pathText, type Tree } from '../yaml/tree.ts'
import { loadShown } from './load-shown.ts'

/** A place of the model where a value from a secret file can be seen by others. */
export interface SecretUse {
  /** The path in the model. */
  place: string
  /** The text as it is written, such as `app:${TAG}`, or the path of a secret file. */
  text: string
  /**
   * The same for uses that show the same value, from the same file or set: an order in a list does
   * not matter.
   */
  key: string
}

/**
 * Returns where the projects of inputs, which differ only in their overlay, use values of
 * `input.secret`: variables of such a file in any value but those of `environment` and the content
 * of configs, which are for secrets; and such a file where its content becomes visible.
 *
 * @throws 422 if the files are not valid, or need the content of a secret file
 */
export function secretUses(inputs: readonly ComposeInput[]): SecretUse[] {
  const found = new Map<string, SecretUse>()
  for (const input of inputs) {
    const hidden = new Placeholders(input.files, { hidesAll: true, fillsIn: true })
    const uses = loadShown(input, hidden, (project, context) => [
      ...valuesIn(project, hidden),
      ...filesIn(project, hidden, context),
    ])
    for (const use of uses) found.set(use.key, use)
  }
  return [...found.values()]
}

function* valuesIn(project: Project, hidden: Placeholders): Generator<SecretUse> {
  const { services, disabled_services, networks, volumes, secrets, configs, models } = project
  const all = { services: { ...disabled_services, ...services }, networks, volumes }
  yield* usesIn({ ...all, secrets, configs, models } as unknown as Tree, [], hidden)
}

function* usesIn(value: Tree, path: Path, hidden: Placeholders): Generator<SecretUse> {
  if (typeof value === 'string') {
    if (hidden.isSecretIn(value) && !isForSecrets(path)) yield useOf(path, value, hidden)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* usesIn(item, [...path, index], hidden)
  } else if (isMap(value)) {
    for (const [key, child] of Object.entries(value)) {
      if (hidden.isSecretIn(key)) yield useOf(path, key, hidden)
      yield* usesIn(child, [...path, key], hidden)
    }
  }
}

/** Values that no list and no message shows: those of an environment, and contents of configs. */
const isForSecrets = ([kind, , attribute, ...rest]: Path): boolean =>
  (kind === 'services' && attribute === 'environment' && rest.length === 1) ||
  (kind === 'configs' && attribute === 'content' && rest.length === 0)

function useOf(path: Path, text: string, hidden: Placeholders): SecretUse {
  const written = hidden.restore(text)
  const names = path.filter((part) => typeof part === 'string')
  const key = keyOf(names, written, hidden.originsIn(text))
  return { place: hidden.restore(pathText(path)), text: written, key }
}

const keyOf = (...parts: unknown[]) => JSON.stringify(parts)

/** Yields the secret files whose content becomes visible in names, labels or messages. */
function* filesIn(
  { services, disabled_services }: Project,
  hidden: Placeholders,
  context: LoadContext,
): Generator<SecretUse> {
  const { files } = context
  const all = Object.entries({ ...disabled_services, ...services })
  for (const [name, service] of all) {
    for (const { attribute, path } of namedFiles(service)) {
      const full = joinPath(files.directory, path)
      const place = hidden.restore(pathText(['services', name, attribute]))
      if (isSecret(files, full)) {
        // Another service may name the same file for the same purpose: that shows nothing new.
        const text = shownPath(files, full)
        yield { place, text, key: keyOf(attribute, text) }
      } else if (attribute === 'label_file') {
        yield* labelsIn(full, place, hidden, context)
      }
    }
  }
}

function* namedFiles(service: Service): Generator<{ attribute: string; path: string }> {
  const { env_file = [], label_file = [], security_opt = [], build } = service
  for (const { path } of env_file) yield { attribute: 'env_file', path }
  for (const path of label_file) yield { attribute: 'label_file', path }
  for (const option of security_opt) {
    const path = seccompFile(option)
    if (path !== undefined) yield { attribute: 'security_opt', path }
  }
  if (build?.dockerfile !== undefined) {
    const path = joinPath(build.context ?? '.', build.dockerfile)
    yield { attribute: 'build.dockerfile', path }
  }
}

/** Yields the labels of a file that depend on a secret value. */
function* labelsIn(
  file: string,
  place: string,
  hidden: Placeholders,
  { files, variables }: LoadContext,
): Generator<SecretUse> {
  const text = findText(files, file) ?? ''
  const labels = parseDotenv(
    text,
    file,
    (name) => variables.get(name),
    undefined,
    () => {},
  )
  for (const [label, value] of labels) {
    if (!hidden.isSecretIn(value)) continue
    const written = `${label}=${hidden.restore(value)}`
    yield { place, text: written, key: keyOf('label_file', written, hidden.originsIn(value)) }
  }
}
