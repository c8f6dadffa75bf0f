import { loadProject } from '../load/load.ts'
import { refuseUnread } from '../load/load-failure.ts'
import { deployOptions, type LoadOptions } from '../load/load-options.ts'
import { newContext } from '../load/new-context.ts'
import { Placeholders } from '../load/placeholders.ts'
import { ownEntry } from '../lookup.ts'
import { checkLimits } from '../measure/check-limits.ts'
import type { ComposeInput } from '../project.ts'
import { Problem } from '../yaml/problem.ts'
import { parseYaml } from '../yaml/yaml.ts'
import type { Diagnosis, Diagnostic } from './diagnosis.ts'
import { Findings, findingsMax } from './findings.ts'
import { Repairs } from './repairs.ts'

/** The number of problems to return. */
export const problemsMax = 200
/**
 * The number of characters to load in all: each load after the first one finds further problems.
 */
const charactersMax = 4 * 1024 * 1024
const loadsMax = 200

export interface DiagnoseOptions {
  /** Whether the files may name the project as they like. */
  anyName: boolean
  /** Whether messages may depend on the content of `input.secret`. */
  showsSecrets: boolean
}

/**
 * Returns all problems of inputs that differ only in their overlay. A stage of a load reports all
 * problems that it can; then the values that have them are removed and the files loaded again, so
 * that later stages run too. What only follows from a removed value is left out.
 *
 * Without `showsSecrets`, variables from secret files have placeholders as values, and the contents
 * of such files are not read otherwise. It would not suffice to cut values out of messages: whether
 * a value fits as a port or equals a guess would still tell it bit by bit.
 */
export function diagnose(inputs: readonly ComposeInput[], options: DiagnoseOptions): Diagnosis {
  const [first] = inputs
  if (!first) return { problems: [], isPartial: false }
  const hidden = options.showsSecrets
    ? undefined
    : new Placeholders(first.files, { hidesAll: false })
  const repairs = new Repairs()
  const findings = new Findings(repairs, first.composeFiles[0] ?? 'compose.yaml', hidden)
  const work = {
    repairs,
    findings,
    hidden,
    options,
    broken: new Set<string>(),
    loads: loadsOf(first),
  }
  checkSyntax(inputs, work)
  for (const input of inputs) {
    if (!input.composeFiles.some((file) => work.broken.has(file))) diagnoseOne(input, work)
  }
  return resultOf(findings, work.loads === 0)
}

interface Work {
  repairs: Repairs
  findings: Findings
  hidden: Placeholders | undefined
  options: DiagnoseOptions
  /** Compose files that cannot be parsed. */
  broken: Set<string>
  /** The number of loads that are left. */
  loads: number
}

function loadsOf({ files }: ComposeInput): number {
  const size = Object.values(files).reduce((sum, text) => sum + text.length, 1)
  return Math.max(2, Math.min(loadsMax, Math.floor(charactersMax / size)))
}

/** Parses every compose file of the inputs, so that a syntax error in one does not hide others. */
function checkSyntax(inputs: readonly ComposeInput[], { repairs, findings, broken }: Work): void {
  const [first] = inputs
  if (!first) return
  const context = newContext(first, deployOptions(first), repairs.parsed)
  for (const file of new Set(inputs.flatMap(({ composeFiles }) => composeFiles))) {
    const text = ownEntry(first.files, file)
    if (text === undefined) continue
    const documents = parseYaml(text, file, (problem) => {
      findings.add(problem, 'error', context)
      broken.add(file)
    })
    repairs.parsed.set(file, documents)
  }
  repairs.adopt()
}

/** Loads one input again and again until nothing new is found. */
function diagnoseOne(input: ComposeInput, work: Work): void {
  const { counts } = work.findings
  for (let goesOn = true; goesOn && work.loads > 0 && counts.error < problemsMax; ) {
    work.loads -= 1
    goesOn = loadOnce(input, work)
  }
}

/** Ends a load whose later stages would stumble over the problems reported so far. */
class Halted extends Error {}

/** Loads an input once. Returns whether another load can find more. */
function loadOnce(input: ComposeInput, work: Work): boolean {
  const { repairs, findings, hidden } = work
  const options = optionsOf(input, work.options)
  const context = newContext(input, options, repairs.parsed, hidden)
  const problems: Problem[] = []
  context.report = (problem) => {
    if (problems.length < findingsMax) problems.push(problem)
  }
  context.stopOnProblems = () => {
    if (problems.some(endsLoad)) throw new Halted()
  }
  context.warn = (message, path, document) => findings.warn(message, path, document, context)
  let isWhole = false
  try {
    const project = loadProject(input, options, context)
    checkLimits(project, context.report)
    isWhole = context.files.missing.length === 0
  } catch (error) {
    if (error instanceof Problem) problems.push(error)
    else if (error instanceof RangeError) {
      problems.push(new Problem('yaml', 'the compose file is nested too deeply'))
    } else if (!(error instanceof Halted)) throw error
  }
  // A file that was not read counts as empty, so problems may not exist.
  refuseUnread(context)
  problems.push(...context.files.missing)
  repairs.adopt()
  const places = problems.map((problem) => {
    const place = findings.add(problem, severityOf(problem), context)
    return { path: problem.path, place }
  })
  const isDropped = problems.map((problem) => dropped(problem, input, work)).includes(true)
  const located = places.flatMap(({ path, place }) => (place ? [{ path, place }] : []))
  return !isWhole && (repairs.removeAll(located) || isDropped)
}

/** Lines of variable files that cannot be read are skipped; every other problem ends its stage. */
const endsLoad = ({ kind, position }: Problem) => position === undefined || kind === 'yaml'

const optionsOf = (input: ComposeInput, { anyName }: DiagnoseOptions): LoadOptions => ({
  ...deployOptions(input),
  name: { given: input.name, rule: anyName ? 'default' : 'only' },
})

/** Drops an included file with a syntax error. Returns whether it did. */
function dropped(
  { kind, position }: Problem,
  input: ComposeInput,
  { repairs, broken }: Pick<Work, 'repairs' | 'broken'>,
): boolean {
  if (kind !== 'yaml' || position === undefined) return false
  const { file } = position
  if (input.composeFiles.includes(file)) broken.add(file)
  else repairs.drop(file)
  return !broken.has(file)
}

const severityOf = ({ kind }: Problem): Diagnostic['severity'] =>
  kind === 'hidden' ? 'warning' : 'error'

/** Returns the findings by place. If there are too many, warnings are left out first. */
function resultOf({ found }: Findings, isCut: boolean): Diagnosis {
  const all = [...found.values()]
  const bySeverity = ['error', 'warning'].flatMap((severity) =>
    all.filter((problem) => problem.severity === severity),
  )
  const problems = bySeverity.slice(0, problemsMax).sort(byPlace)
  return { problems, isPartial: isCut || all.length > problemsMax }
}

const byPlace = (one: Diagnostic, other: Diagnostic) =>
  (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) ||
  one.line - other.line ||
  one.column - other.column
