import { parseDotenv } from '../../../functions/compose/load/dotenv.ts'
import { envText } from '../env-text.ts'

/** The variables of a stack of Dockge, which passes two files of them to `docker compose`. */
export interface DockgeVariables {
  /** Those of `global.env`. */
  globals: ReadonlyMap<string, string>
  /** Those of the `.env` of the stack, which win. */
  own: ReadonlyMap<string, string>
  /** The text of that file. */
  ownText: string | undefined
  /** What is wrong with the files. */
  problems: readonly string[]
}

/** Reads both files as `docker compose` does: the second one may use variables of the first. */
export function readVariables(
  globalText: string | undefined,
  ownText: string | undefined,
): DockgeVariables {
  const problems: string[] = []
  const read = (text: string | undefined, file: string, known?: ReadonlyMap<string, string>) =>
    parseDotenv(text ?? '', file, undefined, known, ({ detail, position }) => {
      const line = position?.line === undefined ? '' : `:${position.line}`
      problems.push(`${file}${line}: ${detail}`)
    })
  const globals = read(globalText, 'global.env')
  return { globals, own: read(ownText, '.env', globals), ownText, problems }
}

/** Returns the final value of each variable. */
export const valuesOf = ({ globals, own }: DockgeVariables): Record<string, string> =>
  Object.fromEntries([...globals, ...own])

/** A `.env` that has what a stack needs of `global.env`. */
export interface JoinedEnv {
  text: string
  /** The variables that are from `global.env`. */
  names: readonly string[]
}

/** Returns one text with all variables, to load a project with; undefined if there are none. */
export const wholeEnv = (variables: DockgeVariables): string | undefined =>
  joined(variables, [...variables.globals])?.text ?? variables.ownText

/**
 * Returns the `.env` with the variables of `global.env` that the texts or the `.env` use, so that
 * no stack gets what only others need. Undefined if it uses none.
 */
export function joinedEnv(
  variables: DockgeVariables,
  texts: readonly string[],
): JoinedEnv | undefined {
  const { globals, own, ownText = '' } = variables
  const used = namesUsed(texts)
  const usedByOwn = namesUsed([ownText])
  const isNeeded = (name: string) =>
    usedByOwn.has(name) || (!own.has(name) && (used.has(name) || name.startsWith('COMPOSE_')))
  return joined(
    variables,
    [...globals].filter(([name]) => isNeeded(name)),
  )
}

function joined(
  { ownText }: DockgeVariables,
  chosen: readonly (readonly [string, string])[],
): JoinedEnv | undefined {
  if (chosen.length === 0) return undefined
  const rest = ownText === undefined ? '' : `\n${ownText.replace(/^\uFEFF/, '')}`
  return {
    text: `# From global.env of Dockge\n${envText(chosen)}${rest}`,
    names: chosen.map(([name]) => name),
  }
}

function namesUsed(texts: readonly string[]): Set<string> {
  const text = texts.map((one) => one.replaceAll('$$', '')).join('\n')
  return new Set(Array.from(text.matchAll(/\$\{?([A-Za-z_]\w*)/g), ([, name]) => name as string))
}
